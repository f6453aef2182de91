// A browser that becomes the operator's: it keeps the key that the server asks for beside its cookie, and
// goes on. Other ports of this host are sent the cookie, too, but never what is stored here.

import { keepKey } from "/assets/send.js";

const link = document.querySelector("[data-key]");
keepKey(link.dataset.key);
location.replace(link.href);
