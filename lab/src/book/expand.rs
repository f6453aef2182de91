//! Drop-out expansion: grows a book by searches where it matters most.
//!
//! Lincke, *Strategies for the Automatic Construction of Opening Books* (2000): a book is a tree of
//! searched positions, and the leaf to expand next is the one that needs the fewest and smallest
//! mistakes to reach. A line costs one unit for each of its plies, which limits its length. It also
//! costs the loss of value of each of its moves against the best one, so bad moves are not followed
//! far: they drop out of the book. Expanding a leaf adds its best moves and searches the position
//! after each. The new scores are backed up before the next leaf is chosen.
//!
//! Nothing is kept from one expansion to the next but the book: the next leaf, its position and its
//! searches follow from the book and the plan alone. So an expansion that was killed ends with the
//! same book as one that was not. Searches may be made ahead, by several machines: those of the
//! leaves that are next if no value changes. What a step finds among them it does not search again,
//! so the book is the same.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use base::error::BadInput;
use catalog::{AnyGame, AnyMatch, Request, Rules};
use engine_core::{Algorithm, Score};
use entry::Book;
use entry::book::{Known, Line, Searched, Values};
use serde::{Deserialize, Serialize};

/// How a book is expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Actions and turns from the start, separated by spaces: positions after them are expanded.
    pub actions: String,
    /// The algorithm that searches.
    pub algorithm: Algorithm,
    /// Nodes or playouts of each search.
    pub nodes: u64,
    /// Moves that an expansion adds to a position, the best ones before a search; the best move of the
    /// position's own search is one of them.
    pub width: usize,
    /// The loss of value, in points of the game's evaluation, that costs as much as one ply.
    pub ply_points: u32,
    /// Memory of the table or tree, MiB.
    pub table_mb: usize,
    /// Seed of every search.
    pub seed: u64,
}

impl Plan {
    /// How the book was made, for its header.
    pub fn in_words(&self) -> String {
        let Plan {
            actions,
            algorithm,
            nodes,
            width,
            ply_points,
            table_mb,
            seed,
        } = self;
        let algorithm = algorithm.name();
        let after = match &**actions {
            "" => String::new(),
            actions => format!("--actions '{actions}' "),
        };
        format!(
            "expand {after}--algorithm {algorithm} --nodes {nodes} --width {width} \
             --ply-points {ply_points} --table-mb {table_mb} --seed {seed}"
        )
    }
}

/// A book that grows.
pub struct Expander {
    rules: &'static dyn AnyGame,
    book: Book,
    plan: Plan,
    /// The moves to the position from which the book is expanded.
    root: Vec<u32>,
    /// The key of that position.
    root_key: u64,
    /// Searches that were made ahead, by the position: images of a position share a key, but a search
    /// may judge them differently.
    ahead: BTreeMap<String, Searched>,
    /// The leaves whose searches were made ahead.
    prepared: BTreeSet<u64>,
}

/// The searches for the expansion of a leaf, made ahead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ahead {
    /// The key of the leaf.
    leaf: u64,
    /// Each position, the value of its score, whether it is solved, and its best move.
    found: Vec<(String, i32, bool, u32)>,
}

/// One expansion, for progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// Actions from the start to the expanded position.
    pub line: Vec<String>,
    /// The value of the position from which the book is expanded, for the side that acts, after it.
    pub value: Option<Score>,
    /// Positions that were searched.
    pub searches: usize,
}

/// A position and how to get there.
struct Reached {
    line: Vec<String>,
    game: Box<dyn AnyMatch>,
}

impl Expander {
    /// Expands a book.
    ///
    /// # Errors
    /// The game has dice, the algorithm does not fit it, the actions cannot be played, or the book is of
    /// another game, variant or version of the program.
    pub fn new(rules: &'static dyn AnyGame, book: Book, plan: Plan) -> Result<Expander, BadInput> {
        if rules.has_dice() {
            let game = rules.name();
            return Err(BadInput(format!(
                "{game} has dice, expected a game without: its books are made from games"
            )));
        }
        rules.fits(plan.algorithm).map_err(BadInput)?;
        super::check("the book", &book, rules.id(), &book.variant)?;
        let (root, root_key) = root_of(rules, &book, &plan.actions)?;
        Ok(Expander {
            rules,
            book,
            plan,
            root,
            root_key,
            ahead: BTreeMap::new(),
            prepared: BTreeSet::new(),
        })
    }

