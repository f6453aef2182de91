//! Tests of the referee as a library: this program is the referee, and engines are its children. It
//! kills the processes that engines leave behind, and all that it does not know in sessions of
//! their own. So referees that are killed, and what they leave, are tested in `program`.

#[path = "../common/mod.rs"]
mod common;

mod adjudication;
mod cgroups;
mod clocks;
mod cpu;
mod desk;
mod deviations;
mod faults;
mod keep;
mod play;
mod protocol_faults;
mod squared;
