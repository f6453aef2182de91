//! The leagues below a folder: every log is read once, and then only as far as it grows. A thread
//! reads them from the start, so that nobody waits for more than the log that a page is about.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use base::input;
use gamelog::Dropped;
use gamelog::Place;
use gamelog::Stream;
use gamelog::record::{GameRecord, GameResult, Logged, Reason};
use gamelog::{self, EXTENSION, FILE_NAME};
use jiff::Timestamp;
use league::conversations;
use league::live::Snapshot;
use league::report::sprt::{Match, Question};
use league::results::standings::Standings;
use league::results::summary::GameSummary;

use crate::dropped;

/// How long a look at the folder serves for the requests that follow.
const FRESH: Duration = Duration::from_millis(300);

/// How long a list of all leagues waits for the thread that reads them at the start.
const PATIENCE: Duration = Duration::from_millis(300);

/// How often it looks whether that thread has ended.
const POLL: Duration = Duration::from_millis(10);

/// The leagues below a folder, by name.
pub struct Leagues {
    root: PathBuf,
    found: Mutex<Found>,
    /// The thread that reads all logs at the start.
    reader: OnceLock<JoinHandle<()>>,
}

/// The leagues by name.
type ByName = BTreeMap<String, Arc<Shelved>>;

/// A league, for several threads.
pub struct Shelved {
    league: RwLock<League>,
    /// Whether its log has been read once.
    was_read: AtomicBool,
}

/// All leagues.
pub struct All {
    /// Those that are as they are on disk.
    pub read: Vec<Arc<Shelved>>,
    /// The names of those whose logs are still being read for the first time.
    pub unread: Vec<String>,
}

/// The leagues that were found, and when.
#[derive(Default)]
struct Found {
    when: Option<Instant>,
    leagues: ByName,
}

impl Leagues {
    /// The leagues below `root`, which need not exist yet.
    pub fn below(root: PathBuf) -> Leagues {
        Leagues {
            root,
            found: Mutex::default(),
            reader: OnceLock::new(),
        }
    }

    /// Begins to read all logs in a thread.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn read_all(self: &Arc<Self>) -> io::Result<()> {
        let leagues = Arc::clone(self);
        let reader = thread::Builder::new().spawn(move || {
            leagues.look().values().for_each(|league| league.catch_up());
        })?;
        // A second thread would find nothing left to read.
        let _ = self.reader.set(reader);
        Ok(())
    }

    /// Whether that thread still reads, after a short wait for its end.
    fn is_reading(&self) -> bool {
        let end = Instant::now() + PATIENCE;
        while self
            .reader
            .get()
            .is_some_and(|reader| !reader.is_finished())
        {
            if Instant::now() >= end {
                return true;
            }
            thread::sleep(POLL);
        }
        false
    }

    /// The folder that holds the leagues.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// All leagues as they are on disk now, by name, but for those that are still being read at the
    /// start.
    pub fn all(&self) -> All {
        let is_reading = self.is_reading();
        let (mut read, mut unread) = (Vec::new(), Vec::new());
        for (name, league) in self.look() {
            if is_reading && !league.was_read.load(Ordering::Acquire) {
                unread.push(name);
                continue;
            }
            league.catch_up();
            read.push(league);
        }
        All { read, unread }
    }

    /// The league with this name as it is on disk now. Only names that a search of the folder has
    /// found exist: no name is taken for a path.
    pub fn find(&self, name: &str) -> Option<Arc<Shelved>> {
        let league = self.look().remove(name).or_else(|| self.made(name))?;
        league.catch_up();
        Some(league)
    }

    /// A league that pages themselves have made since somebody looked: its address is known at once.
    fn made(&self, name: &str) -> Option<Arc<Shelved>> {
        let is_own = [dropped::LEAGUE, desk::FOLDER].contains(&name);
        // Who asks for one that was never made costs no search of the folder.
        if !is_own || !self.root.join(name).join(FILE_NAME).exists() {
            return None;
        }
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.when = None;
        drop(found);
        self.look().remove(name)
    }

    /// The leagues in the folder, unless somebody has looked a moment ago. Nothing is read.
    fn look(&self) -> ByName {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let Found { when, leagues } = &mut *found;
        if when.is_some_and(|when| when.elapsed() < FRESH) {
            return leagues.clone();
        }
        // Without the folder there are no leagues yet.
        let logs = input::within(&self.root, &[EXTENSION]).unwrap_or_default();
        let mut now = BTreeMap::new();
        for path in logs {
            let name = self.name_of(&path);
            let league = leagues.remove(&name).unwrap_or_else(|| {
                Arc::new(Shelved {
                    league: RwLock::new(League::at(name.clone(), path)),
                    was_read: AtomicBool::new(false),
                })
            });
            now.insert(name, league);
        }
        *leagues = now;
        *when = Some(Instant::now());
        leagues.clone()
    }

    /// The name of the league with this log: the path of its folder below the root, or of the log
    /// itself if it is not named as a league names it.
    fn name_of(&self, log: &Path) -> String {
        let below = log.strip_prefix(&self.root).unwrap_or(log);
        let folder = below.parent().filter(|folder| {
            below.file_name() == Some(FILE_NAME.as_ref()) && !folder.as_os_str().is_empty()
        });
        let name = folder.map_or_else(|| below.with_extension(""), Path::to_owned);
        name.to_string_lossy().into_owned()
    }
}

