//! The addresses of the contest desk and of games against an engine.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use desk::{Moment, Operation};
use serde::Deserialize;
use serde_json::Value;

use super::{Shared, Site, answer};
use crate::desk::{self as session, Wish};
use crate::live;
use crate::live::desk::Shown;
use crate::site::{self, Reader, Trouble};
use crate::streams::Ticket;

pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/desk", get(start))
        .route("/play", get(play))
        .route("/begin", post(begin))
        .route("/desk/{name}", get(page))
        .route("/desk/{name}/events", get(events))
        .route("/desk/{name}/act", post(act))
        .route("/desk/{name}/record/{number}", get(record))
        .route("/desk/{name}/preview", post(preview))
        .route("/desk/{name}/hint", post(hint))
        .route("/desk/{name}/remove", post(remove))
}

#[derive(Deserialize)]
struct Chosen {
    game: Option<String>,
}

async fn start(State(site): Site, Query(chosen): Query<Chosen>, reader: Reader) -> Response {
    answer(reader, move |reader| {
        Ok(site::desk::start(
            reader,
            &site.desks,
            &site.engines,
            chosen.game.as_deref(),
        ))
    })
    .await
}

async fn page(State(site): Site, Path(name): Path<String>, reader: Reader) -> Response {
    answer(reader, move |reader| {
        site.host(reader, &name)?;
        Ok(site::desk::session(reader, &name))
    })
    .await
}

async fn begin(State(site): Site, reader: Reader, Json(wish): Json<Wish>) -> Response {
    answer(reader, move |_| {
        let begun = site.desks.begin(&site.engines, &wish);
        begun.map_err(Trouble::Bad)
    })
    .await
}

async fn act(
    State(site): Site,
    Path(name): Path<String>,
    reader: Reader,
    Json(mut wish): Json<Value>,
) -> Response {
    answer(reader, move |reader| {
        let host = site.host(reader, &name)?;
        let bad = |error: serde_json::Error| Trouble::Bad(error.to_string());
        let seen = wish.as_object_mut().and_then(|wish| wish.remove("seen"));
        let seen: Option<Moment> = serde_json::from_value(seen.unwrap_or_default()).map_err(bad)?;
        let operation: Operation = serde_json::from_value(wish).map_err(bad)?;
        session::act(&host, &operation, seen).map_err(Trouble::Bad)
    })
    .await
}

/// A saved record of a session.
async fn record(
    State(site): Site,
    Path((name, number)): Path<(String, usize)>,
    reader: Reader,
) -> Response {
    answer(reader, move |reader| {
        let host = site.host(reader, &name)?;
        let record = session::record(&host, number).map_err(Trouble::Broken)?;
        let (name, bytes) = record.ok_or(Trouble::Missing)?;
        Ok(site::game::Export { name, bytes })
    })
    .await
}

#[derive(Deserialize)]
struct Entered {
    text: String,
}

async fn preview(
    State(site): Site,
    Path(name): Path<String>,
    reader: Reader,
    Json(Entered { text }): Json<Entered>,
) -> Response {
    answer(reader, move |reader| {
        let host = site.host(reader, &name)?;
        session::preview(&host, &text).map_err(Trouble::Bad)
    })
    .await
}

async fn hint(
    State(site): Site,
    Path(name): Path<String>,
    reader: Reader,
    Json(Nothing {}): Json<Nothing>,
) -> Response {
    answer(reader, move |reader| {
        let host = site.host(reader, &name)?;
        session::hint(&host, &site.engines).map_err(Trouble::Bad)
    })
    .await
}

async fn remove(
    State(site): Site,
    Path(name): Path<String>,
    reader: Reader,
    Json(Nothing {}): Json<Nothing>,
) -> Response {
    answer(reader, move |_| {
        let removed = site.desks.remove(&name).map_err(Trouble::Bad)?;
        removed.ok_or(Trouble::Missing)
    })
    .await
}

/// The body of a request that says all by its address.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// A session as it changes.
async fn events(
    State(site): Site,
    Path(name): Path<String>,
    ticket: Ticket,
    reader: Reader,
) -> Response {
    let sessions = Arc::clone(&site.sessions);
    answer(reader, move |reader| {
        let host = site.host(reader, &name)?;
        let first = Shown::now(&host).map_err(Trouble::Broken)?;
        let states = sessions.follow(&host, &first);
        Ok(live::events(Some(first), states, Shown::difference, ticket))
    })
    .await
}

async fn play(State(site): Site, Query(chosen): Query<Chosen>, reader: Reader) -> Response {
    answer(reader, move |reader| {
        Ok(site::play::page(
            reader,
            &site.desks,
            &site.engines,
            chosen.game.as_deref(),
        ))
    })
    .await
}
