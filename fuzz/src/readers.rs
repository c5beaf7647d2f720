//! Files of any bytes, each format by its name: reading never panics and always ends, a problem says where, and
//! what was read can be audited.

use std::io::Cursor;

use wheelspin::audit::{Auditor, DEFAULT_REPEAT_LIMIT};
use wheelspin::policy::Options;
use wheelspin_ingest::{Format, Reader};

fn read(data: &[u8], format: Format) {
    let mut fatal = false;
    for item in Reader::new("input", Cursor::new(data.to_vec()), Some(format)) {
        assert!(!fatal, "a fatal problem is the last item");
        match item {
            Ok(trace) => {
                let mut auditor = Auditor::new(&trace.id, &Options::default(), DEFAULT_REPEAT_LIMIT);
                for step in &trace.steps {
                    auditor.step(&step.agent, &step.step());
                }
                auditor.finish();
            }
            Err(problem) => {
                assert!(problem.to_string().starts_with("input"), "{problem}");
                fatal = problem.fatal;
            }
        }
    }
}

/// A file of the format `plain`.
pub fn read_plain(data: &[u8]) {
    read(data, Format::Plain);
}

/// A file of the format `openai-chat`.
pub fn read_openai_chat(data: &[u8]) {
    read(data, Format::OpenaiChat);
}

/// A file of the format `openai-responses`.
pub fn read_openai_responses(data: &[u8]) {
    read(data, Format::OpenaiResponses);
}

/// A file of the format `anthropic`.
pub fn read_anthropic(data: &[u8]) {
    read(data, Format::Anthropic);
}

/// A file of the format `mcp`.
pub fn read_mcp(data: &[u8]) {
    read(data, Format::Mcp);
}

/// A file of the format `otlp`.
pub fn read_otlp(data: &[u8]) {
    read(data, Format::Otlp);
}
