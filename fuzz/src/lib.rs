//! What is fuzzed, as plain functions: a fuzzer calls them with new inputs, the replay test with the old ones.
//!
//! A new target is a module here with its function, a line in [`TARGETS`], a file in `fuzz_targets/` with its
//! `[[bin]]`, and a folder of seeds in `corpus/`. The replay test fails while one of them is missing.

mod canonical;
mod evidence;
mod readers;
mod scanner;
mod structure;

pub use canonical::canonical;
pub use evidence::evidence;
pub use readers::{read_anthropic, read_mcp, read_openai_chat, read_openai_responses, read_otlp, read_plain};
pub use scanner::scanner;
pub use structure::structure;

/// A target: any bytes in, a panic when something does not hold.
pub type Target = fn(&[u8]);

/// All targets by name.
pub const TARGETS: &[(&str, Target)] = &[
    ("canonical", canonical),
    ("evidence", evidence),
    ("read_anthropic", read_anthropic),
    ("read_mcp", read_mcp),
    ("read_openai_chat", read_openai_chat),
    ("read_openai_responses", read_openai_responses),
    ("read_otlp", read_otlp),
    ("read_plain", read_plain),
    ("scanner", scanner),
    ("structure", structure),
];
