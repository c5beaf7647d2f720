//! With `--redact` nothing of arguments and results shows, and no bare hash that could be guessed from them.

use crate::run::{file, folder, run};

const ARGUMENT: &str = "hunter2-argument";
const RESULT: &str = "hunter2-result";
const KEY: &str = "hunter2key";

/// Every kind of finding over secrets: in values, in keys, in text, in errors, in summaries.
fn traces() -> String {
    let call = |tool: &str, argument: &str, output: &str| {
        format!(r#"{{"agent": "planner", "tool": "{tool}", "args": {argument}, "output": {output}}}"#)
    };
    let trace =
        |id: &str, steps: Vec<String>| format!(r#"{{"trace_id": "{id}", "steps": [{}]}}"#, steps.join(", "));
    let argument = format!(r#"{{"{KEY}": "{ARGUMENT}"}}"#);
    let cycle = vec![call("login", &argument, &format!(r#"{{"{KEY}": "{RESULT}"}}"#)); 4];
    let volatile = (0..4).map(|i| {
        call(
            "login",
            &argument,
            &format!(r#"{{"{KEY}": "{RESULT}", "durationMs": {i}, "at": "2026-01-0{}T00:00:00Z"}}"#, i + 1),
        )
    });
    let text = vec![call("shell", &format!(r#""echo {ARGUMENT}""#), &format!(r#""Error: {RESULT}""#)); 4];
    let stagnation = (0..6).map(|i| {
        call(
            "search",
            &format!(r#"{{"q": "{ARGUMENT} {i}"}}"#),
            &format!(r#""nothing like {RESULT} was found""#),
        )
    });
    let recurrence = (0..6).flat_map(|i| {
        [
            call("read", &argument, &format!(r#""the file says {RESULT}""#)),
            call("write", &format!(r#"{{"n": {i}}}"#), &format!(r#""{i} {RESULT}""#)),
        ]
    });
    let summary = vec![format!(r#"{{"kind": "summary", "output": "{RESULT}"}}"#); 4];
    let missing =
        vec![
            format!(r#"{{"tool": "login", "args": {argument}, "output": "{RESULT}", "redacted": true}}"#);
            4
        ];
    [
        trace("cycle", cycle),
        trace("volatile", volatile.collect()),
        trace("text", text),
        trace("stagnation", stagnation.collect()),
        trace("recurrence", recurrence.collect()),
        trace("summary", summary),
        trace("missing", missing),
        format!(r#"{{"trace_id": "damaged", "steps": [{{"tool": "login", "args": {{"{KEY}": "{ARGUMENT}"}}, "output": "{RESULT}""#),
        format!(r#"{{"trace_id": "wrong", "steps": [{{"tool": "login", "output": "{RESULT}", "kind": 7}}]}}"#),
    ]
    .join("\n")
}

#[test]
fn planted_secrets_show_nowhere() {
    let folder = folder();
    let path = file(&folder, "traces.ndjson", traces());
    for mode in [
        &[][..],
        &["--json"],
        &["--verbose"],
        &["--quiet"],
        &["--max-steps", "2"],
        &["--json", "--max-steps", "2"],
    ] {
        let said = run(&[&["audit", "--redact"], mode, &[&path]].concat());
        for secret in [ARGUMENT, RESULT, KEY, "hunter2"] {
            assert!(!said.out.contains(secret), "{mode:?} {secret}: {}", said.out);
            assert!(!said.err.contains(secret), "{mode:?} {secret}: {}", said.err);
        }
        assert!(mode == ["--quiet"] || said.out.contains("login"), "names stay: {}", said.out);
    }
    assert!(run(&["audit", &path]).out.contains(RESULT), "the test would notice");
}

#[test]
fn no_bare_hash_shows() {
    let folder = folder();
    let path = file(&folder, "traces.ndjson", traces());
    let bare = run(&["audit", "--json", &path]);
    let redacted = run(&["audit", "--json", "--redact", &path]);
    assert_eq!(bare.status, redacted.status);
    for (bare, redacted) in bare.json().iter().zip(redacted.json()) {
        assert_eq!((&bare["verdict"], &bare["trace_id"]), (&redacted["verdict"], &redacted["trace_id"]));
        for violation in redacted["violations"].as_array().unwrap() {
            let violation = violation.as_str().unwrap();
            let (hash, _) = violation.strip_prefix("repeat_loop:").unwrap().split_once('@').unwrap();
            assert!(hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{violation}");
        }
        let findings = |report: &serde_json::Value| report["findings"].as_array().unwrap().clone();
        for (bare, redacted) in findings(bare).iter().zip(findings(&redacted)) {
            for name in ["id", "signature"] {
                assert_eq!(redacted[name].as_str().unwrap().len(), 16);
                assert_ne!(bare[name], redacted[name], "{name}");
            }
            assert_eq!(bare["passes"], redacted["passes"]);
        }
    }
}

#[test]
fn fingerprints_last_as_long_as_their_key() {
    let folder = folder();
    let path = file(&folder, "traces.ndjson", traces());
    let one = file(&folder, "one.key", "000102030405060708090a0b0c0d0e0f\n");
    let two = file(&folder, "two.key", "f00102030405060708090a0b0c0d0e0f");
    let with = |key: &str| run(&["audit", "--json", "--redact", "--redact-key-file", key, &path]).out;
    assert_eq!(with(&one), with(&one));
    assert_ne!(with(&one), with(&two));
    let random = || run(&["audit", "--json", "--redact", &path]).out;
    assert_ne!(random(), random());

    let short = file(&folder, "short.key", "secret-but-short");
    let said = run(&["audit", "--redact", "--redact-key-file", &short, &path]);
    assert_eq!((said.status, said.out.as_str()), (2, ""));
    assert!(said.err.contains("32 hexadecimal digits") && !said.err.contains("secret-but"), "{}", said.err);
    assert_eq!(
        run(&["audit", "--redact-key-file", &one, &path]).status,
        2,
        "a key without --redact is a mistake"
    );
}

#[test]
fn what_cannot_be_read_is_not_quoted() {
    let folder = folder();
    let secret = format!(r#""{RESULT}""#);
    let traces = [
        format!(r#"{{"steps": [{{"tool": "a", "error": {secret}}}]}}"#),
        format!(r#"{{"steps": [{{"tool": "a", "kind": {secret}}}]}}"#),
        format!(r#"{{"steps": [{{"tool": "a", "tokens": {secret}}}]}}"#),
        format!(r#"{{"steps": [{secret}]}}"#),
        format!(r#"{{"steps": {secret}}}"#),
        secret.clone(),
        format!(r#"{{"{RESULT}": 1}}"#),
        format!(r#"{{"resourceSpans": {secret}}}"#),
        format!(r#"{{"config": {{"{RESULT}": 1}}, "steps": []}}"#),
        format!(r#"{{"config": {{"min_repeats": {secret}}}, "steps": []}}"#),
    ];
    for (number, trace) in traces.iter().enumerate() {
        let path = file(&folder, &format!("{number}.json"), trace);
        let bare = run(&["audit", "--trace-config", &path]);
        let redacted = run(&["audit", "--trace-config", "--redact", &path]);
        assert_eq!((bare.status, redacted.status), (2, 2), "{trace}: {}", redacted.err);
        assert!(!redacted.err.contains(RESULT), "{trace}: {}", redacted.err);
        assert!(redacted.err.contains(&path), "it says where: {}", redacted.err);
    }
}
