//! The command from outside, as people and scripts meet it.

mod audit;
mod broken_input;
mod compare;
mod documentation;
mod human;
mod large_input;
mod policy;
mod redact;
mod run;
