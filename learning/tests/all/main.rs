//! The tests of learning, in one program.

mod learner;
mod policy;
mod q;
mod rollout;
mod setup;
mod spsa;
mod texel;
mod weights;
