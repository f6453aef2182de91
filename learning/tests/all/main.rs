//! The tests of learning, in one program.

mod learner;
mod q;
mod rollout;
mod setup;
mod weights;
