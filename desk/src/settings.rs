//! What is agreed before a session: the game, who sits where, the clocks, and who may do what.

use base::error::BadInput;
use catalog::{AnyGame, Rules};
use jiff::SignedDuration;
use league::config::check_clock;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use task::clock::ClockSpec;
use task::{EngineSpec, opening};

/// The longest name of a seat, event or place, in characters.
const LONGEST_NAME: usize = 100;

/// The most wins that a series can be played to.
const MOST_WINS: u32 = 50;

/// Games with terms of their own in the collegiate contest; all others have [`COMMON`].
const CONTEST: [(&str, Terms); 2] = [
    (
        "hex",
        Terms {
            minutes: 30,
            wins: 1,
        },
    ),
    (
        "einstein",
        Terms {
            minutes: 4,
            wins: 4,
        },
    ),
];

const COMMON: Terms = Terms {
    minutes: 15,
    wins: 1,
};

/// What the collegiate contest sets for a meeting in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Sudden death for one side, in minutes.
    pub minutes: u32,
    /// How many wins decide.
    pub wins: u32,
}

impl Terms {
    /// Those of a game.
    pub fn of(rules: &dyn Rules) -> Terms {
        let own = CONTEST.iter().find(|(id, _)| *id == rules.id());
        own.map_or(COMMON, |&(_, terms)| terms)
    }
}

/// The settings of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Id of the game: `hex`.
    pub game: String,
    /// The variant; [`Settings::check`] fills in its defaults.
    #[serde(default = "empty")]
    pub variant: Value,
    /// What is on the board at the beginning, as an [`opening::Opening`]; empty for nothing.
    #[serde(default)]
    pub opening: String,
    /// A and B. A is `First` in games 1, 4, 5, 8, … of a series.
    pub seats: [Seat; 2],
    /// The clock of every seat that has no clock of its own. It is per game.
    pub clock: ClockSpec,
    /// How many wins decide the series; 1 for a single game. At most 2 × `wins` − 1 games are
    /// played.
    #[serde(default = "one")]
    pub wins: u32,
    /// Who rolls the dice.
    #[serde(default)]
    pub dice: Dice,
    /// What follows when a clock runs out.
    #[serde(default)]
    pub flag: Flag,
    /// Whether an engine's turn counts, and its clock stops, only when the operator has made the
    /// turn on the common board.
    #[serde(default)]
    pub confirm: bool,
    /// Whether turns that are taken back are listed as corrections. The thinking time of a corrected
    /// turn then stays used; otherwise the side gets it back.
    #[serde(default)]
    pub contest: bool,
    /// Whether the session begins paused, so that the clocks start with the first `resume`.
    #[serde(default)]
    pub wait: bool,
    /// The event, for the record.
    #[serde(default)]
    pub event: String,
    /// The place, for the record.
    #[serde(default)]
    pub place: String,
}

/// One side of the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seat {
    /// The team, as in the record.
    pub name: String,
    /// The engine that plays; `None` if the operator enters the turns.
    #[serde(default)]
    pub engine: Option<EngineSpec>,
    /// Its own clock, if it differs. A seat without an engine may have
    /// [none at all](ClockSpec::unlimited).
    #[serde(default)]
    pub clock: Option<ClockSpec>,
}

/// Who rolls the dice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dice {
    /// The program, from the seed of the game: a roll that is taken back comes again.
    #[default]
    Program,
    /// Somebody with a real die; the operator enters the faces.
    Operator,
}

/// What follows when a clock runs out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// The game is lost at once.
    #[default]
    Ends,
    /// It is shown, and the operator may claim it. The SAU platform does so.
    Shown,
}

fn empty() -> Value {
    json!({})
}

fn one() -> u32 {
    1
}

impl Settings {
    /// The rules and clocks of the contest for a game, between two seats.
    pub fn contest(rules: &dyn Rules, seats: [Seat; 2]) -> Settings {
        let terms = Terms::of(rules);
        Settings {
            dice: Dice::Operator,
            flag: Flag::Shown,
            confirm: true,
            contest: true,
            wait: true,
            wins: terms.wins,
            ..Settings::casual(rules, seats, sudden_death(terms.minutes))
        }
    }

