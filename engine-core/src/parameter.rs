//! Named parameters: the numbers of a search or an evaluation that a user or a tuner may set.
//!
//! Those of the searches are listed here, with their defaults from a game's [`Settings`]; those of
//! an evaluation are the game's own, made by [`weights!`](crate::weights).

use std::fmt;

use crate::settings::Settings;

/// The values that a parameter takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Whole numbers.
    Integer,
    /// Real numbers.
    Real,
    /// `true`, as the number 1, or `false`, as 0.
    Switch,
}

/// A parameter: its name, its range, and its default in a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parameter {
    /// The name: `search.aspiration`, `evaluation.piece`.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub about: &'static str,
    /// The values that it takes.
    pub kind: Kind,
    /// The value that engines use if none is set.
    pub default: f64,
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
}

impl Parameter {
    /// Reads a value of this parameter.
    ///
    /// # Errors
    /// Text that is no such value, or one outside the range: what was found and what was expected.
    pub fn parse(&self, text: &str) -> Result<f64, String> {
        let parsed = match (self.kind, text) {
            (Kind::Switch, "true") => Ok(1.0),
            (Kind::Switch, "false") => Ok(0.0),
            _ => text.parse().map_err(|_| self.expected(text)),
        };
        self.check(parsed?).map_err(|_| self.expected(text))
    }

    /// Checks a value.
    ///
    /// # Errors
    /// It is outside the range, or not whole where it must be: what was found and expected.
    pub fn check(&self, value: f64) -> Result<f64, String> {
        let fits = self.kind == Kind::Real || value.fract() == 0.0;
        if fits && (self.min..=self.max).contains(&value) {
            Ok(value)
        } else {
            Err(self.expected(&value.to_string()))
        }
    }

    fn expected(&self, found: &str) -> String {
        let Parameter { name, min, max, .. } = self;
        match self.kind {
            Kind::Integer => {
                format!("{name} = {found}, expected a whole number from {min} to {max}")
            }
            Kind::Real => format!("{name} = {found}, expected a number from {min} to {max}"),
            Kind::Switch => format!("{name} = {found}, expected true or false"),
        }
    }

    /// Writes a value of this parameter so that [`Parameter::parse`] reads the same value.
    pub fn write(&self, value: f64) -> impl fmt::Display {
        Written(self.kind, value)
    }
}

/// A value as text.
struct Written(Kind, f64);

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Written(Kind::Switch, value) => write!(f, "{}", *value != 0.0),
            Written(_, value) => write!(f, "{value}"),
        }
    }
}

/// A type of a weight in [`weights!`](crate::weights).
pub trait Weight {
    /// The values that it takes.
    const KIND: Kind;
}

impl Weight for i32 {
    const KIND: Kind = Kind::Integer;
}

impl Weight for f32 {
    const KIND: Kind = Kind::Real;
}

