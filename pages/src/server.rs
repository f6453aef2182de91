//! Connections and addresses: which page answers which request.

mod desk;
mod login;
mod review;

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ::desk::Host;
use axum::body::Body;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Path, Query, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router, extract::FromRequestParts, http::request::Parts};
use base::error::BadInput;
use futures_util::stream;
use maud::Markup;
use serde::Deserialize;
use thiserror::Error;
use tokio::task::JoinSet;

use crate::analysis::{Analyses, Follower, Place};
use crate::connections::{Accepting, Connections, Peer};
use crate::desk::Desks;
use crate::engines::Engines;
use crate::guard::{Door, HEADERS, LARGEST_BODY, LOGIN, LONGEST_ADDRESS, Visitor};
use crate::leagues::Leagues;
use crate::live::desk::Sessions;
use crate::live::game::State as GameState;
use crate::live::league::Parts as LeagueParts;
use crate::live::review::State as ReviewState;
use crate::live::{self, Following};
use crate::login::Login;
use crate::own;
use crate::reviews::Reviews;
use crate::site::games::Filter;
use crate::site::league::Choice;
use crate::site::{self, Answer, Reader, Trouble};
use crate::streams::{Streams, Ticket};

/// The least time between two lines of an engine that a page gets.
const LINES_INTERVAL: Duration = Duration::from_millis(100);

/// How long a page waits for a line before it is told that there is none.
const PATIENCE: Duration = Duration::from_secs(20);

/// What all requests share.
struct Shared {
    leagues: Arc<Leagues>,
    followed_leagues: Arc<Following<Choice, LeagueParts>>,
    followed_games: Arc<Following<String, GameState>>,
    followed_reviews: Arc<Following<String, ReviewState>>,
    reviews: Arc<Reviews>,
    desks: Arc<Desks>,
    analyses: Arc<Analyses>,
    engines: Engines,
    door: Door,
    streams: Arc<Streams>,
    sessions: Arc<Sessions>,
    login: Login,
    /// The page that opens after a login, `/desk`.
    first: String,
}

impl Shared {
    /// A session of the desk by its name. Who only looks does not open it: that starts its engines.
    fn host(&self, reader: &Reader, name: &str) -> Answer<Arc<Host>> {
        if let Some(host) = self.desks.opened(name) {
            return Ok(host);
        }
        if !reader.may_act {
            return Err(if self.desks.has(name) {
                Trouble::Closed
            } else {
                Trouble::Missing
            });
        }
        let host = self.desks.find(name).map_err(Trouble::Broken)?;
        host.ok_or(Trouble::Missing)
    }
}

type Site = State<Arc<Shared>>;

/// A server that listens, and answers when it is run.
pub struct Server {
    /// At the address that was asked for, and at the operator's own, if there is one.
    listeners: Vec<TcpListener>,
    /// The first of them, `http://127.0.0.1:7650`.
    server: String,
    shared: Arc<Shared>,
}

/// Why there is no server.
#[derive(Debug, Error)]
pub enum ServerError {
    /// The address is in use, or none of this machine.
    #[error("{0}: {1}, expected a free address of this machine")]
    Address(SocketAddr, io::Error),
    /// A league file with engines cannot be read, or something in it is wrong.
    #[error("{0}")]
    Engines(BadInput),
    /// The file that logs a browser in cannot be written.
    #[error("{}: {cause}, expected a folder of this user (XDG_RUNTIME_DIR or TMPDIR)", folder.display())]
    Login {
        /// Where it would be.
        folder: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
}

impl Server {
    /// Listens at `address`; port 0 takes any free one. `folder` holds the leagues; it need not exist
    /// yet. `files` are league files whose engines may be chosen on the pages, beside those built in.
    /// `page` is what a browser shows after its login: empty for the list of leagues, or `desk`.
    ///
    /// # Errors
    /// See [`ServerError`].
    pub fn bind(
        address: SocketAddr,
        folder: PathBuf,
        files: Vec<PathBuf>,
        page: &str,
    ) -> Result<Server, ServerError> {
        let engines = Engines::with(files).map_err(ServerError::Engines)?;
        let failed = |cause| ServerError::Address(address, cause);
        let listener = TcpListener::bind(address).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let own = own::listener(address);
        let entry = own.as_ref().map_or(Ok(address), TcpListener::local_addr);
        let entry = entry.map_err(failed)?;
        let listeners: Vec<TcpListener> = [listener].into_iter().chain(own).collect();
        for listener in &listeners {
            listener.set_nonblocking(true).map_err(failed)?;
        }
        let desks = Arc::new(Desks::below(&folder));
        let shared = Shared {
            desks,
            engines,
            analyses: Arc::default(),
            leagues: Arc::new(Leagues::below(folder)),
            followed_leagues: Arc::default(),
            followed_games: Arc::default(),
            followed_reviews: Arc::default(),
            reviews: Arc::default(),
            door: Door::new(address).map_err(failed)?,
            streams: Arc::new(Streams::new()),
            sessions: Arc::default(),
            login: Login::new(entry)
                .map_err(|(folder, cause)| ServerError::Login { folder, cause })?,
            first: format!("/{page}"),
        };
        Ok(Server {
            listeners,
            server: crate::login::server(address),
            shared: Arc::new(shared),
        })
    }

