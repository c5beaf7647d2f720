//! The examples at the root of the project are what their table says.

use wheelspin_ingest::{Format, Reader};

#[test]
fn every_example_is_one_trace_of_its_format() {
    let examples = [
        ("stuck-search.json", Format::Plain, 25),
        ("paging.json", Format::OpenaiChat, 26),
        ("fix-and-test.json", Format::Anthropic, 33),
        ("fresh-request-ids.ndjson", Format::Mcp, 20),
        ("job-polling.json", Format::Otlp, 26),
        ("step-limit.ndjson", Format::OpenaiResponses, 49),
    ];
    for (name, format, steps) in examples {
        let path = format!("{}/../examples/{name}", env!("CARGO_MANIFEST_DIR"));
        let mut reader = Reader::open(&path, None);
        assert_eq!(reader.format(), Some(format), "{name}");
        let traces: Vec<_> = reader.by_ref().collect::<Result<_, _>>().unwrap();
        assert_eq!(traces.len(), 1, "{name}");
        assert_eq!(traces[0].steps.len(), steps, "{name}");
    }
}
