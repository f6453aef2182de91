//! Rules about files and signals by Landlock, where an engine cannot have namespaces of its own.

use std::io;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
};

use super::grants::{self, Grants};

/// The newest Landlock version whose access rights and scopes are requested; older kernels ignore
/// what they do not support.
const NEWEST: ABI = ABI::V6;

/// Rules that a process can enter.
pub(super) struct Rules(Option<RulesetCreated>);

impl Rules {
    /// An engine may use the files of the system and its grants, and write to `scratch`; it may
    /// send signals only to its own processes.
    pub(super) fn new(grants: &Grants, scratch: &Path) -> io::Result<Rules> {
        let rules = rules(grants, scratch).map_err(io::Error::other)?;
        Ok(Rules(Some(rules)))
    }

    /// Confines the calling thread and its future children. Only makes system calls.
    pub(super) fn enter(&mut self) -> io::Result<()> {
        let Some(rules) = self.0.take() else {
            return Ok(());
        };
        let entered = rules.restrict_self();
        entered.map_err(|_| io::Error::from(io::ErrorKind::PermissionDenied))?;
        Ok(())
    }
}

fn rules(grants: &Grants, scratch: &Path) -> Result<RulesetCreated, RulesetError> {
    let read = AccessFs::from_read(NEWEST);
    let device = AccessFs::ReadFile | AccessFs::WriteFile;
    let write = grants.write.iter().map(AsRef::as_ref).chain([scratch]);
    Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?
        .add_rules(path_beneath_rules(grants::system(), read))?
        .add_rules(path_beneath_rules(["/proc"], read))?
        .add_rules(path_beneath_rules(&grants.read, read))?
        .add_rules(path_beneath_rules(grants::DEVICES, device))?
        .add_rules(path_beneath_rules(write, AccessFs::from_all(NEWEST)))
}

/// What this kernel's Landlock does not cover, one line each.
pub(super) fn lacking() -> Vec<&'static str> {
    let has = |ruleset: Result<Ruleset, RulesetError>| ruleset.and_then(Ruleset::create).is_ok();
    let strict = || Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let files = |abi| has(strict().handle_access(AccessFs::from_all(abi)));
    let mut lines = Vec::new();
    if !files(ABI::V1) {
        lines.push("files: the kernel has no Landlock");
    } else if !files(ABI::V3) {
        lines.push("truncating files: the kernel's Landlock is older than version 3");
    }
    if !has(strict().scope(Scope::Signal)) {
        lines.push("signals to others: the kernel's Landlock is older than version 6");
    }
    lines
}