    /// The address of the first page, at which everybody may look.
    pub fn url(&self) -> String {
        [&*self.server, &self.shared.first].concat()
    }

    /// The address of a file that only this user can read. A browser that opens it may act.
    pub fn file(&self) -> String {
        self.shared.login.file()
    }

    /// Where a browser of another machine is given the code of the file, and the code. It is good once;
    /// only the operator may see it.
    pub fn code(&self) -> (String, String) {
        let Shared { login, door, .. } = &*self.shared;
        let page = [&door.reachable(), LOGIN].concat();
        (page, login.code())
    }

    /// What removes the file, and keeps what reviews have found: to be called before the process ends
    /// by a signal.
    pub fn cleanup(&self) -> impl Fn() + Send + use<> {
        let shared = Arc::clone(&self.shared);
        move || {
            shared.login.remove();
            shared.reviews.keep_all();
        }
    }

    /// Answers requests until the process ends. A thread reads the logs meanwhile.
    ///
    /// # Errors
    /// The listener fails, or there is no thread.
    pub fn run(self) -> io::Result<()> {
        self.shared.leagues.read_all()?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let router = router(self.shared);
        let connections = Arc::<Connections>::default();
        runtime.block_on(async {
            let mut serving = JoinSet::new();
            for listener in self.listeners {
                let accepting = Accepting {
                    listener: tokio::net::TcpListener::from_std(listener)?,
                    connections: Arc::clone(&connections),
                };
                let router = router.clone();
                let service = router.into_make_service_with_connect_info::<Peer>();
                serving.spawn(async move { axum::serve(accepting, service).await });
            }
            // They do not end by themselves.
            match serving.join_next().await {
                Some(ended) => ended.map_err(io::Error::other)?,
                None => Ok(()),
            }
        })
    }
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(index))
        .route("/league/{*name}", get(league))
        .route("/events/{*name}", get(events))
        .route("/game/{*path}", get(game))
        .route("/live/{*path}", get(playing))
        .route("/follow/{*path}", get(follow))
        .route("/viewed/{*path}", get(viewed))
        .route("/line/{*path}", get(line))
        .route("/export/{*path}", get(export))
        .merge(desk::routes())
        .merge(review::routes())
        .merge(login::routes())
        .route("/analysis", get(analysis))
        .route("/analysis/position", post(position))
        .route("/analysis/begin", post(begin_analysis))
        .route("/analysis/show/{key}", post(show))
        .route("/analysis/events/{key}", get(lines))
        .route("/assets/{file}", get(asset))
        .route(
            "/favicon.ico",
            get(|| async { Redirect::permanent("/assets/icon.svg") }),
        )
        .fallback(|reader: Reader| async move { site::missing(&reader).into_response() })
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), guarded))
        .with_state(shared)
}

