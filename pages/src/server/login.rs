//! The address that exchanges a code for the token.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Form, Router};
use serde::Deserialize;

use super::{Shared, Site};
use crate::guard::LOGIN;
use crate::site::{self, Reader};

pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new().route(LOGIN, get(ask).post(exchange))
}

async fn ask(reader: Reader) -> Response {
    site::login::page(&reader, false).into_response()
}

#[derive(Deserialize)]
struct Entered {
    code: String,
}

/// A page of its own keeps the key and goes on to the first one, in place of a redirection: after a
/// redirection of what a file has sent, browsers keep the cookie to themselves.
async fn exchange(State(site): Site, reader: Reader, Form(entered): Form<Entered>) -> Response {
    if !site.login.exchange(entered.code.trim()) {
        return site::login::page(&reader, true).into_response();
    }
    let headers = [
        (header::SET_COOKIE, site.door.set_cookie()),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    let page = site::login::entered(&reader, site.door.key(), &site.first);
    (headers, page).into_response()
}
