//! Trace files to steps.
//!
//! A [`Reader`] opens a file in one of six [`Format`]s and hands out its [`Trace`]s one after the other, or the
//! [`Problem`]s that it met. What a file holds and how it is packed are kept apart: `source` gives bytes (a file or
//! standard input, plain or gzip), `container` cuts them into JSON values (one document, an array, one value a
//! line), `detect` recognises the format by its content, and one module a format turns values into steps.
//!
//! Arguments and outputs are kept as the bytes that were written, so numbers keep every digit and duplicate keys
//! survive; what they mean is the engine's business.

mod container;
mod detect;
mod format;
mod json;
mod plain;
mod problem;
mod reader;
mod source;
mod trace;

pub use format::{Format, UnknownFormat};
pub use problem::Problem;
pub use reader::{Progress, Reader};
pub use trace::{Content, Trace, TraceStep};
