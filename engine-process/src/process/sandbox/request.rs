//! The message that asks the starter for an engine: everything its process needs to know, as bytes.
//!
//! The starter is a copy of an early referee, so it knows nothing that the referee has learned since.

use std::ffi::CString;

use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::super::confine::Preparation;
use super::view::View;

/// An engine to start.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Request {
    /// The program and its arguments; none for a process that only enters its cell and exits.
    pub(super) arguments: Vec<CString>,
    /// Its environment, `NAME=value`.
    pub(super) environment: Vec<CString>,
    pub(super) preparation: Preparation,
    pub(super) view: View,
}

impl Request {
    pub(super) fn encode(&self) -> rustix::io::Result<Vec<u8>> {
        postcard::to_allocvec(self).map_err(|_| Errno::INVAL)
    }

    /// `None` if the bytes are no request.
    pub(super) fn decode(bytes: &[u8]) -> Option<Request> {
        let (request, rest) = postcard::take_from_bytes(bytes).ok()?;
        rest.is_empty().then_some(request)
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::Step;
    use super::*;

    #[test]
    fn a_request_arrives_as_it_was_sent() {
        let text = |text: &str| CString::new(text).expect("no zero byte");
        let bind = |writable| Step::Bind {
            from: text("/old/a"),
            to: text("/a"),
            writable,
        };
        for cores in [vec![], vec![0], vec![7, 3]] {
            let request = Request {
                arguments: vec![text("engine"), text("")],
                environment: vec![text("HOME=/tmp")],
                preparation: Preparation {
                    directory: text("/tmp"),
                    limits: [1, u64::MAX, 0, 4],
                    cores,
                    groups: vec![text("/g/cgroup.procs")],
                },
                view: View {
                    layers: true,
                    own: vec![
                        Step::Folder(text("/f")),
                        Step::File(text("/f/g")),
                        Step::Link(text("/f/g"), text("/h")),
                        Step::Layer {
                            folder: text("/old/l"),
                            to: text("/l"),
                        },
                        Step::LayerFile {
                            folder: text("/old/l"),
                            file: text("/layer/m"),
                            to: text("/m"),
                        },
                        bind(true),
                        bind(false),
                    ],
                    size: text("size=1"),
                },
            };
            let bytes = request.encode().expect("all of it can be encoded");
            assert_eq!(Request::decode(&bytes), Some(request));
            for length in 0..bytes.len() {
                assert_eq!(Request::decode(&bytes[..length]), None);
            }
        }
    }
}
