//! Leagues, and the games of learning and tuning, that are played in shards by a scheduler.
//!
//! | file | what is in it |
//! |---|---|
//! | `submission` | a league that is submitted: written as a job, followed, merged |
//! | `steps` | steps of learning and tuning that are submitted |
//! | `jobs` | the jobs of a folder: written, submitted, waited for |
//! | `merging`, `aside` | the logs of a league that was played in parts; what does not fit |
//! | `job` | what was submitted: a folder that all hosts share |
//! | `length` | how long games take, and how many make a shard |
//! | `part` | a part of a step of learning or tuning, as a shard leaves it |
//! | `scheduler` | HyperQueue, Slurm, GNU parallel: the script that submits a job, and whether it has ended |
//!
//! A scheduler runs `referee work JOB` once for each shard. All else is in the folder of the job:
//! the ids of the games, and a log for every attempt at a shard. What a shard still has to play
//! follows from these logs, so that a shard may be killed, run again or run twice.

mod aside;
pub mod job;
pub mod jobs;
pub mod length;
pub mod merging;
pub mod part;
pub mod scheduler;
pub mod steps;
pub mod submission;
