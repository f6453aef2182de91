//! Reviews of logged games: those that are kept beside a log, and those that a page has begun.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use engine_core::StopFlag;
use gamelog::record::GameRecord;
use rayon::prelude::*;
use review::file::{self, digest, path_of};
use review::league::{self, LeagueReview};
use review::{Course, Plan, Review, Searched};

use crate::leagues::{self, Shelved};

/// The most reviews at one time: each takes half of the cores.
const MOST: usize = 2;

/// Games of a league whose reviews are in memory at one time.
const PART: usize = 64;

/// The longest time of a position, ms.
const LONGEST: u64 = 60_000;

/// The reviews of all leagues.
#[derive(Default)]
pub(crate) struct Reviews {
    /// What was read of each file, and when it was written.
    files: Mutex<HashMap<PathBuf, (Stamp, Arc<file::Reviews>)>>,
    /// Those that a page has begun since the start, by the digests of their games. One that has ended is
    /// kept until its file is read.
    begun: Mutex<HashMap<String, Arc<Begun>>>,
    /// Those of whole leagues, by log.
    leagues: Mutex<HashMap<PathBuf, Together>>,
}

/// Inode, length and time of a file.
type Stamp = (u64, u64, i64, i64);

/// The reviews of a league, and the stamps of its log and of its reviews.
type Together = ([Stamp; 2], Arc<LeagueReview>);

/// A review that a page has begun.
struct Begun {
    /// The id and the digest of the game, and the file beside its log.
    id: String,
    key: String,
    file: PathBuf,
    course: Course,
    plan: Plan,
    stop: StopFlag,
    now: Mutex<Progress>,
}

/// How far a review is.
#[derive(Clone, Default)]
struct Progress {
    searched: Searched,
    /// Changes with every point that was searched.
    version: u64,
    over: bool,
    /// Why it could not be made or kept.
    fault: Option<String>,
}

