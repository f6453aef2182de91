//! With what a game is reviewed.

use std::time::Duration;

use catalog::{AnyGame, Means, Spend};
use engine_core::{Algorithm, StopFlag};
use serde::{Deserialize, Serialize};

/// With what a game is reviewed. Reviews with equal plans are the same but for the times of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The search, by its name.
    pub engine: String,
    /// Time of a position, ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_time: Option<u64>,
    /// Nodes or playouts of a position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth of a position, plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Memory of each search's table, MiB.
    pub table_mb: u32,
    /// Seed of everything random.
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            engine: Algorithm::Best.name().to_owned(),
            move_time: Some(1000),
            nodes: None,
            depth: None,
            table_mb: 64,
            seed: 1,
        }
    }
}

impl Plan {
    /// The search of a game.
    ///
    /// # Errors
    /// It is not known, does not fit the game, or has no depth to be limited.
    pub(crate) fn means(&self, game: &dyn AnyGame) -> Result<Means, String> {
        let algorithm = self.algorithm(game)?;
        game.fits(algorithm)?;
        if self.depth.is_some() && !algorithm.deepens() {
            let name = algorithm.name();
            return Err(format!("{name} has no depth, expected a time or nodes"));
        }
        Ok(Means {
            search: algorithm.into(),
            table_mb: self.table_mb as usize,
            seed: self.seed,
        })
    }

    fn algorithm(&self, game: &dyn AnyGame) -> Result<Algorithm, String> {
        Ok(match Algorithm::find(&self.engine)? {
            Algorithm::Best => game.best(),
            known => known,
        })
    }

    /// Whether the search of a game goes deeper ply by ply.
    pub(crate) fn deepens(&self, game: &dyn AnyGame) -> bool {
        let algorithm = self.algorithm(game);
        algorithm.is_ok_and(|algorithm| algorithm.deepens())
    }

    /// What a position may cost.
    pub(crate) fn spend(&self, stop: &StopFlag) -> Spend {
        Spend {
            depth: self.depth,
            nodes: self.nodes,
            time: self.move_time.map(Duration::from_millis),
            stop: stop.clone(),
        }
    }
}