/// Refuses what the door refuses, and sets the headers of every answer.
async fn guarded(
    State(site): Site,
    ConnectInfo(Peer { address, seat }): ConnectInfo<Peer>,
    mut request: Request,
    next: Next,
) -> Response {
    let (method, uri, headers) = (request.method(), request.uri(), request.headers());
    let admitted = match uri.path_and_query().map_or(0, |uri| uri.as_str().len()) {
        // What a name is made of takes time to look up.
        length if length > LONGEST_ADDRESS => {
            Err((StatusCode::URI_TOO_LONG, "too long an address"))
        }
        _ => site.door.admit(address.ip(), method, uri.path(), headers),
    };
    let reader = Reader::of(headers, site.door.is_operator(headers));
    let visitor = site.door.visitor(address.ip(), headers);
    if visitor == Visitor::Operator {
        seat.note_operator();
    }
    let _waiting = seat.wait();
    let mut response = match admitted {
        Ok(()) => {
            request.extensions_mut().insert(reader);
            request.extensions_mut().insert(visitor);
            next.run(request).await
        }
        Err((status, message)) => (status, reader.language.refusal(message)).into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}

impl<S: Send + Sync> FromRequestParts<S> for Reader {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Reader, Self::Rejection> {
        // The door has made it of the request's headers.
        Ok(parts.extensions.get().cloned().unwrap_or_default())
    }
}

/// For a stream of events; who has too many open is told to ask again later.
impl FromRequestParts<Arc<Shared>> for Ticket {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Shared>) -> Result<Ticket, Response> {
        let visitor = parts.extensions.get::<Visitor>();
        let ticket = visitor.and_then(|&visitor| site.streams.admit(visitor));
        ticket.ok_or_else(live::none_free)
    }
}

/// Makes an answer on a thread that may wait for the disk.
async fn answer<A: IntoResponse + Send + 'static>(
    reader: Reader,
    make: impl FnOnce(&Reader) -> Answer<A> + Send + 'static,
) -> Response {
    let turns = (!reader.may_act).then_some(&*live::LOOKERS);
    let made = live::on_thread(turns, move || match make(&reader) {
        Ok(answer) => answer.into_response(),
        Err(Trouble::Missing) => site::missing(&reader).into_response(),
        Err(Trouble::Closed) => site::login::closed(&reader).into_response(),
        Err(Trouble::Broken(message)) => site::broken(&reader, &message).into_response(),
        Err(Trouble::Bad(message)) => {
            let message = reader.language.refusal(&message);
            (StatusCode::BAD_REQUEST, message).into_response()
        }
    });
    let made = made.await;
    made.unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}

/// A page, complete.
impl IntoResponse for site::Page {
    fn into_response(self) -> Response {
        html(self.0)
    }
}

fn html(markup: Markup) -> Response {
    axum::response::Html(markup.into_string()).into_response()
}

/// The list of leagues.
async fn index(State(site): Site, reader: Reader) -> Response {
    answer(reader, move |reader| {
        let (page, is_complete) = site::index::page(reader, &site.leagues);
        // The browser asks again until all logs are read.
        let again = (!is_complete).then_some([(header::REFRESH, "1")]);
        Ok((again, page))
    })
    .await
}

async fn league(
    State(site): Site,
    Path(name): Path<String>,
    Query(filter): Query<Filter>,
    reader: Reader,
) -> Response {
    answer(reader, move |reader| {
        site::league::page(reader, &site.leagues, &name, &filter)
    })
    .await
}

#[derive(Deserialize)]
struct Followed {
    game: Option<String>,
}

/// The parts of a league's page that change, as they change.
async fn events(
    State(site): Site,
    Path(league): Path<String>,
    Query(Followed { game }): Query<Followed>,
    ticket: Ticket,
    reader: Reader,
) -> Response {
    let language = reader.language;
    let choice = Choice {
        league,
        game,
        language,
    };
    let (leagues, followed) = (Arc::clone(&site.leagues), choice.clone());
    let make = move |before: &_| LeagueParts::make(&leagues, &followed, before);
    let states = site.followed_leagues.follow(choice, make);
    live::events(None, states, LeagueParts::difference, ticket)
}

/// A game in a log; the page of a game that is still played is another.
async fn game(State(site): Site, Path(path): Path<String>, reader: Reader) -> Response {
    answer(reader, move |reader| {
        let page = site::game::page(reader, &site.leagues, &path);
        if let Err(Trouble::Missing) = page
            && let Some((league, game)) = site::live::find(&site.leagues, &path)
        {
            let place = site::live::place(&league, &game);
            return Ok(Redirect::temporary(&format!("/live/{place}")).into_response());
        }
        page.map(IntoResponse::into_response)
    })
    .await
}

/// A game that is played; once it is over, its page in the log.
async fn playing(State(site): Site, Path(path): Path<String>, reader: Reader) -> Response {
    answer(reader, move |reader| {
        let Some((league, game)) = site::live::find(&site.leagues, &path) else {
            let place = site::game::place(&site.leagues, &path)?;
            return Ok(Redirect::temporary(&place).into_response());
        };
        site::live::page(reader, &league, &game).map(IntoResponse::into_response)
    })
    .await
}

