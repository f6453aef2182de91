//! Schedulers: how a job is submitted, and whether it has ended.
//!
//! Each submits a script that a user can read, edit and submit by hand. Nothing of a scheduler is
//! linked: its programs are found by name.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use base::error::BadInput;
use engine_process::process::table;
use rustix::process::{
    Pid, Signal, kill_process_group, test_kill_process, test_kill_process_group,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A scheduler.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scheduler {
    /// HyperQueue: a task array (`hq submit`).
    HyperQueue,
    /// Slurm: a job array (`sbatch`).
    Slurm,
    /// GNU parallel, here or over ssh to the hosts of a file.
    Parallel,
}

impl Scheduler {
    /// All of them.
    pub const ALL: [Scheduler; 3] = [Scheduler::HyperQueue, Scheduler::Slurm, Scheduler::Parallel];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Scheduler::HyperQueue => "hyperqueue",
            Scheduler::Slurm => "slurm",
            Scheduler::Parallel => "parallel",
        }
    }

    /// What it is, for a list of them.
    pub const fn about(self) -> &'static str {
        match self {
            Scheduler::HyperQueue => "HyperQueue: a task array (`hq submit`)",
            Scheduler::Slurm => "Slurm: a job array (`sbatch`)",
            Scheduler::Parallel => "GNU parallel, here or over ssh to the hosts of a file",
        }
    }
}

/// Most characters of what a scheduler says that are told.
const LONGEST_FAULT: usize = 300;

/// Whether the script of a job, which runs in a session of its own, or one of its shards, has not ended.
/// The script begins the session a moment after its process, and its shards may outlive that process.
/// Where nobody reaps orphans, as in many containers, it stays behind as a zombie. After a reboot another
/// program may have its number; the script and the shards have the folder of the job in their commands.
fn is_running(leader: Pid, job: &Path) -> bool {
    if cfg!(target_os = "linux") {
        table::is_alive(leader, &job.to_string_lossy())
    } else {
        test_kill_process(leader).is_ok() || test_kill_process_group(leader).is_ok()
    }
}

/// What GNU parallel itself says of a job, in the folder of what its shards have told.
pub const OWN_WORDS: &str = "parallel.txt";

/// Runs a script in the background, in a session of its own, and prints its process.
const DETACHED: &str = r#"nohup setsid sh "$0" > /dev/null 2>&1 & echo $!"#;

/// What a script says of a job.
#[derive(Clone, Debug)]
pub struct Script<'j> {
    /// The name of the league.
    pub name: &'j str,
    /// The folder of the job, an absolute path.
    pub job: &'j Path,
    /// Number of shards.
    pub shards: usize,
    /// Cores that a shard needs.
    pub cores: u64,
    /// This program, an absolute path.
    pub referee: &'j Path,
    /// GNU parallel: the file with the names of the hosts; `None` for this host.
    pub hosts: Option<&'j Path>,
}