/// What there is of the review of a game.
pub(crate) struct Known {
    /// The review as far as it is; `None` if nothing is known.
    pub(crate) review: Option<Review>,
    /// Time of a position, ms; `None` if it was limited in another way.
    pub(crate) move_time: Option<u64>,
    /// Whether it goes on.
    pub(crate) running: bool,
    /// Points that were searched, and points in all.
    pub(crate) points: (usize, usize),
    /// What went wrong.
    pub(crate) fault: Option<String>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Reviews {
    /// What changes with everything that is new about a game in this log.
    pub(crate) fn version(&self, log: &Path, game: &GameRecord) -> String {
        let begun = self.begun(game).map(|begun| {
            let now = lock(&begun.now);
            (now.version, now.over)
        });
        format!("{begun:?} {:?}", stamp(&path_of(log)))
    }

    /// What there is of the review of a game in a log.
    ///
    /// # Errors
    /// The file of reviews cannot be read, or the game cannot be reviewed.
    pub(crate) fn of(&self, log: &Path, game: &GameRecord) -> Result<Known, String> {
        if let Some(begun) = self.begun(game) {
            let now = lock(&begun.now).clone();
            return Known::of(game, now.searched, &begun.plan, (!now.over, now.fault));
        }
        let reviews = self.read(log)?;
        match reviews.best_of(&digest(game)) {
            Some((plan, searched)) => Known::of(game, searched.clone(), plan, (false, None)),
            None => Ok(Known {
                review: None,
                move_time: None,
                running: false,
                points: (0, 0),
                fault: None,
            }),
        }
    }

    /// The reviews of a league together. Its games are read again when its log or its reviews have changed.
    ///
    /// # Errors
    /// The file of reviews cannot be read.
    pub(crate) fn league(&self, shelved: &Shelved) -> Result<Arc<LeagueReview>, String> {
        let log = leagues::read(shelved).path().to_owned();
        let stamps = [stamp(&log), stamp(&path_of(&log))];
        if let Some((made, league)) = lock(&self.leagues).get(&log)
            && *made == stamps
        {
            return Ok(Arc::clone(league));
        }
        let kept = self.read(&log)?;
        let of_row = |row: &leagues::Row| {
            let game = leagues::read(shelved).game(row).ok()?;
            let (_, searched) = kept.best_of(&digest(&game))?;
            let course = Course::of(&game).ok()?;
            let differences = league::differences(&game);
            Some((Review::new(course, searched.clone()), differences, game))
        };
        let rows = leagues::read(shelved).games.clone();
        let mut together = LeagueReview::default();
        for part in rows.chunks(PART) {
            let reviewed: Vec<_> = part.par_iter().map(of_row).collect();
            for (review, differences, game) in reviewed.into_iter().flatten() {
                together.add(&game, &review);
                together.compare(differences);
            }
        }
        let together = Arc::new(together);
        lock(&self.leagues).insert(log, (stamps, Arc::clone(&together)));
        Ok(together)
    }

    /// Begins to review a game of a log, or goes on with what was stopped.
    ///
    /// # Errors
    /// The game cannot be reviewed, too many reviews run, or the system gives no thread.
    pub(crate) fn begin(
        self: &Arc<Self>,
        log: &Path,
        game: &GameRecord,
        move_time: u64,
    ) -> Result<(), String> {
        let plan = Plan {
            move_time: Some(move_time.clamp(1, LONGEST)),
            ..Plan::default()
        };
        let (course, key) = (Course::of(game)?, digest(game));
        let known = self.read(log)?.known(&key, &plan).cloned();
        let begun = Arc::new(Begun {
            id: game.id.clone(),
            key: key.clone(),
            file: path_of(log),
            course,
            plan,
            stop: StopFlag::default(),
            now: Mutex::new(Progress {
                searched: known.unwrap_or_default(),
                ..Progress::default()
            }),
        });
        {
            let mut all = lock(&self.begun);
            all.retain(|_, begun| !lock(&begun.now).over);
            if all.contains_key(&key) {
                return Ok(());
            }
            if all.len() >= MOST {
                return Err("other games are being reviewed; wait for one, or stop it".to_owned());
            }
            all.insert(key.clone(), Arc::clone(&begun));
        }
        let reviews = Arc::clone(self);
        let (work, failed) = (Arc::clone(&begun), key.clone());
        let started = thread::Builder::new().spawn(move || {
            let fault = work.search().and_then(|()| work.keep()).err();
            let is_kept = fault.is_none();
            {
                let mut now = lock(&work.now);
                (now.over, now.fault) = (true, fault);
            }
            // A review that was kept is read from its file from now on.
            if is_kept {
                lock(&reviews.begun).remove(&key);
            }
        });
        started.map(drop).map_err(|error| {
            lock(&self.begun).remove(&failed);
            error.to_string()
        })
    }

    /// Keeps what all reviews have found so far: the process is about to end.
    pub(crate) fn keep_all(&self) {
        let all: Vec<Arc<Begun>> = lock(&self.begun).values().cloned().collect();
        for begun in all {
            begun.stop.stop();
            // There is nobody left to be told.
            let _ = begun.keep();
        }
    }

    /// Stops the review of a game. What it has found is kept.
    pub(crate) fn stop(&self, game: &GameRecord) {
        if let Some(begun) = self.begun(game) {
            begun.stop.stop();
        }
    }

    fn begun(&self, game: &GameRecord) -> Option<Arc<Begun>> {
        lock(&self.begun).get(&digest(game)).cloned()
    }

    /// The reviews beside a log, read again when the file has changed.
    fn read(&self, log: &Path) -> Result<Arc<file::Reviews>, String> {
        let path = path_of(log);
        let now = stamp(&path);
        let mut files = lock(&self.files);
        if let Some((read, reviews)) = files.get(&path)
            && *read == now
        {
            return Ok(Arc::clone(reviews));
        }
        let reviews = file::Reviews::read(path.clone());
        let reviews = Arc::new(reviews.map_err(|error| error.to_string())?);
        files.insert(path, (now, Arc::clone(&reviews)));
        Ok(reviews)
    }
}

/// Nought if there is no file.
fn stamp(path: &Path) -> Stamp {
    fs::metadata(path).map_or((0, 0, 0, 0), |data| {
        (data.ino(), data.len(), data.mtime(), data.mtime_nsec())
    })
}

impl Begun {
    /// Searches on half of the cores, and notes each point.
    fn search(&self) -> Result<(), String> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let threads = cores.div_ceil(2);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| error.to_string())?;
        let known = lock(&self.now).searched.clone();
        let found = pool.install(|| {
            review::search(
                &self.course,
                &self.plan,
                known,
                &self.stop,
                &|at, looked| {
                    let mut now = lock(&self.now);
                    let points = self.course.points.len();
                    now.searched.0.resize(points, None);
                    now.searched.0[at] = Some(looked.clone());
                    now.version += 1;
                },
            )
        })?;
        lock(&self.now).searched = found;
        Ok(())
    }

    /// Writes what was found beside the log.
    fn keep(&self) -> Result<(), String> {
        let reviews = file::Reviews::read(self.file.clone());
        let mut reviews = reviews.map_err(|error| error.to_string())?;
        let found = lock(&self.now).searched.clone();
        if found.0.is_empty() || reviews.known(&self.key, &self.plan) == Some(&found) {
            return Ok(());
        }
        let kept = reviews.append(&self.id, &self.key, &self.plan, &found);
        kept.map_err(|error| error.to_string())
    }
}

