//! Tests of the program `referee`, started as users start it.

#[path = "../common/mod.rs"]
mod common;

mod all_faults;
mod bad_input;
mod book;
mod browser;
mod check;
mod cluster;
mod commands;
mod compare;
mod configs;
mod conversations;
mod course;
mod desk;
mod engine;
mod events;
mod examples;
mod files;
mod forged;
mod guard;
mod init;
mod languages;
mod layouts;
mod league;
mod learn;
mod levels;
mod libraries;
mod log;
mod pictures;
mod ponder;
mod protocols;
mod rebuilt;
mod records;
mod resume;
mod sandbox;
mod serve;
mod shards;
mod siege;
mod sprt;
mod steps;
mod terminal;
mod tournament;
mod trials;
mod tune;
mod unsupported;
