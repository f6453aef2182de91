//! Leagues, and the games of learning and tuning, that are played in shards by a scheduler.
//!
//! | file | what is in it |
//! |---|---|
//! | `job` | what was submitted: a folder that all hosts share |
//! | `length` | how long games take, and how many make a shard |
//! | `part` | a part of a step of learning or tuning, as a shard leaves it |
//! | `scheduler` | HyperQueue, Slurm, GNU parallel: the script that submits a job, and whether it has ended |
//!
//! A scheduler runs `referee work JOB` once for each shard. All else is in the folder of the job:
//! the ids of the games, and a log for every attempt at a shard. What a shard still has to play
//! follows from these logs, so that a shard may be killed, run again or run twice.

pub mod job;
pub mod length;
pub mod part;
pub mod scheduler;
