//! The contracts of `audit`: what stands in a report, and what the exit status says.

use std::io::Write;

use serde_json::json;

use crate::run::{file, folder, looping, run, said, wheelspin, working};

#[test]
fn a_report_has_the_fields_that_tools_rely_on() {
    let folder = folder();
    let trace = file(&folder, "loop.json", looping("w-1", "poll", 5));
    let said = run(&["audit", "--json", &trace]);
    let [report] = &said.json()[..] else { panic!("one line a trace: {said:?}") };
    assert_eq!(said.status, 1);
    assert_eq!(
        (
            &report["trace_id"],
            &report["verdict"],
            &report["ok"],
            &report["steps_used"],
            &report["violations"]
        ),
        (
            &json!("w-1"),
            &json!("unproductive"),
            &json!(false),
            &json!(5),
            &json!(["repeat_loop:poll|page=1@0"])
        )
    );
    let finding = &report["findings"][0];
    let expected = json!({
        "kind": "cycle", "agent": "planner", "start": 0, "end": 4, "period": 1, "passes": 5,
        "stagnant_positions": [0], "earliest_step": 2, "evidence": "identical", "similarity": 1.0,
        "calls": ["poll"], "refused_step": 3, "saved_steps": 2, "saved_tokens": 14,
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&finding[name], value, "{name}");
    }
    for name in ["id", "signature"] {
        let hash = finding[name].as_str().unwrap();
        assert!(hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{name}: {hash}");
    }
    assert_eq!(run(&["audit", "--json", &trace]).out, said.out, "an audit says the same again");
}

#[test]
fn the_exit_status_follows_the_verdict() {
    let folder = folder();
    let inconclusive = looping("i", "poll", 4).replace(r#""output": "no rows""#, r#""redacted": true"#);
    let cases = [
        ("clean", working("c"), 0),
        ("inconclusive", inconclusive, 0),
        ("unproductive", looping("u", "poll", 3), 1),
        ("clean", r#"{"trace_id": "empty", "steps": []}"#.to_string(), 0),
    ];
    for (verdict, trace, status) in cases {
        let path = file(&folder, "trace.json", trace);
        let said = run(&["audit", "--json", &path]);
        assert_eq!((said.status, said.json()[0]["verdict"].as_str()), (status, Some(verdict)), "{said:?}");
        let quiet = run(&["audit", "--quiet", &path]);
        assert_eq!((quiet.status, quiet.out.as_str(), quiet.err.as_str()), (status, "", ""), "{verdict}");
    }
}

#[test]
fn traces_come_in_the_order_of_the_files_and_of_each_file() {
    let folder = folder();
    let many = file(&folder, "many.ndjson", format!("{}\n{}\n", working("b"), looping("c", "poll", 3)));
    let array = file(&folder, "array.json", format!("[{}, {}]", working("d"), working("e")));
    let one = file(&folder, "one.json", working("a"));
    let said = run(&["audit", "--json", &one, &many, &array]);
    let ids: Vec<_> = said.json().iter().map(|report| report["trace_id"].clone()).collect();
    assert_eq!(ids, ["a", "b", "c", "d", "e"]);
    assert_eq!(said.status, 1);
}

#[test]
fn gzip_and_standard_input_are_read() {
    let folder = folder();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(looping("g", "poll", 3).as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    let path = file(&folder, "trace.json.gz", &packed);
    assert_eq!(run(&["audit", "--json", &path]).json()[0]["trace_id"], "g");
    for input in [packed.as_slice(), looping("g", "poll", 3).as_bytes()] {
        let said = said(wheelspin().args(["audit", "--json", "-"]), input);
        assert_eq!((said.status, &said.json()[0]["trace_id"]), (1, &json!("g")));
    }
}

#[test]
fn the_bare_audit_counts_steps_and_repetitions_whatever_they_return() {
    let folder = folder();
    let polling =
        (0..4).map(|i| format!(r#"{{"tool": "poll", "args": {{"b": 1.0, "a": "x"}}, "output": "{i}"}}"#));
    let trace = format!(r#"{{"steps": [{}]}}"#, polling.collect::<Vec<_>>().join(", "));
    let path = file(&folder, "polling.json", trace);
    let report = |arguments: &[&str]| {
        let said = run(&[&["audit", "--json", &path], arguments].concat());
        let report = said.json().remove(0);
        (said.status, report["ok"].as_bool().unwrap(), report["violations"].clone())
    };
    let repeat = "repeat_loop:poll|a=x,b=1@0";
    assert_eq!(report(&[]), (0, false, json!([repeat])));
    assert_eq!(report(&["--repeat-limit", "5"]), (0, true, json!([])));
    assert_eq!(report(&["--repeat-limit", "5", "--max-steps", "4"]), (0, true, json!([])));
    assert_eq!(report(&["--max-steps", "3"]), (1, false, json!([repeat, "step_limit:3"])));
    let said = run(&["audit", "--repeat-limit", "0", &path]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("--repeat-limit"), "{}", said.err);
}

#[test]
fn max_steps_is_a_budget_of_the_session_too() {
    let folder = folder();
    let path = file(&folder, "trace.json", working("w"));
    let report = run(&["audit", "--json", "--max-steps", "2", &path]).json().remove(0);
    assert_eq!(report["verdict"], "unproductive");
    assert_eq!(report["findings"][0]["kind"], "step_limit");
    assert_eq!(report["findings"][0]["earliest_step"], 2);
}

#[test]
fn the_readers_own_tools_come_from_the_parser() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let said = run(&["completions", shell]);
        assert!(said.status == 0 && said.out.contains("audit"), "{shell}");
    }
    let manual = run(&["man"]).out;
    for part in [".TH wheelspin", "WHEELSPIN AUDIT", "WHEELSPIN COMPARE", "redact", "Exit status"] {
        assert!(manual.contains(part), "{part}");
    }
}

#[test]
fn a_wrong_flag_is_named_with_the_right_one() {
    let said = run(&["audit", "--polcy", "x.toml", "trace.json"]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("--policy"), "{}", said.err);
    let said = run(&["audit", "--format", "yaml", "trace.json"]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("yaml") && said.err.contains("plain"), "{}", said.err);
    assert_eq!(run(&["audit"]).status, 2);
}

/// A reader that goes away: `wheelspin … | head -1`.
#[test]
fn a_closed_output_ends_the_run_quietly() {
    let folder = folder();
    let line = working("w") + "\n";
    let many = file(&folder, "many.ndjson", line.repeat(20_000));
    for arguments in [&["audit", "--json"][..], &["audit", "--verbose"]] {
        let mut child = wheelspin()
            .args(arguments)
            .arg(&many)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(141));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
}