impl Scheduler {
    /// The program that submits a script.
    pub fn program(self) -> &'static str {
        match self {
            Scheduler::HyperQueue => "hq",
            Scheduler::Slurm => "sbatch",
            Scheduler::Parallel => "parallel",
        }
    }

    /// The most shards that it takes as one job: of Slurm one less than its `MaxArraySize`, which is
    /// 1001 unless the site says otherwise.
    pub fn most_shards(self) -> usize {
        if self != Scheduler::Slurm {
            return usize::MAX;
        }
        let output = Command::new("scontrol").args(["show", "config"]).output();
        let text = output.map_or(String::new(), |output| {
            String::from_utf8_lossy(&output.stdout).into_owned()
        });
        let mut lines = text.lines().filter_map(|line| line.split_once('='));
        let size = lines.find(|(key, _)| key.trim() == "MaxArraySize");
        let size = size.and_then(|(_, value)| value.trim().parse().ok());
        size.unwrap_or(1001_usize).saturating_sub(1).max(1)
    }

    /// The script that submits a job when it is run; of Slurm, the one that `sbatch` takes.
    ///
    /// # Errors
    /// A path has a NUL, which no script can have.
    pub fn script(self, script: &Script<'_>) -> io::Result<String> {
        let quote = |path: &Path| {
            let text = path.to_string_lossy();
            let quoted = shlex::try_quote(&text).map_err(io::Error::other)?;
            Ok::<String, io::Error>(quoted.into_owned())
        };
        let (job, referee) = (quote(script.job)?, quote(script.referee)?);
        let out = quote(&script.job.join("out"))?;
        let Script {
            shards,
            cores,
            name,
            ..
        } = script;
        let name = shlex::try_quote(name).map_err(io::Error::other)?;
        Ok(match self {
            Scheduler::HyperQueue => format!(
                "#!/bin/sh\n\
                 # Submits {shards} shards to HyperQueue: sh submit.sh\n\
                 exec hq \"$@\" submit --name {name} --array 1-{shards} --cpus {cores} \\\n    \
                 --stdout none --stderr {out}/%{{TASK_ID}}.txt \\\n    \
                 -- {referee} work {job}\n"
            ),
            Scheduler::Slurm => format!(
                "#!/bin/sh\n\
                 # Submits {shards} shards to Slurm: sbatch submit.sh\n\
                 #SBATCH --job-name={name}\n\
                 #SBATCH --array=1-{shards}\n\
                 #SBATCH --cpus-per-task={cores}\n\
                 #SBATCH --output={}/%a.txt\n\
                 #SBATCH --open-mode=append\n\
                 exec {referee} work {job} \"$SLURM_ARRAY_TASK_ID\"\n",
                // In a file name, Slurm reads more than this after a per cent sign.
                out.replace('%', "%%")
            ),
            Scheduler::Parallel => {
                // A shard that a host loses is tried again, on other hosts first.
                let hosts = match script.hosts {
                    Some(hosts) => format!(" --sshloginfile {} --retries 3", quote(hosts)?),
                    None => String::new(),
                };
                // A shell on the host reads the command once more.
                let command = format!("{referee} work {job} {{}} >> {out}/{{}}.txt 2>&1");
                let command = shlex::try_quote(&command).map_err(io::Error::other)?;
                format!(
                    "#!/bin/sh\n\
                     # Plays {shards} shards with GNU parallel: sh submit.sh\n\
                     seq {shards} | exec parallel --plain{hosts} --jobs {}% --workdir / \\\n    \
                     {command} 2> {out}/{OWN_WORDS}\n",
                    100 / cores.max(&1)
                )
            }
        })
    }

    /// Submits a script, and returns the name that the scheduler gives the job; of GNU parallel, its
    /// process, which goes on when this one ends.
    ///
    /// # Errors
    /// One line: the program is missing, or refuses the job.
    pub fn submit(self, script: &Path) -> Result<String, BadInput> {
        self.check_program()?;
        let (program, before, after): (_, &[&str], &[&str]) = match self {
            Scheduler::HyperQueue => ("sh", &[], &["--output-mode", "json"]),
            Scheduler::Slurm => ("sbatch", &["--parsable"], &[]),
            Scheduler::Parallel => ("sh", &["-c", DETACHED], &[]),
        };
        let output = Command::new(program)
            .args(before)
            .arg(script)
            .args(after)
            .output();
        let text = self.said(&output.map_err(|error| self.fault(&error.to_string()))?)?;
        let id = match self {
            Scheduler::HyperQueue => serde_json::from_str::<Value>(&text)
                .ok()
                .and_then(|facts| facts["id"].as_u64())
                .map(|id| id.to_string()),
            // Slurm adds its cluster after a semicolon.
            _ => text.trim().split(';').next().map(str::to_owned),
        };
        let id = id.filter(|id| !id.is_empty());
        id.ok_or_else(|| self.fault(&format!("no job in its answer {:?}", text.trim())))
    }

    /// Whether no shard of the job in a folder, an absolute path, is running or waiting any more.
    ///
    /// # Errors
    /// One line: the scheduler does not answer.
    pub fn has_ended(self, id: &str, job: &Path) -> Result<bool, BadInput> {
        let ask = |program: &str, words: &[&str]| {
            let output = Command::new(program).args(words).output();
            output.map_err(|error| BadInput(format!("{program}: {error}")))
        };
        match self {
            Scheduler::Parallel => {
                let process = id.parse().ok().and_then(Pid::from_raw);
                Ok(process.is_none_or(|process| !is_running(process, job)))
            }
            Scheduler::HyperQueue => {
                let output = ask("hq", &["--output-mode", "json", "job", "info", id])?;
                let text = self.said(&output)?;
                let facts: Value = serde_json::from_str(&text)
                    .map_err(|error| self.fault(&format!("{error} in its answer")))?;
                // A server that was started again knows no earlier jobs, unless it keeps a journal.
                if facts.as_array().is_some_and(Vec::is_empty) {
                    return Ok(true);
                }
                let stats = &facts[0]["info"]["task_stats"];
                let open = ["running", "waiting"].map(|state| stats[state].as_u64());
                match open {
                    [Some(running), Some(waiting)] => Ok(running + waiting == 0),
                    _ => Err(self.fault("its answer has no states of tasks")),
                }
            }
            Scheduler::Slurm => {
                let output = ask("squeue", &["--noheader", "--jobs", id])?;
                // A job that has ended is soon forgotten.
                if String::from_utf8_lossy(&output.stderr).contains("Invalid job id") {
                    return Ok(true);
                }
                let said = self.said(&output);
                let said =
                    said.map_err(|BadInput(said)| BadInput(said.replace("sbatch:", "squeue:")))?;
                Ok(said.trim().is_empty())
            }
        }
    }

    /// Cancels a job: its shards that wait do not start, and those that run are ended.
    ///
    /// # Errors
    /// One line: the scheduler does not answer.
    pub fn cancel(self, id: &str) -> Result<(), BadInput> {
        let words: [&str; 3] = match self {
            Scheduler::HyperQueue => ["hq", "job", "cancel"],
            Scheduler::Slurm => ["scancel", "--quiet", "--"],
            Scheduler::Parallel => {
                let session = id.parse().ok().and_then(Pid::from_raw);
                // It may have ended by itself.
                let _ = session.map(|session| kill_process_group(session, Signal::TERM));
                return Ok(());
            }
        };
        let output = Command::new(words[0]).args(&words[1..]).arg(id).output();
        let output = output.map_err(|error| self.fault(&error.to_string()))?;
        self.said(&output).map(drop)
    }

    /// Checks that the scheduler is installed.
    ///
    /// # Errors
    /// Its program is not found.
    pub fn check_program(self) -> Result<(), BadInput> {
        let program = self.program();
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let is_there = |folder: PathBuf| folder.join(program).is_file();
        if std::env::split_paths(&folders).any(is_there) {
            Ok(())
        } else {
            Err(BadInput(format!(
                "{program}: not found in PATH, expected {}",
                self.words()
            )))
        }
    }

    fn words(self) -> &'static str {
        match self {
            Scheduler::HyperQueue => "HyperQueue (https://it4innovations.github.io/hyperqueue)",
            Scheduler::Slurm => "Slurm",
            Scheduler::Parallel => "GNU parallel",
        }
    }

    /// What a program has said, if it has succeeded.
    fn said(self, output: &Output) -> Result<String, BadInput> {
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let fault = match serde_json::from_slice::<Value>(&output.stdout) {
            Ok(facts) => facts["error"].as_str().unwrap_or_default().to_owned(),
            Err(_) => [&*output.stderr, &*output.stdout]
                .map(String::from_utf8_lossy)
                .concat(),
        };
        let words: Vec<&str> = fault.split_whitespace().collect();
        Err(self.fault(
            &words
                .join(" ")
                .chars()
                .take(LONGEST_FAULT)
                .collect::<String>(),
        ))
    }

    fn fault(self, message: &str) -> BadInput {
        BadInput(format!("{}: {message}", self.program()))
    }
}
