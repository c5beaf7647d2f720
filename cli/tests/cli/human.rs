//! What people read.

use crate::run::{file, folder, looping, run, said, wheelspin, working};

#[test]
fn a_finding_says_where_how_often_why_and_what_to_do() {
    let folder = folder();
    let path = file(&folder, "loop.json", looping("support-42", "query_records", 5));
    let said = run(&["audit", &path]);
    assert_eq!(said.status, 1);
    let expected = "\
✗ unproductive  support-42  5 calls, 1 finding

  cycle · agent planner · starts at step 0, ends at step 4
    cycle    query_records(page=1)  ×5
    results  identical all 5 times: no rows
    gateway  would have refused step 3, saving 2 steps and 14 tokens
    advice   the agent asks again for what it already has: check that earlier results stay in its
             context, and that the prompt says when to stop
    policy   if it waits or polls on purpose:
             [tools.\"query_records\"]
             exempt = true
";
    assert_eq!(said.out, expected);
}

#[test]
fn details_that_were_taken_for_volatile_are_shown() {
    let folder = folder();
    let step = |i: usize| {
        format!(
            r#"{{"tool": "check", "args": {{}}, "output": {{"state": "held", "durationMs": {}}}}}"#,
            128 + 4 * i
        )
    };
    let steps = (0..3).map(step).collect::<Vec<_>>().join(", ");
    let path = file(&folder, "volatile.json", format!(r#"{{"steps": [{steps}]}}"#));
    let said = run(&["audit", &path]).out;
    assert!(said.contains("the same but for details that change by themselves, all 3 times"), "{said}");
    assert!(said.contains(".durationMs: 128 → 132"), "{said}");
    let redacted = run(&["audit", "--redact", &path]).out;
    assert!(redacted.contains("volatile 1") && !redacted.contains("128"), "{redacted}");
}

#[test]
fn clean_traces_are_counted_unless_they_are_asked_for() {
    let folder = folder();
    let one = file(&folder, "one.json", working("alone"));
    assert_eq!(run(&["audit", &one]).out, "✓ clean  alone  4 calls\n");
    let many = file(&folder, "many.ndjson", [working("a"), looping("b", "poll", 5), working("c")].join("\n"));
    let said = run(&["audit", &many]).out;
    assert!(!said.contains("✓ clean  a"), "{said}");
    let table = "\
verdict           traces  findings  steps saved  tokens saved
✗ unproductive         1         1            2            14
✓ clean                2         –            –             –
";
    assert!(said.ends_with(table), "{said}");
    let verbose = run(&["audit", "--verbose", &many]).out;
    assert!(
        verbose.contains("✓ clean  a  4 calls\n") && verbose.contains("✓ clean  c  4 calls\n"),
        "{verbose}"
    );
}

#[test]
fn colours_only_where_they_are_wanted() {
    let folder = folder();
    let path = file(&folder, "loop.json", looping("w", "poll", 5));
    let coloured = |arguments: &[&str], environment: &[(&str, &str)]| {
        let mut command = wheelspin();
        command.arg("audit").args(arguments).arg(&path).envs(environment.iter().copied());
        said(&mut command, b"").out.contains("\u{1b}[")
    };
    assert!(!coloured(&[], &[]), "not a terminal");
    assert!(coloured(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(coloured(&["--color", "always"], &[("NO_COLOR", "1")]), "the command line is the last word");
    assert!(!coloured(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]));
}

#[test]
fn lines_fit_the_width() {
    let folder = folder();
    let long = "a very long value, ".repeat(40);
    let trace =
        looping("an id that is longer than any terminal is wide, ".repeat(4).trim(), "query_records", 5)
            .replace("no rows", &long)
            .replace(r#""page": 1"#, &format!(r#""filter": "{long}", "page": 1"#));
    let path = file(&folder, "loop.json", trace);
    for columns in ["50", "60", "80", "120"] {
        let said = said(wheelspin().env("COLUMNS", columns).args(["audit", &path]), b"");
        let widest: usize = columns.parse().unwrap();
        let text = said.out.lines().filter(|line| !line.contains("min_repeats"));
        for line in text {
            assert!(line.chars().count() <= widest, "{columns}: {line}");
        }
    }
}

#[test]
fn a_trace_cannot_write_to_the_terminal() {
    let folder = folder();
    let escape = r"\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e";
    let trace = looping(&format!("id{escape}"), &format!("poll{escape}"), 5)
        .replace("planner", &format!("planner{escape}"))
        .replace("no rows", &format!("no rows{escape}"))
        .replace(r#""page": 1"#, &format!(r#""page{escape}": "x{escape}""#));
    let path = file(
        &folder,
        "trace.json",
        format!("{trace}\n{{\"trace_id\": \"b{escape}\", \"config\": 1, \"steps\": []}}"),
    );
    for arguments in [&[][..], &["--trace-config"], &["--max-steps", "1"], &["--verbose"], &["--redact"]] {
        let said = run(&[&["audit"], arguments, &[&path]].concat());
        assert!(said.out.contains("owned"), "{}", said.out);
        for character in said.out.chars().chain(said.err.chars()).filter(|character| *character != '\n') {
            assert!(
                !character.is_control() && character != '\u{202e}',
                "{arguments:?} {character:?}: {said:?}"
            );
        }
    }
}

#[test]
fn violations_show_where_the_bare_audit_was_asked_for() {
    let folder = folder();
    let path = file(&folder, "loop.json", looping("w", "poll", 5));
    assert!(!run(&["audit", &path]).out.contains("repeat_loop"));
    let said = run(&["audit", "--repeat-limit", "4", &path]).out;
    assert!(said.contains("repeat_loop:poll|page=1@0"), "{said}");
}

#[test]
fn help_shows_examples_and_the_exit_status() {
    for command in ["audit", "compare"] {
        let help = run(&[command, "--help"]).out;
        assert!(help.contains("Example") && help.contains("Exit status:"), "{help}");
    }
}
