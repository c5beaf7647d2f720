//! Wheelspin finds agents that turn their wheels: the same call, the same arguments, the same result, again and
//! again, while every request succeeds.
//!
//! The engine takes [`step::Step`]s as bytes and gives [`finding::Finding`]s as data. It does no I/O, starts no
//! thread and reads no clock.

pub mod audit;
pub mod evidence;
pub mod finding;
pub mod fingerprint;
pub mod json;
mod kernel;
pub mod policy;
pub mod session;
pub mod signature;
pub mod step;
pub mod structure;
pub mod workflow;