/// Reads a league. A request that panicked has not changed it.
pub fn read(shelved: &Shelved) -> RwLockReadGuard<'_, League> {
    let league = shelved.league.read();
    league.unwrap_or_else(PoisonError::into_inner)
}

impl Shelved {
    /// Reads what its log has gained.
    fn catch_up(&self) {
        // Readers do not wait for each other while nothing is new.
        if !read(self).is_current() {
            let league = self.league.write();
            league.unwrap_or_else(PoisonError::into_inner).catch_up();
        }
        self.was_read.store(true, Ordering::Release);
    }
}

/// A league as its log tells it.
pub struct League {
    /// Its name in addresses.
    pub name: String,
    /// Points, results and ratings.
    pub standings: Standings,
    /// Its games, in the order of the log.
    pub games: Vec<Row>,
    /// Why the log could not be read to its end.
    pub fault: Option<String>,
    /// The place of each game in `games`, by id.
    ids: HashMap<String, usize>,
    /// Engines' names, each once.
    names: HashMap<String, Arc<str>>,
    /// The first game of each course, by its place in `games`.
    courses: HashMap<u64, usize>,
    /// The test that it was played for, as far as somebody has looked at it.
    test: Mutex<Option<Match>>,
    path: PathBuf,
    read: Extent,
}

/// How far a log has been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Extent {
    /// The file: another one in its place is read from its start.
    inode: u64,
    /// Bytes in whole lines.
    bytes: u64,
    /// Whole lines.
    lines: usize,
    /// Length of the file, with a line that was not complete.
    length: u64,
}

/// A game in a list of games.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its id.
    pub id: String,
    /// Id of the game played: `hex`.
    pub game: Arc<str>,
    /// Names of the engines, `First` first.
    pub engines: [Arc<str>; 2],
    /// Who won.
    pub result: GameResult,
    /// Why it ended.
    pub reason: Reason,
    /// Its stage, empty for the only one.
    pub stage: Arc<str>,
    /// Number of turns and rolls.
    pub plies: u32,
    /// When it began.
    pub started: Timestamp,
    /// How long it took, ms.
    pub duration_ms: u64,
    /// Whether it was played at the desk.
    pub at_desk: bool,
    /// The id of the first game with the same turns, if this one repeats it.
    pub repeats: Option<Arc<str>>,
    /// The number of its line in the log, from 1.
    line: usize,
    /// Its line in the log, without the line end.
    bytes: Range<u64>,
}

impl Row {
    /// The name of the engine that lost; `None` after a draw.
    pub fn loser(&self) -> Option<&str> {
        let side = match self.result {
            GameResult::First => 1,
            GameResult::Second => 0,
            GameResult::Draw | GameResult::Unfinished => return None,
        };
        Some(&self.engines[side])
    }
}

/// What is kept of a line of a log.
struct Line {
    row: Row,
    summary: GameSummary,
    /// The same for games with the same turns.
    course: u64,
}

impl League {
    /// A league without games.
    pub fn new(name: String) -> League {
        League::at(name, PathBuf::new())
    }

    fn at(name: String, path: PathBuf) -> League {
        League {
            name,
            standings: Standings::default(),
            games: Vec::new(),
            fault: None,
            ids: HashMap::new(),
            names: HashMap::new(),
            courses: HashMap::new(),
            test: Mutex::default(),
            path,
            read: Extent::default(),
        }
    }

    /// The games in progress; `None` if the league does not run.
    pub fn live(&self) -> Option<Snapshot> {
        Snapshot::read(self.path.parent().filter(|_| self.is_own())?)
    }

    /// Number of games that the league has in all; `None` if it is not known.
    pub fn planned(&self) -> Option<usize> {
        Snapshot::planned(self.path.parent().filter(|_| self.is_own())?)
    }

    /// Looks at the test that it was played for, after all its games; `None` if it was played for none.
    pub fn with_test<T>(&self, look: impl FnOnce(&Match) -> T) -> Option<T> {
        let question = Question::read(self.path.parent().filter(|_| self.is_own())?)?;
        let mut known = self.test.lock().unwrap_or_else(PoisonError::into_inner);
        let same = known.take().filter(|test| *test.question() == question);
        let test = known.insert(same.unwrap_or_else(|| Match::of(question)));
        test.follow(&self.standings);
        Some(look(test))
    }

    /// Whether every game was played at the desk. Such games have no rounds and no ratings.
    pub fn is_of_desk(&self) -> bool {
        !self.games.is_empty() && self.games.iter().all(|row| row.at_desk)
    }

    /// Only a league of this program has a folder of its own.
    fn is_own(&self) -> bool {
        self.path.file_name() == Some(FILE_NAME.as_ref())
    }

    /// The row of a game.
    pub fn row(&self, id: &str) -> Option<&Row> {
        self.ids.get(id).map(|&index| &self.games[index])
    }