    /// The book as it is now.
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// Expands one position. `None` if there is nothing left: the result is proven, or all lines of
    /// the book are played to the end.
    ///
    /// # Errors
    /// A search is impossible: too few nodes for one ply, too little memory.
    pub fn step(&mut self) -> Result<Option<Expansion>, BadInput> {
        let root = self.reach(&self.root)?;
        let mut searches = usize::from(self.ensure_searched(&*root.game)?);
        let Some(leaf) = self.leaves(1).pop() else {
            return Ok(None);
        };
        let reached = self.reach(&leaf)?;
        let key = reached.game.place().key;
        let mut lines = BTreeMap::new();
        for bits in self.candidates(&reached)? {
            let mut child = self.reach(&leaf)?;
            child.play(bits)?;
            searches += usize::from(self.ensure_searched(&*child.game)?);
            lines.insert(bits, child.game.place().key);
        }
        let known = self.book.entry(key, reached.game.side());
        known.expanded = true;
        for (bits, to) in lines {
            let line = Line {
                to,
                ..Line::default()
            };
            known.moves.entry(bits).or_insert(line);
        }
        self.book.made.insert(self.plan.in_words());
        Ok(Some(Expansion {
            line: reached.line,
            value: Values::of(&self.book).get(self.root_key),
            searches,
        }))
    }

    /// The leaves to search ahead for, at most `most`, as moves from the start; none if the next one
    /// is prepared.
    pub fn unprepared(&self, most: usize) -> Vec<Vec<u32>> {
        let is_prepared = |leaf: &Vec<u32>| {
            let reached = self.reach(leaf);
            reached.is_ok_and(|reached| self.prepared.contains(&reached.game.place().key))
        };
        let next = self.leaves(1);
        if next.iter().all(is_prepared) {
            return Vec::new();
        }
        let mut leaves = self.leaves(most);
        leaves.retain(|leaf| !is_prepared(leaf));
        leaves
    }

    /// Makes the searches for the expansion of a leaf.
    ///
    /// # Errors
    /// Those of [`Expander::step`].
    pub fn search_ahead(&self, leaf: &[u32]) -> Result<Ahead, BadInput> {
        let reached = self.reach(leaf)?;
        let mut ahead = Ahead {
            leaf: reached.game.place().key,
            found: Vec::new(),
        };
        for bits in self.candidates(&reached)? {
            let mut child = self.reach(leaf)?;
            child.play(bits)?;
            let place = child.game.place();
            if place.terminal.is_none() && !self.is_searched(place.key) {
                let Searched {
                    score,
                    solved,
                    best,
                    ..
                } = self.search(&*child.game)?;
                let position = child.game.position();
                ahead.found.push((position, score.value(), solved, best));
            }
        }
        Ok(ahead)
    }

    /// Takes searches that were made ahead by the same plan.
    pub fn prepare(&mut self, ahead: Ahead) {
        self.prepared.insert(ahead.leaf);
        for (position, score, solved, best) in ahead.found {
            let found = Searched {
                nodes: self.plan.nodes,
                solved,
                score: Score::from_value(score),
                best,
            };
            self.ahead.insert(position, found);
        }
    }

    /// The position after these moves, as canonical bits.
    fn reach(&self, moves: &[u32]) -> Result<Reached, BadInput> {
        let mut reached = Reached {
            line: Vec::new(),
            game: start(self.rules, &self.book)?,
        };
        moves.iter().try_for_each(|&bits| reached.play(bits))?;
        Ok(reached)
    }

    /// The cheapest lines to positions that can be expanded, at most `most`, by the algorithm of
    /// Dijkstra. Equal costs are decided by the keys.
    fn leaves(&self, most: usize) -> Vec<Vec<u32>> {
        let values = Values::of(&self.book);
        let mut leaves = Vec::new();
        let mut open = BinaryHeap::from([Reverse((0_u64, self.root_key, None))]);
        let mut before: BTreeMap<u64, Option<(u64, u32)>> = BTreeMap::new();
        while let Some(Reverse((cost, key, from))) = open.pop() {
            if before.contains_key(&key) {
                continue;
            }
            before.insert(key, from);
            let Some(known) = self.book.positions.get(&key) else {
                continue;
            };
            if !known.expanded {
                if is_open(known) {
                    leaves.push([&self.root[..], &line_to(&before, key)].concat());
                }
                if leaves.len() == most {
                    break;
                }
                continue;
            }
            let best = values.get(key);
            if best.is_none_or(Score::is_proven) {
                continue;
            }
            for (&bits, line) in &known.moves {
                let value = values.after(&self.book, known.side, line.to);
                if let (Some(best), Some(value)) = (best, value) {
                    let loss = (best.value() - value.value()).max(0) as u64;
                    let cost = cost + u64::from(self.plan.ply_points) + loss;
                    open.push(Reverse((cost, line.to, Some((key, bits)))));
                }
            }
        }
        leaves
    }