/// Declares the weights of an evaluation: a struct of `i32` and `f32`, each with what it is on one
/// line, its default and its range. It has `DEFAULT`; `PARAMETERS`, named `evaluation.` and the field; and
/// `of`, which makes weights of values of these, in order.
///
/// ```
/// engine_core::weights! {
///     /// Weights in points.
///     pub struct Weights {
///         /// A piece.
///         piece: i32 = 100, 20 to 400;
///     }
/// }
/// assert_eq!(Weights::of(&[120.0]).piece, 120);
/// assert_eq!(Weights::PARAMETERS[0].name, "evaluation.piece");
/// ```
#[macro_export]
macro_rules! weights {
    (
        $(#[$outer:meta])*
        $visible:vis struct $name:ident {
            $(#[doc = $about:literal] $field:ident: $kind:ty = $default:literal, $min:literal to $max:literal;)*
        }
    ) => {
        $(#[$outer])*
        #[derive(Clone, Copy, PartialEq, Debug)]
        $visible struct $name {
            $(#[doc = $about] $field: $kind,)*
        }

        impl $name {
            /// The weights that engines use if none are set.
            pub const DEFAULT: $name = $name { $($field: $default,)* };

            /// The weights as parameters, in the order of their declaration.
            pub const PARAMETERS: &'static [$crate::parameter::Parameter] = &[
                $($crate::parameter::Parameter {
                    name: concat!("evaluation.", stringify!($field)),
                    about: $about.trim_ascii(),
                    kind: <$kind as $crate::parameter::Weight>::KIND,
                    default: $default as f64,
                    min: $min as f64,
                    max: $max as f64,
                },)*
            ];

            /// The weights of these values of `PARAMETERS`, in order.
            ///
            /// # Panics
            /// If there are fewer values.
            pub fn of(values: &[f64]) -> $name {
                let mut values = values.iter();
                $name {
                    $($field: *values.next().expect("a value for every weight") as $kind,)*
                }
            }
        }

        impl Default for $name {
            fn default() -> $name {
                $name::DEFAULT
            }
        }
    };
}

/// A parameter of the searches.
struct Field {
    name: &'static str,
    about: &'static str,
    kind: Kind,
    min: f64,
    max: f64,
    get: fn(&Settings) -> f64,
    set: fn(&mut Settings, f64),
}

/// Entries of [`FIELDS`]: name, kind, range, meaning, place in the settings.
macro_rules! fields {
    ($($name:literal $kind:ident $min:literal to $max:literal $about:literal, $($place:ident).+;)*) => {
        &[$(Field {
            name: $name,
            about: $about,
            kind: Kind::$kind,
            min: $min as f64,
            max: $max as f64,
            get: |settings| fields!(get $kind settings.$($place).+),
            set: |settings, value| fields!(set $kind value, settings.$($place).+),
        },)*]
    };
    (get Integer $place:expr) => { f64::from($place) };
    (get Real $place:expr) => { shortest($place) };
    (get Switch $place:expr) => { f64::from(u8::from($place)) };
    (set Integer $value:ident, $place:expr) => { $place = $value as _ };
    (set Real $value:ident, $place:expr) => { $place = $value as f32 };
    (set Switch $value:ident, $place:expr) => { $place = $value != 0.0 };
}

/// The number with the shortest text that is read as this `f32`: 0.1 for 0.1, not 0.10000000149.
fn shortest(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}

/// The largest [`Settings::candidate_limit`] that can be set: more moves than any node has.
const MAX_CANDIDATES: f64 = 4096.0;

/// The parameters of all searches that are numbers or switches, except those that are options.
const FIELDS: &[Field] = fields! {
    "search.aspiration" Integer 1 to 10000 "Half the size of the first aspiration window, points", search.aspiration;
    "search.counter_moves" Switch 0 to 1 "Tries the last reply that caused a cutoff early", search.counter_moves;
    "search.continuation" Switch 0 to 1 "Also ranks moves by the action before them", search.continuation;
    "search.star2" Switch 0 to 1 "Probes chance nodes before they are searched", search.star2;
    "search.late_move_reduction" Real 0 to 4 "Factor of the reductions of late moves; 0 for none", search.selectivity.late_move_reduction;
    "search.cutoff_reduction" Real 0 to 4 "Plies added to these where a cutoff is expected", search.selectivity.cutoff_reduction;
    "search.falling_reduction" Real 0 to 4 "Plies added to these where the evaluation has fallen", search.selectivity.falling_reduction;
    "search.late_move_pruning" Integer 0 to 16 "Depth up to which late quiet moves are not searched; 0 for off", search.selectivity.late_move_pruning;
    "search.null_move" Integer 0 to 16 "Plies by which the search after a pass is shallower; 0 for off", search.selectivity.null_move;
    "search.futility" Integer 0 to 10000 "Margin for each ply below which quiet moves are pruned, points; 0 for off", search.selectivity.futility;
    "search.reverse_futility" Integer 0 to 10000 "Margin for each ply above which nodes are cut, points; 0 for off", search.selectivity.reverse_futility;
    "search.razoring" Integer 0 to 10000 "Margin for each ply below which nodes near the leaves are not searched, points; 0 for off", search.selectivity.razoring;
    "search.internal_reduction" Integer 0 to 64 "Depth from which nodes without a table move are searched a ply shallower; 0 for off", search.selectivity.internal_reduction;
    "search.probcut" Integer 0 to 10000 "Margin above which a shallower search cuts a node, points; 0 for off", search.selectivity.probcut;
    "search.singular" Integer 0 to 64 "Depth from which a move that alone is good is searched a ply deeper; 0 for off", search.selectivity.singular;
    "search.correction" Real 0 to 2 "Part of the mean error of evaluations by which they are corrected; 0 for none", search.selectivity.correction;
    "search.history_reduction" Real 0 to 8 "Plies by which the reductions of late moves depend on their history", search.selectivity.history_reduction;
    "search.quiescence" Integer 0 to 64 "Plies of forcing moves beyond the leaves; 0 for off", search.selectivity.quiescence;
    "search.win_depth" Integer 0 to 64 "Depth from which a game's own search looks for certain wins; 0 for off", search.selectivity.win_depth;
    "search.widening" Integer 0 to 64 "Depth from which all moves are searched where all candidates lose; 0 for off", search.selectivity.widening;
    "search.extend_forced" Integer 0 to 1000 "Searches nodes with at most so many forced moves a ply deeper; 0 for off", search.selectivity.extend_forced;
    "tree.exploration" Real 0 to 10 "Exploration constant, points of a game", tree.exploration;
    "tree.expand_after" Integer 1 to 10000 "Playouts of a leaf before it is expanded", tree.expand_after;
    "tree.prior_playouts" Integer 0 to 10000 "Weight of the evaluation in a new node, playouts; 0 for none", tree.prior_playouts;
    "tree.widening" Real 0 to 100 "Factor of progressive widening; 0 for off", tree.widening;
    "tree.bias" Real 0 to 100 "Factor of progressive bias; 0 for off", tree.bias;
    "tree.implicit" Real 0 to 1 "Weight of implicit minimax backups; 0 for off", tree.implicit;
    "tree.last_good_reply" Switch 0 to 1 "Playouts repeat replies that won", tree.last_good_reply;
    "tree.proof_share" Real 0 to 0.9 "Share of the work for a proof search or a solver beside the tree; 0 for none", tree.proof_share;
};

/// Parameters for which 0 means none.
const OPTIONAL: &[Field] = &[
    Field {
        name: "candidate_limit",
        about: "Candidates of the evaluation that are searched at a node; 0 for all moves",
        kind: Kind::Integer,
        min: 0.0,
        max: MAX_CANDIDATES,
        get: |settings| match settings.candidate_limit {
            Some(limit) => (limit as f64).min(MAX_CANDIDATES),
            None => 0.0,
        },
        set: |settings, value| settings.candidate_limit = (value > 0.0).then_some(value as usize),
    },
    Field {
        name: "tree.rave",
        about: "Bias of the RAVE values, points of a game; 0 for no RAVE",
        kind: Kind::Real,
        min: 0.0,
        max: 10.0,
        get: |settings| settings.tree.rave.map_or(0.0, shortest),
        set: |settings, value| settings.tree.rave = (value > 0.0).then_some(value as f32),
    },
    Field {
        name: "tree.early",
        about: "Plies after which the evaluation ends a playout; 0 for playouts to the end",
        kind: Kind::Integer,
        min: 0.0,
        max: 10_000.0,
        get: |settings| settings.tree.early.map_or(0.0, f64::from),
        set: |settings, value| settings.tree.early = (value > 0.0).then_some(value as u32),
    },
];

fn fields() -> impl Iterator<Item = &'static Field> {
    OPTIONAL.iter().chain(FIELDS)
}

impl Settings {
    /// The parameters of the searches, with the values of these settings as defaults.
    pub fn parameters(&self) -> Vec<Parameter> {
        let parameter = |field: &Field| Parameter {
            name: field.name,
            about: field.about,
            kind: field.kind,
            default: (field.get)(self),
            min: field.min,
            max: field.max,
        };
        fields().map(parameter).collect()
    }

    /// Sets a parameter of the searches to a value in its range. Returns whether there is a
    /// parameter with this name.
    pub fn set(&mut self, name: &str, value: f64) -> bool {
        let field = fields().find(|field| field.name == name);
        if let Some(field) = field {
            (field.set)(self, value);
        }
        field.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_is_set_to_what_it_was() {
        let mut settings = Settings {
            candidate_limit: Some(9),
            ..Settings::default()
        };
        settings.tree.rave = Some(0.1);
        settings.tree.early = Some(3);
        let before = settings.clone();
        for parameter in before.parameters() {
            assert!(parameter.check(parameter.default).is_ok(), "{parameter:?}");
            assert!(settings.set(parameter.name, parameter.default));
            assert_eq!(settings, before, "{}", parameter.name);
        }
        assert!(!settings.set("search.no_such", 1.0));
    }

    #[test]
    fn every_parameter_has_a_field_of_its_own() {
        for parameter in Settings::default().parameters() {
            let mut settings = Settings::default();
            assert!(settings.set(parameter.name, parameter.max));
            for other in settings.parameters() {
                let changed = other.name == parameter.name;
                let expected = if changed {
                    parameter.max
                } else {
                    defaults(other.name)
                };
                assert_eq!(
                    other.default, expected,
                    "{} and {}",
                    parameter.name, other.name
                );
            }
        }
    }

    fn defaults(name: &str) -> f64 {
        let all = Settings::default().parameters();
        all.iter()
            .find(|known| known.name == name)
            .expect("a parameter")
            .default
    }

    #[test]
    fn values_are_read_as_they_are_written_and_ranges_are_told() {
        let real = Parameter {
            name: "evaluation.piece",
            about: "",
            kind: Kind::Real,
            default: 0.1,
            min: -1.0,
            max: 1.5,
        };
        for value in [0.1, -1.0, 1.5, 1.0 / 3.0] {
            assert_eq!(real.parse(&real.write(value).to_string()), Ok(value));
        }
        for text in ["1.6", "NaN", "inf", "x", "", "true"] {
            let message = format!("evaluation.piece = {text}, expected a number from -1 to 1.5");
            assert_eq!(real.parse(text), Err(message));
        }
        let integer = Parameter {
            kind: Kind::Integer,
            ..real
        };
        assert!(
            integer
                .parse("0.5")
                .unwrap_err()
                .contains("expected a whole number")
        );
        let switch = Parameter {
            kind: Kind::Switch,
            min: 0.0,
            max: 1.0,
            ..real
        };
        assert_eq!(
            (switch.parse("true"), switch.write(0.0).to_string()),
            (Ok(1.0), "false".into())
        );
        assert!(
            switch
                .parse("yes")
                .unwrap_err()
                .contains("expected true or false")
        );
    }
}