    /// The whole game of a row.
    ///
    /// # Errors
    /// The log cannot be read any more.
    pub fn game(&self, row: &Row) -> Result<GameRecord, String> {
        let path: Arc<Path> = self.path.as_path().into();
        let place = Place::new(&path, row.line, row.bytes.clone());
        place.game().map_err(|error| error.to_string())
    }

    /// The log.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What was said in a game that went wrong, if it was kept.
    pub fn conversation(&self, id: &str) -> Option<String> {
        conversations::of(&self.path, id)
    }

    /// Reads what the log has gained. A log that was replaced, or that gave up a game, is read from
    /// its start.
    fn catch_up(&mut self) {
        if let Err(error) = self.try_catch_up() {
            self.fault = Some(format!("{}: {error}", self.name));
        }
    }

    fn try_catch_up(&mut self) -> io::Result<()> {
        let (inode, length) = self.file()?;
        if (inode, length) == (self.read.inode, self.read.length) {
            return Ok(());
        }
        let grown = inode == self.read.inode && length > self.read.length && self.fault.is_none();
        let news = if grown {
            Dropped::read(self.rest()?)?
        } else {
            Dropped::default()
        };
        let mut dropped = Dropped::default();
        if !grown || news.lines().next().is_some() {
            *self = League::at(self.name.clone(), self.path.clone());
            self.read.inode = inode;
            dropped = Dropped::read(File::open(&self.path)?)?;
        }
        self.read.length = length;
        self.append(dropped)
    }

    /// Whether there is nothing new in the log.
    fn is_current(&self) -> bool {
        let read = (self.read.inode, self.read.length);
        self.file().is_ok_and(|file| file == read)
    }

    /// The inode and the length of the log.
    fn file(&self) -> io::Result<(u64, u64)> {
        let metadata = fs::metadata(&self.path)?;
        Ok((metadata.ino(), metadata.len()))
    }

    /// The part of the log that was not read yet.
    fn rest(&self) -> io::Result<impl Read + use<>> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(self.read.bytes))?;
        Ok(file)
    }

    fn append(&mut self, dropped: Dropped) -> io::Result<()> {
        let Extent { bytes, lines, .. } = self.read;
        let mut stream = Stream::new(self.rest()?, dropped, |line| {
            gamelog::parse(line).map(|game: Logged<'_>| Line::of(&game))
        });
        for entry in stream.by_ref() {
            let entry = entry?;
            let number = lines + entry.line;
            let line = (entry.record)
                .map_err(|message| io::Error::other(format!("line {number}: {message}")))?;
            let place = bytes + entry.bytes.start..bytes + entry.bytes.end;
            self.add_line(line, number, place);
        }
        self.read.bytes = bytes + stream.length();
        self.read.lines = lines + stream.lines();
        Ok(())
    }

    /// Adds a game that is not in its log.
    pub fn add(&mut self, game: &GameRecord) {
        self.add_line(Line::of(game), 0, 0..0);
    }

    fn add_line(&mut self, line: Line, number: usize, bytes: Range<u64>) {
        let Line {
            mut row,
            summary,
            course,
        } = line;
        if self.ids.contains_key(&row.id) {
            return;
        }
        (row.line, row.bytes) = (number, bytes);
        for name in row
            .engines
            .iter_mut()
            .chain([&mut row.game, &mut row.stage])
        {
            *name = shared(&mut self.names, name);
        }
        self.standings.add(&summary);
        let place = self.games.len();
        // A game that failed before its first turn repeats nothing.
        let first = match row.plies {
            0 => place,
            _ => *self.courses.entry(course).or_insert(place),
        };
        row.repeats = (first < place).then(|| Arc::from(&*self.games[first].id));
        self.ids.insert(row.id.clone(), place);
        self.games.push(row);
    }
}

/// The one copy of a name.
fn shared(names: &mut HashMap<String, Arc<str>>, name: &Arc<str>) -> Arc<str> {
    let known = names.entry(name.to_string());
    Arc::clone(known.or_insert_with(|| Arc::clone(name)))
}

impl Line {
    fn of<S: AsRef<str>>(game: &GameRecord<S>) -> Line {
        let name = |name: &str| Arc::from(name);
        Line {
            summary: GameSummary::from(game),
            course: course(game),
            row: Row {
                id: game.id.clone(),
                game: name(&game.game),
                engines: [name(&game.first.name), name(&game.second.name)],
                result: game.result,
                reason: game.reason,
                stage: name(&game.stage),
                plies: game.turns.len() as u32,
                started: game.started,
                duration_ms: game.duration_ms,
                at_desk: game.desk.is_some(),
                repeats: None,
                line: 0,
                bytes: 0..0,
            },
        }
    }
}

/// A hash of what was played: variant, opening and turns, whoever the players were. Among a million
/// games, two different ones share it with a probability below 10⁻⁷.
fn course<S: AsRef<str>>(game: &GameRecord<S>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&game.game, game.variant.to_string(), &game.opening).hash(&mut hasher);
    for turn in &game.turns {
        turn.text.as_ref().hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
pub(crate) mod tests;
