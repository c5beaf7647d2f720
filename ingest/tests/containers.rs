//! How a file is packed makes no difference, and what is wrong with one is said with its place.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use wheelspin_ingest::{Format, Reader};

const ONE: &str = r#"{"trace_id": "one", "steps": [{"tool": "a"}]}"#;
const TWO: &str = r#"{"trace_id": "two", "steps": [{"tool": "b"}, {"tool": "c"}]}"#;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The ids of the traces and the problems, in the order in which they come. The file is called `t.json`.
fn read(bytes: impl AsRef<[u8]>) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.json");
    std::fs::write(&path, bytes).unwrap();
    let path = path.to_str().unwrap();
    Reader::open(path, None)
        .map(|item| match item {
            Ok(trace) => trace.id,
            Err(problem) => {
                let message = problem.to_string();
                assert!(message.starts_with(path), "{message}");
                let fatal = if problem.fatal { "fatal" } else { "problem" };
                format!("{fatal}{}", &message[path.len()..])
            }
        })
        .collect()
}

#[test]
fn the_packing_makes_no_difference() {
    let pretty: String = TWO.replace("{", "{\n  ").replace(", ", ",\n  ");
    let packings = [
        ("one value a line", format!("{ONE}\n{TWO}\n")),
        ("without the last line end", format!("{ONE}\n{TWO}")),
        ("carriage returns and blank lines", format!("\r\n{ONE}\r\n\r\n{TWO}\r\n \r\n")),
        ("byte order mark", format!("\u{feff}{ONE}\n{TWO}\n")),
        ("array on one line", format!("[{ONE},{TWO}]")),
        ("array over lines", format!("[\n{ONE},\n{TWO}\n]\n")),
        ("array, commas in front", format!("[{ONE}\n,{TWO}\n]")),
        ("array, pretty", format!("[\n  {ONE},\n  {pretty}\n]\n")),
        ("pretty documents one after the other", format!("{}\n{pretty}", ONE.replace('[', "[\n"))),
        ("arrays a line", format!("[{ONE}]\n[{TWO}]\n")),
    ];
    for (name, content) in packings {
        assert_eq!(read(&content), ["one", "two"], "{name}");
        assert_eq!(read(gzip(content.as_bytes())), ["one", "two"], "{name}, gzip");
    }
    let members = [gzip(format!("{ONE}\n").as_bytes()), gzip(TWO.as_bytes())].concat();
    assert_eq!(read(members), ["one", "two"], "gzip of two members");
}

#[test]
fn a_trace_without_an_id_is_named_after_its_place() {
    let bare = r#"{"steps": []}"#;
    assert_eq!(read(bare), ["t.json"]);
    assert_eq!(read(format!("{bare}\n\n{bare}\n")), ["t.json", "t.json:3"]);
    assert_eq!(read(format!("[{bare}, {bare}]")), ["t.json#0", "t.json#1"]);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let cases: &[(&str, String, &[&str])] = &[
        ("empty", String::new(), &["fatal: found an empty file, expected a trace"]),
        ("blank", " \n\r\n".into(), &["fatal: found an empty file, expected a trace"]),
        (
            "NUL bytes",
            "\0".repeat(9000),
            &["fatal: found a binary file (byte 0x00 at offset 0), expected JSON text, plain or gzip"],
        ),
        (
            "zip",
            "PK\u{3}\u{4}rest".into(),
            &["fatal: found a zip archive, expected JSON text, plain or gzip"],
        ),
        (
            "a damaged line",
            format!("{ONE}\n{{\"steps\": [}}\n{TWO}\n"),
            &["one", "problem, line 2 (byte 57): found '}', expected a value or ']'", "two"],
        ),
        (
            "the first line damaged",
            format!("{}\n{ONE}\n{TWO}\n", &ONE[..30]),
            &[
                "problem, line 1 (byte 30): the JSON ends early: expected a value or ']', found the end",
                "one",
                "two",
            ],
        ),
        (
            "a line that is no trace",
            format!("{ONE}\n{{\"run\": 1}}\n5\n{TWO}"),
            &[
                "one",
                "problem, line 2 (byte 46): found an object with the keys \"run\", expected a trace: an object with \
             \"steps\"",
                "problem, line 3 (byte 57): found a number (5), expected a trace: an object with \"steps\"",
                "two",
            ],
        ),
        (
            "array cut in a trace",
            format!("[\n{ONE},\n{}", &TWO[..40]),
            &[
                "one",
                "fatal, line 3 (byte 89): the JSON ends early: expected a string character or '\"', found the end",
            ],
        ),
        (
            "array cut between traces",
            format!("[{ONE}"),
            &["one", "fatal, line 1 (byte 46): the JSON ends early: expected ',' or ']', found the end"],
        ),
        (
            "a wrong trace in an array",
            format!("[{ONE}, {{\"steps\": 5}},\n{TWO}]"),
            &["one", "problem, line 1 (byte 58): steps: found a number (5), expected an array", "two"],
        ),
        (
            "something behind the document",
            format!("{ONE} x"),
            &["one", "fatal, line 1 (byte 46): found 'x' after the document, expected the end"],
        ),
        (
            "something behind the array",
            format!("[{ONE}] ]"),
            &["one", "fatal, line 1 (byte 48): found ']' after the array, expected the end"],
        ),
        (
            "an empty array of traces",
            format!("{ONE}\n[]\n"),
            &["one", "problem, line 2 (byte 46): found an empty array, expected a trace"],
        ),
        (
            "a wrong key",
            r#"{"steps": [{"tool": "a"}, {"tool": "a", "error": "yes"}]}"#.into(),
            &[
                "problem, line 1 (byte 26): step 1: error: found a string (\"yes\"), expected true, false or null",
            ],
        ),
        (
            "a wrong kind",
            r#"{"steps": [{"tool": "a", "kind": "robot"}]}"#.into(),
            &[
                "problem, line 1 (byte 11): step 0: kind: found a string (\"robot\"), expected tool, delegation, \
             summary, user or message",
            ],
        ),
        (
            "no tool",
            r#"{"steps": [{"kind": "delegation"}]}"#.into(),
            &[
                "problem, line 1 (byte 11): step 0: tool: found nothing, expected a string (a delegation needs one)",
            ],
        ),
        (
            "a wrong config",
            r#"{"steps": [], "config": true}"#.into(),
            &["problem, line 1 (byte 24): config: found a boolean (true), expected an object"],
        ),
    ];
    for (name, content, expected) in cases {
        assert_eq!(read(content), *expected, "{name}");
    }
}

