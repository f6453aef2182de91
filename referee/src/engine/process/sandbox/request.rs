//! The message that asks the starter for an engine: everything its process needs to know, as bytes.
//!
//! The starter is a copy of an early referee, so it knows nothing that the referee has learned since.

use std::ffi::{CStr, CString};

use super::super::confine::Preparation;
use super::view::{Step, View};

/// An engine to start.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// The program and its arguments; none for a process that only enters its cell and exits.
    pub(super) arguments: Vec<CString>,
    /// Its environment, `NAME=value`.
    pub(super) environment: Vec<CString>,
    pub(super) preparation: Preparation,
    pub(super) view: View,
}

impl Request {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_texts(&mut bytes, &self.arguments);
        put_texts(&mut bytes, &self.environment);
        let Preparation {
            directory,
            limits,
            core,
        } = &self.preparation;
        put_text(&mut bytes, directory);
        limits.iter().for_each(|&limit| put(&mut bytes, limit));
        put(&mut bytes, core.map_or(0, |core| core as u64 + 1));
        put_text(&mut bytes, &self.view.size);
        put(&mut bytes, self.view.own.len() as u64);
        self.view
            .own
            .iter()
            .for_each(|step| put_step(&mut bytes, step));
        bytes
    }

    /// `None` if the bytes are no request.
    pub(super) fn decode(bytes: &[u8]) -> Option<Request> {
        let mut rest = Rest(bytes);
        let request = Request {
            arguments: rest.texts()?,
            environment: rest.texts()?,
            preparation: Preparation {
                directory: rest.text()?,
                limits: [
                    rest.number()?,
                    rest.number()?,
                    rest.number()?,
                    rest.number()?,
                ],
                core: (rest.number()? as usize).checked_sub(1),
            },
            view: View {
                size: rest.text()?,
                own: rest.list(Rest::step)?,
            },
        };
        rest.0.is_empty().then_some(request)
    }
}

fn put(bytes: &mut Vec<u8>, number: u64) {
    bytes.extend(number.to_ne_bytes());
}

fn put_text(bytes: &mut Vec<u8>, text: &CStr) {
    bytes.extend(text.to_bytes_with_nul());
}

fn put_texts(bytes: &mut Vec<u8>, texts: &[CString]) {
    put(bytes, texts.len() as u64);
    texts.iter().for_each(|text| put_text(bytes, text));
}

/// The kinds of steps.
const FOLDER: u64 = 0;
const FILE: u64 = 1;
const LINK: u64 = 2;
const READ: u64 = 3;
const WRITE: u64 = 4;

fn put_step(bytes: &mut Vec<u8>, step: &Step) {
    let (kind, first, second) = match step {
        Step::Folder(path) => (FOLDER, path, None),
        Step::File(path) => (FILE, path, None),
        Step::Link(target, at) => (LINK, target, Some(at)),
        Step::Bind { from, to, writable } => (if *writable { WRITE } else { READ }, from, Some(to)),
    };
    put(bytes, kind);
    put_text(bytes, first);
    second.into_iter().for_each(|path| put_text(bytes, path));
}

/// The bytes that have not been read yet.
struct Rest<'b>(&'b [u8]);

impl Rest<'_> {
    fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_ne_bytes(*number))
    }

    fn text(&mut self) -> Option<CString> {
        let text = CStr::from_bytes_until_nul(self.0).ok()?;
        self.0 = &self.0[text.count_bytes() + 1..];
        Some(text.to_owned())
    }

    fn texts(&mut self) -> Option<Vec<CString>> {
        self.list(Rest::text)
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.number()?;
        (0..count).map(|_| item(self)).collect()
    }

    fn step(&mut self) -> Option<Step> {
        Some(match self.number()? {
            FOLDER => Step::Folder(self.text()?),
            FILE => Step::File(self.text()?),
            LINK => Step::Link(self.text()?, self.text()?),
            kind @ (READ | WRITE) => Step::Bind {
                from: self.text()?,
                to: self.text()?,
                writable: kind == WRITE,
            },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_arrives_as_it_was_sent() {
        let text = |text: &str| CString::new(text).expect("no zero byte");
        let bind = |writable| Step::Bind {
            from: text("/old/a"),
            to: text("/a"),
            writable,
        };
        for core in [None, Some(0), Some(7)] {
            let request = Request {
                arguments: vec![text("engine"), text("")],
                environment: vec![text("HOME=/tmp")],
                preparation: Preparation {
                    directory: text("/tmp"),
                    limits: [1, u64::MAX, 0, 4],
                    core,
                },
                view: View {
                    own: vec![
                        Step::Folder(text("/f")),
                        Step::File(text("/f/g")),
                        Step::Link(text("/f/g"), text("/h")),
                        bind(true),
                        bind(false),
                    ],
                    size: text("size=1"),
                },
            };
            let bytes = request.encode();
            assert_eq!(Request::decode(&bytes), Some(request));
            for length in 0..bytes.len() {
                assert_eq!(Request::decode(&bytes[..length]), None);
            }
        }
    }
}
