//! Notices that the engines of a league have been rebuilt.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use base::error::BadInput;
use base::program::this_program;
use task::{EngineSpec, GameTask};

use crate::builds::Builds;
use crate::config::{Config, EngineConfig};
use crate::identity::Granted;
use crate::results::standings::Standings;
use crate::results::summary::name_of_build;

/// The engines of a league, and their builds when it was opened.
#[derive(Debug)]
pub(super) struct Engines {
    engines: Vec<EngineConfig>,
    builds: Builds,
    /// The program of built-in engines.
    referee: PathBuf,
    /// By the engine's name.
    expected: BTreeMap<String, String>,
    /// The same for the files and folders that they are granted.
    granted: BTreeMap<String, Granted>,
    /// Whether engines may change.
    may_change: bool,
    /// The first engine that has changed since, in words.
    changed: Mutex<Option<String>>,
}

impl Engines {
    /// The engines as they are now.
    pub(super) fn of(config: &Config, may_change: bool) -> Result<Engines> {
        let (builds, referee) = (Builds::default(), this_program()?);
        let engines = config.engines.iter();
        let expected = engines.clone();
        let expected = expected.map(|engine| (engine.name.clone(), builds.of(engine, &referee)));
        let granted = engines.map(|engine| (engine.name.clone(), Granted::of(engine)));
        Ok(Engines {
            expected: expected.collect(),
            granted: granted.collect(),
            engines: config.engines.clone(),
            builds,
            referee,
            may_change,
            changed: Mutex::default(),
        })
    }

    /// The name of an engine in the standings: with its build, if builds are told apart.
    pub(super) fn row_of(&self, name: String) -> String {
        match self.expected.get(&name) {
            Some(build) if self.may_change => name_of_build(&name, build),
            _ => name,
        }
    }

    /// Refuses a log in which an engine played with another build.
    pub(super) fn refuse_others(&self, standings: &Standings, log: &Path) -> Result<(), BadInput> {
        if self.may_change {
            return Ok(());
        }
        for (name, now) in &self.expected {
            let row = standings.all.row(name);
            let other = row.and_then(|row| row.builds.iter().find(|&build| build != now));
            if let Some(other) = other.filter(|_| !now.is_empty()) {
                return Err(BadInput(format!(
                    "{}: engine {name} was build {other} and is build {now} now, expected the \
                     same files{CHOICES}",
                    log.display()
                )));
            }
        }
        Ok(())
    }

    /// The task with the builds of its engines; `None` if one, or what it is granted, has changed and
    /// may not.
    pub(super) fn stamp(&self, mut task: GameTask) -> Option<GameTask> {
        for spec in [&mut task.first, &mut task.second] {
            let engine = self.engines.iter().find(|engine| engine.name == spec.name);
            let engine = engine.expect("the plan takes its engines from the league file");
            spec.build = self.builds.of(engine, &self.referee);
        }
        let change = [&task.first, &task.second]
            .into_iter()
            .find_map(|engine| self.change(engine));
        if let Some(change) = change.filter(|_| !self.may_change) {
            *self.changed.lock().unwrap_or_else(PoisonError::into_inner) = Some(change);
            return None;
        }
        Some(task)
    }

    /// How an engine differs from when the league was opened, in words; `None` if it does not.
    fn change(&self, engine: &EngineSpec) -> Option<String> {
        let EngineSpec { name, build, .. } = engine;
        if self.expected.get(name) != Some(build) {
            return Some(format!(
                "the files of engine {name} changed while the league ran"
            ));
        }
        let path = self.granted.get(name)?.exchanged()?;
        Some(format!(
            "{}, which engine {name} is granted, is not what was there when the league began",
            path.display()
        ))
    }

    /// The first engine that has changed since the league was opened, in words.
    pub(super) fn changed(&self) -> Option<String> {
        self.changed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// What the user can do when an engine has been rebuilt.
pub(super) const CHOICES: &str = ". Restore the files; or go on with --rebuilt, which tells both \
                                  builds apart in the tables; or play anew in another folder, \
                                  with --out";
