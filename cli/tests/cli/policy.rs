//! The policy file and a trace's own `config`.

use crate::run::{file, folder, looping, run};

#[test]
fn a_policy_changes_what_is_found() {
    let folder = folder();
    let trace = file(&folder, "trace.json", looping("w", "poll_job", 4));
    let verdict = |policy: &str| {
        let policy = file(&folder, "policy.toml", policy);
        let said = run(&["audit", "--json", "--policy", &policy, &trace]);
        said.json().remove(0)["verdict"].as_str().unwrap().to_string()
    };
    assert_eq!(verdict(""), "unproductive");
    assert_eq!(verdict("min_repeats = 5"), "clean");
    assert_eq!(verdict("[tools.\"poll_*\"]\nexempt = true"), "clean");
    assert_eq!(
        verdict("[tools.\"poll_*\"]\nmin_repeats = 20\n[tools.poll_job]\nmin_repeats = 4"),
        "unproductive"
    );
}

#[test]
fn a_faulty_policy_names_file_line_key_and_what_was_expected() {
    let folder = folder();
    let trace = file(&folder, "trace.json", looping("w", "poll", 5));
    let cases = [
        (
            "# one\nmin_repeat = 4\n",
            "policy.toml:2: unknown field `min_repeat`",
            "did you mean `min_repeats`?",
        ),
        (
            "max_unit = \"many\"\n",
            "policy.toml:1: `max_unit`: invalid type: string \"many\"",
            "expected a whole number",
        ),
        ("[tools.\"a\"]\nexmpt = true\n", "policy.toml:2: unknown field `exmpt`", "did you mean `exempt`?"),
        ("\n\nsimilarity = 2.0\n", "policy.toml:3: similarity: is 2", "at most 1"),
        ("min_repeats = = 3\n", "policy.toml:1: `min_repeats`", ""),
    ];
    for (policy, place, expected) in cases {
        let policy = file(&folder, "policy.toml", policy);
        for command in ["audit", "compare"] {
            let said = run(&[command, "--policy", &policy, &trace]);
            assert_eq!((said.status, said.out.as_str()), (2, ""));
            assert!(said.err.contains(place) && said.err.contains(expected), "{}", said.err);
        }
    }
    let said = run(&["audit", "--policy", "missing.toml", &trace]);
    assert!(said.status == 2 && said.err.contains("missing.toml"), "{said:?}");
}

#[test]
fn a_traces_own_config_counts_only_where_it_is_asked_for_and_for_that_trace_only() {
    let folder = folder();
    let own = looping("own", "poll", 3).replacen('{', r#"{"config": {"min_repeats": 4}, "#, 1);
    let bad = looping("bad", "poll", 3).replacen('{', r#"{"config": {"min_repeets": 4}, "#, 1);
    let path = file(&folder, "traces.ndjson", [own, looping("other", "poll", 3)].join("\n"));
    let verdicts = |arguments: &[&str]| {
        let said = run(&[&["audit", "--json", &path], arguments].concat());
        said.json().iter().map(|report| report["verdict"].as_str().unwrap().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(verdicts(&[]), ["unproductive", "unproductive"]);
    assert_eq!(verdicts(&["--trace-config"]), ["clean", "unproductive"]);

    let path = file(&folder, "bad.ndjson", [bad, looping("good", "poll", 3)].join("\n"));
    let said = run(&["audit", "--json", "--trace-config", &path]);
    assert_eq!((said.status, said.json().len()), (2, 1));
    assert!(said.err.contains("trace bad") && said.err.contains("`min_repeats`"), "{}", said.err);
}

#[test]
fn the_printed_rules_silence_the_finding() {
    let folder = folder();
    let step = |tool: &str| {
        format!(r#"{{"tool": "{tool}", "args": {{"job": 7}}, "output": "job 7 waits for a free machine"}}"#)
    };
    let steps = [step("get_job"), step("list_jobs")].join(", ");
    let trace = format!(r#"{{"trace_id": "t", "steps": [{}]}}"#, vec![steps; 40].join(", "));
    let path = file(&folder, "t.json", trace);
    let said = run(&["audit", &path]);
    assert_eq!(said.status, 1);
    let rules: Vec<&str> = said
        .out
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("[tools.") || line.starts_with("exempt"))
        .collect();
    assert_eq!(rules.len(), 4, "{}", said.out);
    let policy = file(&folder, "policy.toml", rules.join("\n"));
    assert_eq!(run(&["audit", "--policy", &policy, &path]).status, 0);
}

#[test]
fn a_format_that_finds_no_step_is_no_clean_trace() {
    let folder = folder();
    let path = file(&folder, "t.json", r#"{"steps": [{"tool": "a"}]}"#);
    let said = run(&["audit", "--format", "mcp", &path]);
    assert_eq!(said.status, 2, "{}", said.out);
    assert!(said.err.contains("expected"), "{}", said.err);
}
