//! The scanner: JSON bytes to tokens in one pass.
//!
//! Signatures, evidence and message bodies all read JSON through [`Scanner`]. It checks the whole grammar of
//! RFC 8259, keeps numbers as they are spelled (so that they stay exact at any precision), is bounded in depth,
//! never recurses and never allocates.

mod number;
mod plain;
mod scanner;
mod string;

pub use number::push_number;
pub use scanner::{DEPTH_LIMIT, Error, Fault, Scanner, Token};
pub use string::Text;