#[test]
fn the_problem_that_ends_a_file_comes_last() {
    let chat = r#"{"conversation_id": "one", "messages": [{"role": "user", "content": "hi"}]}"#;
    assert_eq!(
        read(format!("[{chat},\n{}", &chat[..20])),
        ["one", "fatal, line 2 (byte 98): the JSON ends early: expected a value, found the end"]
    );
    let unknown = read("{\"a\": 1}\n{\"b\": 2}\n");
    assert!(
        unknown[0].starts_with("fatal, line 1 (byte 0): found the keys \"a\", expected a trace: \"steps\"")
    );
    let spans = r#"{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "t", "spanId": "s"}]}]}]}"#;
    let found = read(spans);
    assert!(
        found[0].starts_with("fatal: found no sign of an agent in the spans (1), expected attributes"),
        "{found:?}"
    );
}

#[test]
fn a_byte_that_is_no_text_costs_its_line() {
    let content = [ONE.as_bytes(), b"\n{\"steps\": \"\xff\"}\n", TWO.as_bytes()].concat();
    assert_eq!(
        read(content),
        ["one", "problem, line 2 (byte 57): found byte 0xff, expected UTF-8 text", "two"]
    );
}

#[test]
fn a_gzip_file_that_ends_early_gives_what_was_read() {
    let lines: String = (0..2000).map(|n| format!("{{\"trace_id\": \"{n}\", \"steps\": []}}\n")).collect();
    let whole = gzip(lines.as_bytes());
    let found = read(&whole[..whole.len() / 2]);
    let (problem, ids) = found.split_last().unwrap();
    assert!(ids.len() > 500 && ids.iter().enumerate().all(|(n, id)| *id == n.to_string()), "{}", ids.len());
    assert!(problem.ends_with("found a gzip stream that ends early, expected all of it"), "{problem}");
    assert!(problem.starts_with("fatal, byte "), "{problem}");
}

#[test]
fn no_nesting_exhausts_the_stack() {
    let deep = 100_000;
    let arguments = format!("{}{}", "[".repeat(deep), "]".repeat(deep));
    assert_eq!(read(format!(r#"{{"steps": [{{"tool": "a", "args": {arguments}}}]}}"#)), ["t.json"]);
    assert_eq!(read(format!(r#"{{"extra": {arguments}, "steps": []}}"#)), ["t.json"]);
    for hopeless in [arguments, "[".repeat(deep), "{\"steps\":".repeat(deep)] {
        let found = read(hopeless);
        assert!(found.len() == 1 && !found[0].starts_with('t'), "{found:?}");
    }
}

#[test]
fn what_is_no_readable_file_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let first = |path: &str| Reader::open(path, None).next().unwrap().unwrap_err().to_string();
    assert_eq!(first(path), format!("{path}: found a directory, expected a trace file"));
    let missing = format!("{path}/missing.json");
    assert_eq!(first(&missing), format!("{missing}: found no such file, expected a trace file"));
}

#[test]
fn progress_reaches_the_size_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.json");
    let bytes = gzip(format!("{ONE}\n{TWO}\n").as_bytes());
    std::fs::write(&path, &bytes).unwrap();
    let mut reader = Reader::open(path.to_str().unwrap(), None);
    assert_eq!(reader.by_ref().count(), 2);
    let progress = reader.progress();
    assert_eq!((progress.read, progress.total), (bytes.len() as u64, Some(bytes.len() as u64)));
}

#[test]
fn an_unknown_name_lists_the_formats() {
    let error = "yaml".parse::<Format>().unwrap_err().to_string();
    assert!(error.starts_with("found format \"yaml\", expected one of plain"), "{error}");
}

#[test]
fn a_log_without_any_message_is_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("server.log");
    std::fs::write(&path, "starting\nstopped\n").unwrap();
    let found: Vec<_> = Reader::open(path.to_str().unwrap(), Some(Format::Mcp)).collect();
    let [Err(problem)] = &found[..] else { panic!("{found:?}") };
    assert_eq!(problem.message, "found nothing that belongs to a trace, expected at least one");
}

#[test]
fn a_gzip_that_ends_before_its_format_shows_is_said_to_end_early() {
    let packed = gzip(ONE.as_bytes());
    let said = read(&packed[..packed.len() / 2]);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("gzip stream that ends early"), "{said:?}");
}
