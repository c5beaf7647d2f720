//! What a session says while the steps come, and that an audit says the same.

use std::sync::Arc;

use wheelspin::audit::{Auditor, DEFAULT_REPEAT_LIMIT};
use wheelspin::finding::{Finding, FindingKind, Verdict};
use wheelspin::fingerprint::FingerprintKey;
use wheelspin::policy::{Glob, Options, ToolRule};
use wheelspin::session::{Keys, Scratch, Session};
use wheelspin::step::{Kind, Payload, Step};

fn call(tool: &'static str, output: &'static str) -> Step<'static> {
    Step { tool, output: Payload::Text(output.as_bytes()), ..Step::default() }
}

fn summary(text: &'static str) -> Step<'static> {
    Step { kind: Kind::Summary, output: Payload::Text(text.as_bytes()), ..Step::default() }
}

fn user(text: &'static str) -> Step<'static> {
    Step { kind: Kind::User, ..summary(text) }
}

fn keys() -> Keys {
    Keys { findings: FingerprintKey::new([3; 16]), calls: 5 }
}

fn session(options: Options) -> (Scratch, Session) {
    (Scratch::new(&options), Session::new(Arc::new(options), keys(), "w", "a"))
}

fn audit(steps: &[Step<'_>], options: &Options) -> Vec<Finding> {
    let mut auditor = Auditor::new("t", options, DEFAULT_REPEAT_LIMIT);
    for step in steps {
        auditor.step("a", step);
    }
    auditor.finish().findings
}

#[test]
fn the_finding_comes_with_the_third_pass_and_the_fourth_call_would_extend_it() {
    let (mut scratch, mut session) = session(Options::default());
    let stuck = call("search", "no document matches the query");
    for index in 0..2 {
        session.record(&mut scratch, index, &stuck);
        assert!(session.changed().is_empty());
        assert!(!session.would_extend(&mut scratch, &stuck));
    }
    session.record(&mut scratch, 2, &stuck);
    assert_eq!(session.changed().len(), 1);
    assert!(session.would_extend(&mut scratch, &stuck));
    assert!(!session.would_extend(&mut scratch, &call("read", "")), "another call is another matter");
}

#[test]
fn asking_about_a_call_records_nothing() {
    let (mut scratch, mut session) = session(Options::default());
    let stuck = call("search", "no document matches the query");
    for index in 0..2 {
        session.record(&mut scratch, index, &stuck);
        session.would_extend(&mut scratch, &stuck);
    }
    assert_eq!(session.counted_steps(), 2);
    assert!(session.changed().is_empty());
}

#[test]
fn a_call_would_extend_a_run_that_is_withheld() {
    let (mut scratch, mut session) = session(Options::default());
    let read = call("gauge", "the level is two metres");
    let steps = [read, summary("still the same"), read, summary("still the same"), read];
    for (index, step) in (0..).zip(&steps) {
        session.record(&mut scratch, index, step);
    }
    assert!(session.changed().is_empty(), "it waits for the third summary");
    assert!(session.would_extend(&mut scratch, &read));
}

#[test]
fn only_the_next_call_of_the_unit_would_extend_it() {
    let (mut scratch, mut session) = session(Options::default());
    let (a, b) = (call("look", "a wall of stone"), call("push", "it does not move"));
    for (index, step) in (0..).zip([a, b, a, b, a, b]) {
        session.record(&mut scratch, index, &step);
    }
    assert!(session.would_extend(&mut scratch, &a));
    assert!(!session.would_extend(&mut scratch, &b));
}

#[test]
fn a_run_that_moves_again_may_go_on() {
    let (mut scratch, mut session) = session(Options::default());
    let steps = ["nine left", "nine left", "nine left", "seven left to do"].map(|left| call("queue", left));
    for (index, step) in (0..).zip(&steps) {
        session.record(&mut scratch, index, step);
    }
    assert!(!session.would_extend(&mut scratch, &steps[0]));
}

#[test]
fn a_finding_keeps_its_id_while_it_grows_and_when_the_trace_is_analysed_again() {
    let steps = [call("search", "no document matches the query"); 6];
    let ids: Vec<u64> = (3..=6).map(|length| audit(&steps[..length], &Options::default())[0].id).collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
}

#[test]
fn the_id_follows_the_first_steps_own_id() {
    let stuck = |id| Step { id, ..call("search", "no document matches the query") };
    let short = [stuck("c1"), stuck("c2"), stuck("c3")];
    let later = [call("open", "an empty room"), stuck("c1"), stuck("c2"), stuck("c3")];
    let of = |steps: &[Step<'_>]| audit(steps, &Options::default())[0].id;
    assert_eq!(of(&short), of(&later), "steps that were lost before it do not rename a finding");
}

#[test]
fn a_progress_mark_starts_the_session_anew_right_after_the_step() {
    let stuck = call("search", "no document matches the query");
    let mark = Step { progress: true, ..stuck };
    assert!(audit(&[stuck, stuck, mark, stuck, stuck], &Options::default())[0].end == 2);
    assert!(audit(&[stuck, mark, stuck, stuck], &Options::default()).is_empty());
}

#[test]
fn an_automatic_continue_is_no_boundary() {
    let stuck = call("search", "no document matches the query");
    let nudged = [user("continue"), stuck, user("continue"), stuck, user("continue"), stuck];
    assert_eq!(audit(&nudged, &Options::default()).len(), 1);
    let asked = [user("one"), stuck, user("two"), stuck, user("three"), stuck];
    assert!(audit(&asked, &Options::default()).is_empty());
}

#[test]
fn errors_alone_are_counted_across_user_steps() {
    let fails = Step { error: true, ..call("book", "the flight is not available") };
    let steps = [user("book it"), fails, user("try again"), fails, user("and again"), fails];
    let findings = audit(&steps, &Options::default());
    assert_eq!(findings.len(), 1);
    assert_eq!((findings[0].kind, findings[0].earliest_step), (FindingKind::Recurrence, 5));
}

#[test]
fn a_weaker_finding_inside_a_cycle_is_not_listed() {
    let fails = Step { error: true, ..call("book", "the flight is not available") };
    let other = call("look", "three flights on that day");
    let findings = audit(&[fails, other, fails, other, fails, other], &Options::default());
    assert_eq!(findings.iter().map(|f| f.kind).collect::<Vec<_>>(), [FindingKind::Cycle]);
}

#[test]
fn a_stable_tool_proves_nothing_and_an_exempt_one_is_not_reported() {
    let steps = [call("whoami", "the agent of the harbour"); 5];
    let with = |rule: ToolRule| Options { tools: vec![(Glob::new("who*"), rule)], ..Options::default() };
    let stable = audit(&steps, &with(ToolRule { stable: Some(true), ..ToolRule::default() }));
    assert_eq!(stable.iter().map(Finding::verdict).collect::<Vec<_>>(), [Verdict::Inconclusive]);
    let exempt = audit(&steps, &with(ToolRule { exempt: Some(true), ..ToolRule::default() }));
    assert!(exempt.is_empty());
}

#[test]
fn budgets_are_told_once_at_the_step_that_exceeds_them() {
    let options = Options { max_steps: Some(2), max_tokens: Some(25), ..Options::default() };
    let step = |tool| Step { tokens: 10, ..call(tool, "done with this part of it") };
    let steps = ["a", "b", "c", "d", "e"].map(step);
    let findings = audit(&steps, &options);
    let told: Vec<_> = findings.iter().map(|f| (f.kind, f.earliest_step)).collect();
    assert_eq!(told.len(), 2);
    assert!(told.contains(&(FindingKind::StepLimit, 2)) && told.contains(&(FindingKind::TokenLimit, 2)));
}

#[test]
fn a_run_longer_than_the_window_is_one_finding() {
    let options = Options { window: 96, ..Options::default() };
    let steps = vec![call("search", "no document matches the query"); 1_000];
    let findings = audit(&steps, &options);
    assert_eq!(findings.len(), 1);
    assert_eq!((findings[0].start, findings[0].end, findings[0].passes), (0, 999, 1_000));
}

#[test]
fn texts_that_no_longer_fit_are_given_up_and_can_still_be_found_equal() {
    let large = "the same long page about the harbour and its ships. ".repeat(40);
    let page = |suffix: &str| format!("{large}read in {suffix} ms");
    let timed = [page("11"), page("12"), page("13")];
    let step = |output| Step { tool: "read", output: Payload::Text(output), ..Step::default() };
    let options = Options { output_memory: 3_000, ..Options::default() };
    let equal = vec![step(large.as_bytes()); 3];
    assert_eq!(audit(&equal, &options).len(), 1);
    let by_details: Vec<Step<'_>> = timed.iter().map(|text| step(text.as_bytes())).collect();
    assert_eq!(audit(&by_details, &Options::default()).len(), 1);
}

#[test]
fn equal_calls_of_one_turn_count_once_however_many_they_are() {
    let steps = vec![Step { turn: Some(1), ..call("open", "the file was not found here") }; 2_000];
    assert!(audit(&steps, &Options::default()).is_empty());
}

#[test]
fn a_turn_of_any_size_is_followed_in_bounded_steps() {
    let arguments: Vec<String> = (0..20_000).map(|i| format!("{{\"page\":{i}}}")).collect();
    let steps: Vec<Step<'_>> = arguments
        .iter()
        .map(|a| Step { arguments: Payload::Json(a.as_bytes()), turn: Some(1), ..call("read", "ok") })
        .collect();
    assert!(audit(&steps, &Options::default()).is_empty());
}
