//! Trace files to steps.
//!
//! A [`Reader`] opens a file in one of six [`Format`]s and hands out its [`Trace`]s one after the other, or the
//! [`Problem`]s that it met. What a file holds and how it is packed are kept apart: `source` gives bytes (a file or
//! standard input, plain or gzip), `container` cuts them into JSON values (one document, an array, one value a
//! line), `detect` recognises the format by its content, and one module a format turns values into steps. The message
//! formats share `conversation`, which knows what a request with a resent history adds.
//!
//! ```no_run
//! use wheelspin_ingest::Reader;
//!
//! for item in Reader::open("runs.ndjson.gz", None) {
//!     match item {
//!         Ok(trace) => println!("{}: {} steps", trace.id, trace.steps.len()),
//!         Err(problem) => eprintln!("{problem}"),
//!     }
//! }
//! ```
//!
//! Arguments and outputs are kept as the bytes that were written, so numbers keep every digit and duplicate keys
//! survive; what they mean is the engine's business.

mod anthropic;
mod container;
mod conversation;
mod decode;
mod detect;
mod envelope;
mod format;
mod json;
mod mcp;
mod message;
mod openai_chat;
mod openai_responses;
mod otlp;
mod plain;
mod problem;
mod reader;
mod source;
mod trace;

pub use format::{Format, UnknownFormat};
pub use problem::Problem;
pub use reader::{Progress, Reader};
pub use trace::{Content, Trace, TraceStep};
