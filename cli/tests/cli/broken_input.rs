//! Input that is no trace, or only in part: a clear error, never a panic, and the rest is still reported.

use crate::run::{file, folder, looping, run, working};

#[test]
fn what_is_no_trace_is_said_clearly() {
    let folder = folder();
    let directory = folder.path().to_str().unwrap().to_string();
    let cases: [(&str, String, &str); 11] = [
        ("an empty file", file(&folder, "empty", ""), "empty"),
        ("white space", file(&folder, "blank", " \n\n "), "empty"),
        ("truncated JSON", file(&folder, "cut", r#"{"steps": [{"tool": "a""#), "ends early"),
        ("binary", file(&folder, "binary", [0x7f, b'E', b'L', b'F', 2, 1, 0, 0xfe, 0xff]), "binary"),
        ("NUL bytes", file(&folder, "nul", "{\"steps\": [{\"tool\": \"a\0b\"}]}"), "0x00"),
        (
            "invalid UTF-8",
            file(&folder, "latin1", b"{\"steps\": [{\"tool\": \"caf\xe9\"}]}"),
            "expected UTF-8",
        ),
        ("an unknown format", file(&folder, "unknown", r#"{"foo": 1}"#), "expected a trace"),
        ("text", file(&folder, "text", "hello\n"), "expected a trace"),
        ("a cut gzip", file(&folder, "gzip", [0x1f, 0x8b, 8, 0, 0]), "gzip"),
        ("a directory", directory.clone(), "found a directory"),
        ("a missing file", format!("{directory}/missing"), "no such file"),
    ];
    for (what, path, expected) in cases {
        for mode in [&["audit"][..], &["audit", "--json"], &["audit", "--quiet"]] {
            let said = run(&[mode, &[&path]].concat());
            assert_eq!((said.status, said.out.as_str()), (2, ""), "{what}: {said:?}");
            assert!(
                said.err.starts_with("wheelspin: ") && said.err.contains(expected),
                "{what}: {}",
                said.err
            );
            assert_eq!(said.err.lines().count(), 1, "{what}: {}", said.err);
        }
    }
}

#[test]
fn one_bad_line_costs_that_line_only() {
    let folder = folder();
    let lines = [
        working("a"),
        r#"{"trace_id": "b", "#.to_string(),
        "not JSON".to_string(),
        r#"{"trace_id": "d", "steps": 7}"#.to_string(),
        looping("e", "poll", 3),
    ];
    let path = file(&folder, "mixed.ndjson", lines.join("\n"));
    let said = run(&["audit", "--json", &path]);
    let ids: Vec<_> = said.json().iter().map(|report| report["trace_id"].clone()).collect();
    assert_eq!(ids, ["a", "e"]);
    assert_eq!(said.status, 2);
    assert_eq!(said.err.lines().count(), 3, "{}", said.err);
    for (problem, line) in said.err.lines().zip(["line 2", "line 3", "line 4"]) {
        assert!(problem.contains(line), "{problem}");
    }
}

#[test]
fn a_bad_file_does_not_keep_the_others_from_being_read() {
    let folder = folder();
    let good = file(&folder, "good.json", looping("good", "poll", 3));
    let said = run(&["audit", "--json", "missing.json", &good]);
    assert_eq!((said.status, said.json().len()), (2, 1));
}

#[test]
fn deep_nesting_is_no_way_to_crash() {
    let folder = folder();
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let steps = |step: &str| format!(r#"{{"trace_id": "deep", "steps": [{}]}}"#, [step; 3].join(", "));
    let output = file(&folder, "output.json", steps(&format!(r#"{{"tool": "a", "output": {deep}}}"#)));
    let arguments = file(&folder, "arguments.json", steps(&format!(r#"{{"tool": "a", "args": {deep}}}"#)));
    let bare = file(&folder, "bare.json", &deep);
    for path in [&output, &arguments] {
        for mode in [&["audit"][..], &["audit", "--json"]] {
            let said = run(&[mode, &[path]].concat());
            assert!((0..=2).contains(&said.status), "{said:?}");
            assert!(!said.out.is_empty() || said.err.starts_with("wheelspin: "), "{said:?}");
        }
    }
    assert_eq!(run(&["audit", &bare]).status, 2);
    let pair = file(&folder, "pair.ndjson", format!(r#"{{"id": 1, "a": {deep}, "b": {deep}}}"#));
    let said = run(&["compare", "--json", &pair]);
    assert!(said.status == 0 || said.err.contains("nested deeper"), "{said:?}");
}