    /// The moves to add to a position, as canonical bits: those that the book knows, that of its
    /// search, then the best before a search.
    fn candidates(&self, reached: &Reached) -> Result<Vec<u32>, BadInput> {
        let known = self.book.positions.get(&reached.game.place().key);
        let is_legal = |bits: &u32| !reached.game.actions_of(*bits).is_empty();
        let mut candidates: Vec<u32> = known
            .map(|known| known.moves.keys().copied().filter(is_legal).collect())
            .unwrap_or_default();
        let searched = known.and_then(|known| known.searched);
        let mut added = Vec::new();
        added.extend(searched.map(|found| found.best).filter(is_legal));
        for action in reached.game.ranked() {
            if added.len() >= self.plan.width {
                break;
            }
            let bits = reached.game.bits_of(&action);
            let bits = bits.map_err(|error| BadInput(format!("{action}: {error}")))?;
            if !added.contains(&bits) {
                added.push(bits);
            }
        }
        added.retain(|bits| !candidates.contains(bits));
        candidates.extend(added);
        Ok(candidates)
    }

    /// Searches a position, unless the book has a search of it that is as long. Returns whether it
    /// has searched.
    fn ensure_searched(&mut self, game: &dyn AnyMatch) -> Result<bool, BadInput> {
        let place = game.place();
        if self.is_searched(place.key) {
            return Ok(false);
        }
        let found = match (place.terminal, self.ahead.remove(&game.position())) {
            (Some(score), _) => Searched {
                nodes: 0,
                solved: true,
                score,
                best: 0,
            },
            (None, Some(found)) => found,
            (None, None) => self.search(game)?,
        };
        self.book.entry(place.key, place.side).searched = Some(found);
        Ok(place.terminal.is_none())
    }

    /// Whether the book has a search of a position that is long enough.
    fn is_searched(&self, key: u64) -> bool {
        let known = self.book.positions.get(&key);
        let searched = known.and_then(|known| known.searched);
        searched.is_some_and(|found| found.solved || found.nodes >= self.plan.nodes)
    }

    fn search(&self, game: &dyn AnyMatch) -> Result<Searched, BadInput> {
        let request = Request {
            algorithm: self.plan.algorithm.into(),
            depth: None,
            nodes: Some(self.plan.nodes),
            time: None,
            as_played: true,
            table_mb: self.plan.table_mb,
            seed: self.plan.seed,
        };
        let position = game.position();
        let wrong = |message: String| BadInput(format!("{position}: {message}"));
        let found = self.rules.search(&self.book.variant, &position, &request);
        let found = found.map_err(|error| wrong(error.to_string()))?;
        let too_few = || {
            let nodes = self.plan.nodes;
            wrong(format!("--nodes {nodes} are too few to search one ply"))
        };
        let last = found.steps.last().ok_or_else(too_few)?;
        let best = game.bits_of(&last.best);
        Ok(Searched {
            nodes: self.plan.nodes,
            solved: found.solved,
            score: last.score,
            best: best.map_err(|error| wrong(error.to_string()))?,
        })
    }
}

impl Reached {
    /// Plays a move of the book.
    fn play(&mut self, bits: u32) -> Result<(), BadInput> {
        let wrong = |message: String| BadInput(format!("after {:?}: {message}", self.line));
        let actions = self.game.actions_of(bits);
        let action = actions.into_iter().next();
        let action = action.ok_or_else(|| {
            wrong(format!(
                "move {bits} of the book is not legal, expected a book of this program"
            ))
        })?;
        let played = self.game.play_words(&action);
        played.map_err(|error| wrong(error.to_string()))?;
        self.line.push(action);
        Ok(())
    }
}

fn start(rules: &dyn Rules, book: &Book) -> Result<Box<dyn AnyMatch>, BadInput> {
    let start = rules.start(&book.variant);
    start.map_err(|error| BadInput(format!("variant: {error}")))
}

/// The moves of actions and turns from the start, separated by spaces, and the key of the position
/// after them.
fn root_of(rules: &dyn Rules, book: &Book, actions: &str) -> Result<(Vec<u32>, u64), BadInput> {
    let mut game = start(rules, book)?;
    let mut moves = Vec::new();
    for word in actions.split_whitespace() {
        let steps = game.play_steps(word);
        let steps = steps.map_err(|error| BadInput(format!("--actions: {word}: {error}")))?;
        moves.extend(steps.into_iter().map(|step| step.bits));
    }
    Ok((moves, game.place().key))
}

/// Whether a position that is not expanded can be: its result is not known yet.
fn is_open(known: &Known) -> bool {
    known
        .searched
        .is_none_or(|found| !found.solved && !found.score.is_proven())
}

/// The moves to a position, from where each position was reached.
fn line_to(before: &BTreeMap<u64, Option<(u64, u32)>>, key: u64) -> Vec<u32> {
    let mut line = Vec::new();
    let mut at = key;
    while let Some(Some((from, bits))) = before.get(&at) {
        line.push(*bits);
        at = *from;
    }
    line.reverse();
    line
}