impl Known {
    fn of(
        game: &GameRecord,
        searched: Searched,
        plan: &Plan,
        (running, fault): (bool, Option<String>),
    ) -> Result<Known, String> {
        let course = Course::of(game)?;
        let points = course.points.len() - course.opening;
        let found = searched.0.iter().skip(course.opening).flatten().count();
        Ok(Known {
            review: Some(Review::new(course, searched)),
            move_time: plan.move_time,
            running,
            points: (found, points),
            fault,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::leagues::tests::record;

    /// Waits until the review of a game has ended.
    fn ended(reviews: &Reviews, log: &Path, game: &GameRecord) -> Known {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            let known = reviews.of(log, game).unwrap();
            if !known.running {
                return known;
            }
            assert!(Instant::now() < end, "it goes on");
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn a_review_is_begun_kept_and_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("games.jsonl");
        let game = record(0, ("a b first", &["a1", "b2", "c3"]));
        let reviews = Arc::new(Reviews::default());
        assert!(reviews.of(&log, &game).unwrap().review.is_none());
        let before = reviews.version(&log, &game);
        reviews.begin(&log, &game, 1).unwrap();
        let known = ended(&reviews, &log, &game);
        // A busy machine may find nothing in a millisecond.
        assert_eq!(
            (known.points.1, known.move_time, known.fault),
            (4, Some(1), None)
        );
        assert_ne!(reviews.version(&log, &game), before);
        // Another server reads the same.
        let again = Reviews::default().of(&log, &game).unwrap();
        let values = |known: Known| known.review.unwrap().values;
        assert_eq!(values(again), values(reviews.of(&log, &game).unwrap()));
        // Nobody has changed another game.
        let other = record(0, ("a b first", &["a1", "b2", "c2"]));
        assert!(reviews.of(&log, &other).unwrap().review.is_none());
    }

    #[test]
    fn what_is_stopped_is_kept_and_few_games_are_reviewed_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("games.jsonl");
        let games = ["a1", "a2", "a3"].map(|first| record(0, ("a b first", &[first, "b2", "c3"])));
        let reviews = Arc::new(Reviews::default());
        for game in &games[..MOST] {
            reviews.begin(&log, game, LONGEST).unwrap();
        }
        let refused = reviews.begin(&log, &games[MOST], LONGEST).unwrap_err();
        assert!(refused.starts_with("other games"), "{refused}");
        // The same one again is no other.
        reviews.begin(&log, &games[0], LONGEST).unwrap();
        games.iter().for_each(|game| reviews.stop(game));
        for game in &games[..MOST] {
            assert!(!ended(&reviews, &log, game).running);
        }
        reviews.begin(&log, &games[MOST], 1).unwrap();
        assert_eq!(ended(&reviews, &log, &games[MOST]).points.1, 4);
    }

    #[test]
    fn a_review_that_cannot_be_kept_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("none/games.jsonl");
        let game = record(0, ("a b first", &["a1", "b2"]));
        let reviews = Arc::new(Reviews::default());
        reviews.begin(&log, &game, 1).unwrap();
        let known = ended(&reviews, &log, &game);
        assert!(known.fault.unwrap().contains("cannot write reviews"));
        assert!(known.review.is_some(), "it is shown all the same");
    }
}