    /// One game at home: the program rolls, turns may be taken back, the first clock starts at once.
    pub fn casual(rules: &dyn Rules, seats: [Seat; 2], clock: ClockSpec) -> Settings {
        Settings {
            game: rules.id().to_owned(),
            variant: empty(),
            opening: String::new(),
            seats,
            clock,
            wins: 1,
            dice: Dice::Program,
            flag: Flag::Ends,
            confirm: false,
            contest: false,
            wait: false,
            event: String::new(),
            place: String::new(),
        }
    }

    /// The rules of the game.
    ///
    /// # Errors
    /// There is no such game.
    pub fn rules(&self) -> Result<&'static dyn AnyGame, BadInput> {
        let known = || catalog::ids().join(", ");
        let found = catalog::find(&self.game);
        found.ok_or_else(|| BadInput(format!("game {:?}, expected one of {}", self.game, known())))
    }

    /// Checks the settings, and fills in the defaults of the variant.
    ///
    /// # Errors
    /// The first setting that cannot be: which, what was found, and what was expected.
    pub fn check(mut self) -> Result<Settings, BadInput> {
        let rules = self.rules()?;
        let variant = rules.complete_variant(&self.variant);
        self.variant = variant.map_err(|error| BadInput(format!("variant: {error}")))?;
        let game = opening::begin(rules, &self.variant, &self.opening).map_err(BadInput)?;
        if game.outcome().is_some() {
            let message = "opening: the game is over, expected one that can be played";
            return Err(BadInput(message.to_owned()));
        }
        if !(1..=MOST_WINS).contains(&self.wins) {
            let wins = self.wins;
            return Err(BadInput(format!("wins {wins}, expected 1 to {MOST_WINS}")));
        }
        check_text("event", &self.event)?;
        check_text("place", &self.place)?;
        self.check_seats(rules)?;
        Ok(self)
    }

    fn check_seats(&self, rules: &dyn Rules) -> Result<(), BadInput> {
        for (letter, seat) in ["A", "B"].into_iter().zip(&self.seats) {
            check_text(&format!("name of {letter}"), &seat.name)?;
            if seat.name.trim().is_empty() {
                return Err(BadInput(format!("name of {letter}: empty, expected one")));
            }
            if let Some(engine) = &seat.engine {
                let announced = rules.announce(engine.protocol, &self.variant);
                announced.map_err(|error| BadInput(format!("engine of {letter}: {error}")))?;
            }
            let clock = seat.clock.unwrap_or(self.clock);
            if seat.engine.is_none() && clock == ClockSpec::unlimited() {
                continue;
            }
            check_clock(&clock)
                .map_err(|(_, fault)| BadInput(format!("clock of {letter}: {fault}")))?;
        }
        let [a, b] = &self.seats;
        if a.name == b.name {
            let message = format!("both seats are named {:?}, expected two names", a.name);
            return Err(BadInput(message));
        }
        Ok(())
    }

    /// The clock of a seat.
    pub fn clock_of(&self, seat: usize) -> ClockSpec {
        self.seats[seat].clock.unwrap_or(self.clock)
    }
}

/// A clock of this many minutes for the whole game.
pub fn sudden_death(minutes: u32) -> ClockSpec {
    ClockSpec {
        base: Some(SignedDuration::from_mins(minutes.into())),
        ..ClockSpec::default()
    }
}

/// Refuses a text that does not fit on a line of a record.
fn check_text(what: &str, text: &str) -> Result<(), BadInput> {
    if text.chars().count() > LONGEST_NAME || text.chars().any(char::is_control) {
        let message =
            format!("{what} {text:?}, expected at most {LONGEST_NAME} characters on one line");
        return Err(BadInput(message));
    }
    Ok(())
}
