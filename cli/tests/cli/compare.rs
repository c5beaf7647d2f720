//! The contract of `compare`.

use crate::run::{Said, file, folder, said, wheelspin};

fn compare(arguments: &[&str], pairs: &str) -> Said {
    said(wheelspin().arg("compare").args(arguments).arg("-"), pairs.as_bytes())
}

#[test]
fn each_pair_is_answered_in_order_and_its_id_comes_back() {
    let pairs = [
        r#"{"id": "one", "tool": "t", "a": "x", "b": "x"}"#,
        r#"{"id": {"nested": [1, 1.50]}, "a": {"k": 1}, "b": {"k": 2}}"#,
        r#"{"b": "y", "a": "y"}"#,
        r#"{"id": 18446744073709551617, "a": null, "b": null}"#,
    ];
    let said = compare(&["--json"], &pairs.join("\n"));
    assert_eq!((said.status, said.err.as_str()), (0, ""));
    let answers = said.json();
    let same: Vec<_> = answers.iter().map(|answer| answer["same"].as_bool().unwrap()).collect();
    assert_eq!(same, [true, false, true, false]);
    assert_eq!(answers[0]["id"], "one");
    assert_eq!(
        (&answers[0]["evidence"], answers[0]["similarity"].as_f64()),
        (&"identical".into(), Some(1.0))
    );
    assert_eq!((&answers[1]["evidence"], answers[1]["similarity"].as_f64()), (&"none".into(), Some(0.0)));
    assert!(answers.iter().all(|answer| answer["why"].is_string()));
    // Exactly as it was written: an id is whatever JSON value the caller likes.
    for id in [r#""id":{"nested": [1, 1.50]}"#, r#""id":null"#, r#""id":18446744073709551617"#] {
        assert!(said.out.contains(id), "{id}: {}", said.out);
    }
}

#[test]
fn a_bad_line_is_named_and_the_others_are_answered() {
    let pairs = "{\"id\": 1, \"a\": \"x\", \"b\": \"x\"}\n\nnope\n{\"id\": 3, \"a\": 1}\n[1]\n{\"id\": 5, \"a\": 1, \"b\": 1}\n";
    let said = compare(&["--json"], pairs);
    assert_eq!((said.status, said.json().len()), (2, 2));
    let problems: Vec<&str> = said.err.lines().collect();
    assert_eq!(problems.len(), 3, "{problems:?}");
    for (problem, expected) in problems.iter().zip(["line 3", "line 4: expected `b`", "line 5"]) {
        assert!(problem.contains(expected), "{problem}");
    }
}

#[test]
fn the_policy_of_the_tool_decides() {
    let folder = folder();
    let policy = file(&folder, "policy.toml", "[tools.\"build_*\"]\nignore_fields = [\"host\"]\n");
    let pair = r#"{"id": 1, "tool": "build_x", "a": {"host": "a", "n": 1}, "b": {"host": "b", "n": 1}}"#;
    assert_eq!(compare(&["--json"], pair).json()[0]["same"], false);
    assert_eq!(compare(&["--json", "--policy", &policy], pair).json()[0]["same"], true);
}

#[test]
fn people_get_a_table() {
    let pairs = "{\"id\": \"first\", \"a\": \"x\", \"b\": \"x\"}\n{\"id\": \"\\u001b[31mred\", \"a\": \"x\", \"b\": \"y\"}\n";
    let said = compare(&[], pairs);
    assert_eq!(said.status, 0);
    assert!(said.out.contains("first") && said.out.contains("= same") && said.out.contains("≠ different"));
    assert!(said.out.contains("1 same, 1 different"));
    assert!(!said.out.contains('\u{1b}'), "{}", said.out);
}

#[test]
fn a_file_that_cannot_be_read_is_said() {
    let said = said(wheelspin().args(["compare", "missing.ndjson"]), b"");
    assert_eq!(said.status, 2);
    assert!(said.err.contains("missing.ndjson"), "{}", said.err);
}