/// A game that is played, with every turn.
async fn follow(State(site): Site, Path(path): Path<String>, ticket: Ticket) -> Response {
    let (leagues, followed) = (Arc::clone(&site.leagues), path.clone());
    let make = move |before: &_| Some(GameState::make(&leagues, &followed, before));
    let states = site.followed_games.follow(path, make);
    live::events(None, states, GameState::difference, ticket)
}

async fn viewed(State(site): Site, Path(path): Path<String>, reader: Reader) -> Response {
    answer(reader, move |_| {
        let viewed = site::game::viewed(&site.leagues, &path)?;
        Ok(([(header::CONTENT_TYPE, "application/json")], viewed))
    })
    .await
}

#[derive(Deserialize)]
struct At {
    ply: usize,
}

async fn line(
    State(site): Site,
    Path(path): Path<String>,
    Query(At { ply }): Query<At>,
    reader: Reader,
) -> Response {
    answer(reader, move |_| {
        let picture = site::game::line(&site.leagues, &path, ply)?;
        Ok(([(header::CONTENT_TYPE, "image/svg+xml")], picture))
    })
    .await
}

#[derive(Deserialize)]
struct Exported {
    format: String,
}

async fn export(
    State(site): Site,
    Path(path): Path<String>,
    Query(wanted): Query<Exported>,
    reader: Reader,
) -> Response {
    answer(reader, move |_| {
        let file = site::game::export(&site.leagues, &path, &wanted.format)?;
        Ok(file.into_response())
    })
    .await
}

/// A file to be saved.
impl IntoResponse for site::game::Export {
    fn into_response(self) -> Response {
        let headers = [
            (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
            (header::CONTENT_DISPOSITION, self.disposition()),
        ];
        (headers, self.bytes).into_response()
    }
}

#[derive(Deserialize)]
struct Analysed {
    game: Option<String>,
    /// A game of a league: its path, as of its page.
    from: Option<String>,
}

async fn analysis(State(site): Site, Query(wanted): Query<Analysed>, reader: Reader) -> Response {
    answer(reader, move |reader| {
        let Analysed { game, from } = &wanted;
        let setup = match from {
            Some(path) => site::game::setup(&site.leagues, path)?,
            None => site::analysis::Setup::of(game.as_deref())?,
        };
        Ok(site::analysis::page(reader, &site.engines, &setup))
    })
    .await
}

async fn position(reader: Reader, Json(place): Json<Place>) -> Response {
    answer(reader, move |_| place.view().map_err(Trouble::Bad)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Begun {
    game: String,
    engine: String,
}

async fn begin_analysis(
    State(site): Site,
    reader: Reader,
    Json(Begun { game, engine }): Json<Begun>,
) -> Response {
    answer(reader, move |_| {
        let begun = site.analyses.begin(&site.engines, &game, &engine);
        begun.map(|number| number.to_string()).map_err(Trouble::Bad)
    })
    .await
}

async fn show(
    State(site): Site,
    Path(key): Path<String>,
    reader: Reader,
    Json(place): Json<Place>,
) -> Response {
    answer(reader, move |_| {
        let shown = site.analyses.show(&key, &place);
        shown
            .map(|position| position.to_string())
            .map_err(Trouble::Bad)
    })
    .await
}

/// What an engine finds, as it finds it. The engine ends with the request.
async fn lines(State(site): Site, Path(key): Path<String>, ticket: Ticket) -> Response {
    if site.analyses.find(&key).is_none() {
        return StatusCode::NOT_FOUND.into_response();
    }
    let follower = Follower::of(Arc::clone(&site.analyses), key);
    let start = (follower, 0, ticket);
    let events = stream::unfold(start, |(follower, seen, ticket)| async move {
        let analysis = follower.analysis()?;
        let next = tokio::task::spawn_blocking(move || analysis.wait(seen, PATIENCE)).await;
        let lines = next.ok()?;
        // Depths that are done at once follow each other faster than anybody reads.
        tokio::time::sleep(LINES_INTERVAL).await;
        let event = Event::default().json_data(&lines).ok()?;
        Some((
            Ok::<_, Infallible>(event),
            (follower, lines.version, ticket),
        ))
    });
    Sse::new(events).into_response()
}

async fn asset(Path(file): Path<String>) -> Response {
    let Some((kind, text)) = site::assets::find(&file) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, Body::from(text.into_owned())).into_response()
}
