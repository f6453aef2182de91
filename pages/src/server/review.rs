//! The addresses of reviews: of a game, of a league, and of records that are dropped.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::header;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::json;

use super::{At, Shared, Site, answer};
use crate::dropped;
use crate::live;
use crate::live::review::State as ReviewState;
use crate::site::review::Wish;
use crate::site::{self, Reader, Trouble};
use crate::streams::Ticket;

pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/review/{*path}", get(follow).post(act))
        .route("/better/{*path}", get(better))
        .route("/reviews/{*name}", get(reviews))
        .route(
            "/records",
            post(drop_record).layer(DefaultBodyLimit::max(dropped::LARGEST)),
        )
}

/// The review of a game, as it is made.
async fn follow(
    State(site): Site,
    Path(path): Path<String>,
    ticket: Ticket,
    reader: Reader,
) -> Response {
    answer(reader, move |_| {
        let (log, game) = site::review::place(&site.leagues, &path)?;
        let reviews = Arc::clone(&site.reviews);
        // What pages follow may be a moment old: a review has begun since.
        let first = ReviewState::make(&reviews, &log, &game, &ReviewState::default());
        let make = move |before: &_| Some(ReviewState::make(&reviews, &log, &game, before));
        let states = site.followed_reviews.follow(path, make);
        Ok(live::events(
            Some(first),
            states,
            ReviewState::difference,
            ticket,
        ))
    })
    .await
}

/// The reviews of a league together.
async fn reviews(State(site): Site, Path(name): Path<String>, reader: Reader) -> Response {
    answer(reader, move |reader| {
        site::reviews::page(reader, &site.leagues, &site.reviews, &name)
    })
    .await
}

async fn act(
    State(site): Site,
    Path(path): Path<String>,
    reader: Reader,
    Json(wish): Json<Wish>,
) -> Response {
    answer(reader, move |_| {
        site::review::act(&site.reviews, &site.leagues, &path, &wish)
    })
    .await
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

/// Takes a file of records.
async fn drop_record(
    State(site): Site,
    Query(Named { name }): Query<Named>,
    reader: Reader,
    bytes: Bytes,
) -> Response {
    answer(reader, move |_| {
        let taken = dropped::take(site.leagues.root(), &name, &bytes).map_err(Trouble::Bad)?;
        Ok(Json(json!({
            "league": dropped::LEAGUE, "ids": taken.ids, "faults": taken.faults,
        })))
    })
    .await
}

async fn better(
    State(site): Site,
    Path(path): Path<String>,
    Query(At { ply }): Query<At>,
    reader: Reader,
) -> Response {
    answer(reader, move |_| {
        let picture = site::review::better(&site.reviews, &site.leagues, &path, ply)?;
        Ok(([(header::CONTENT_TYPE, "image/svg+xml")], picture))
    })
    .await
}
