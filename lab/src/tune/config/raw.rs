//! Tuning files as they are written, and where their faults are.

use std::fmt::Display;
use std::path::Path;

use base::error::BadInput;
use base::input;
use engine_core::Algorithm;
use serde::Deserialize;
use stats::sprt::Model;
use toml::{Spanned, Table};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Raw {
    pub(super) tune: RawTune,
    #[serde(default)]
    pub(super) spsa: RawSpsa,
    #[serde(default)]
    pub(super) texel: RawTexel,
    #[serde(default)]
    pub(super) sprt: RawSprt,
    #[serde(default)]
    pub(super) clock: Table,
    #[serde(default)]
    pub(super) openings: Table,
    #[serde(default)]
    pub(super) variant: Table,
    #[serde(default)]
    pub(super) parameter: Vec<Spanned<RawParameter>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawTune {
    pub(super) name: String,
    pub(super) game: Spanned<String>,
    pub(super) method: RawMethod,
    #[serde(default = "best")]
    pub(super) algorithm: Spanned<String>,
    #[serde(default = "one")]
    pub(super) seed: u32,
    #[serde(default = "one")]
    pub(super) concurrency: u32,
    #[serde(default = "table_mb")]
    pub(super) table_mb: u32,
}

fn best() -> Spanned<String> {
    Spanned::new(0..0, Algorithm::Best.name().to_owned())
}

fn one() -> u32 {
    1
}

fn table_mb() -> u32 {
    16
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RawMethod {
    Spsa,
    Texel,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawSpsa {
    pub(super) iterations: u32,
    pub(super) pairs: u32,
}

impl Default for RawSpsa {
    fn default() -> RawSpsa {
        RawSpsa {
            iterations: 1000,
            pairs: 4,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawTexel {
    pub(super) logs: Vec<String>,
    pub(super) skip: u32,
    pub(super) validation: f64,
    pub(super) regularisation: f64,
}

impl Default for RawTexel {
    fn default() -> RawTexel {
        RawTexel {
            logs: Vec::new(),
            skip: 4,
            validation: 0.2,
            regularisation: 0.001,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawSprt {
    pub(super) elo0: f64,
    pub(super) elo1: f64,
    pub(super) alpha: f64,
    pub(super) beta: f64,
    pub(super) model: Model,
    pub(super) rounds: u32,
    pub(super) clock: Option<Table>,
}

impl Default for RawSprt {
    fn default() -> RawSprt {
        RawSprt {
            elo0: 0.0,
            elo1: 10.0,
            alpha: 0.05,
            beta: 0.05,
            model: Model::default(),
            rounds: 1000,
            clock: None,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawParameter {
    pub(super) name: String,
    pub(super) start: Option<f64>,
    pub(super) min: Option<f64>,
    pub(super) max: Option<f64>,
    pub(super) c_end: Option<f64>,
    pub(super) r_end: Option<f64>,
}

/// The text of a tuning file, to say where its faults are.
pub(super) struct File<'t> {
    pub(super) path: &'t Path,
    pub(super) text: &'t str,
}

impl File<'_> {
    /// An error in the file.
    pub(super) fn error(&self, message: impl Display) -> BadInput {
        BadInput(format!("{}: {message}", input::shown(self.path)))
    }

    /// An error in the line of an offset.
    pub(super) fn error_at(&self, offset: usize, message: impl Display) -> BadInput {
        let line = 1 + self.text[..offset].matches('\n').count();
        BadInput(format!("{}:{line}: {message}", input::shown(self.path)))
    }
}
