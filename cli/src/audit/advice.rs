//! What to do about a finding, in a sentence or two.

use wheelspin::finding::{Finding, FindingKind};
use wheelspin::step::Kind;
use wheelspin_ingest::Trace;

use super::agreement::Agreement;
use super::unit::Unit;

/// What to do.
#[derive(Debug, PartialEq, Eq)]
pub struct Advice {
    /// For people.
    pub text: &'static str,
    /// What lets the loop pass, where it is one on purpose.
    pub policy: Option<Exception>,
}

/// What a policy file can say.
#[derive(Debug, PartialEq, Eq)]
pub struct Exception {
    /// When it is right.
    pub when: &'static str,
    /// A table for each tool that stands still, which may stand at the end of any policy.
    pub lines: Vec<String>,
}

/// The advice for a finding that has steps.
pub fn of(finding: &Finding, trace: &Trace, unit: &Unit, agreements: &[Option<Agreement>]) -> Advice {
    let kinds = || unit.passes[0].iter().map(|&step| trace.steps[step].step().kind);
    let stands_still = |position: &usize| agreements.get(*position).is_some_and(Option::is_some);
    let mut tools: Vec<&str> = (0..unit.passes[0].len())
        .filter(stands_still)
        .map(|position| trace.steps[unit.passes[0][position]].step())
        .filter(|step| step.kind.is_call())
        .map(|step| step.tool)
        .collect();
    tools.sort_unstable();
    tools.dedup();
    let failing = agreements.iter().flatten().any(|agreement| agreement.error);
    let text = match finding.kind {
        FindingKind::Cycle if finding.is_inconclusive() => {
            "record what the calls return (content capture, no redaction before the check): then it can be judged"
        }
        FindingKind::Cycle if kinds().all(|kind| kind == Kind::Summary) => {
            "the model says the same without calling a tool; end the turn there instead of sending another \
             “continue”"
        }
        FindingKind::Cycle if failing => {
            "the call fails the same way every time: tell the agent what would make it work, or give up \
             after the first failures"
        }
        FindingKind::Cycle if kinds().any(|kind| kind == Kind::Delegation) => {
            "the work is handed over and comes back unchanged: give the other agent what it lacks, or let one \
             of them decide"
        }
        FindingKind::Cycle => {
            "the agent asks again for what it already has: check that earlier results stay in its context, and \
             that the prompt says when to stop"
        }
        FindingKind::Recurrence if failing => {
            "the agent keeps coming back to a call that fails: fix the call's cause, or take the tool away"
        }
        FindingKind::Recurrence => {
            "the agent keeps coming back to a result that it already has: check what makes it forget"
        }
        FindingKind::Stagnation => {
            "whatever the agent asks, the answer is the same: check the tool, and what its answer tells the \
             agent to do next"
        }
        FindingKind::StepLimit | FindingKind::TokenLimit => without_unit(finding),
    };
    // Nobody fails on purpose.
    let policy = if failing { None } else { on_purpose(finding, &tools) };
    Advice { text, policy }
}

/// The advice for a finding that is about a whole session.
pub fn without_unit(finding: &Finding) -> &'static str {
    match finding.kind {
        FindingKind::StepLimit => {
            "look at what the last steps were for; raise max_steps if the task needs more"
        }
        FindingKind::TokenLimit => "look at what used the tokens; raise max_tokens if the task needs more",
        _ => "look at the steps of this agent in the trace",
    }
}

/// Longer units are rarely polls, and their rules would fill the screen.
const MOST_TOOLS: usize = 3;

fn on_purpose(finding: &Finding, tools: &[&str]) -> Option<Exception> {
    let when = match finding.kind {
        FindingKind::Cycle if !finding.is_inconclusive() => "if it waits or polls on purpose",
        FindingKind::Recurrence | FindingKind::Stagnation => "if it comes back on purpose",
        _ => return None,
    };
    let rule = |tool: &&str| [format!("[tools.{}]", quoted(tool)), "exempt = true".to_string()];
    let lines: Vec<String> = tools.iter().flat_map(rule).collect();
    (1..=MOST_TOOLS).contains(&tools.len()).then_some(Exception { when, lines })
}

/// A name as a TOML key. What a terminal would obey is escaped by TOML's own rules.
fn quoted(name: &str) -> String {
    let mut key = String::from('"');
    for character in name.chars() {
        match character {
            '"' | '\\' => key.extend(['\\', character]),
            _ if crate::text::is_harmful(character) => key += &format!("\\U{:08X}", u32::from(character)),
            _ => key.push(character),
        }
    }
    key + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_name_is_a_key_that_reads_back_and_moves_no_cursor() {
        for name in ["poll", "a.b", "say \"hi\"", "back\\slash", "esc\u{1b}[31m", "new\nline", "größer"] {
            let line = format!("{} = 1", quoted(name));
            let table: toml::Table = toml::from_str(&line).unwrap();
            assert_eq!(table.keys().next().map(String::as_str), Some(name), "{line}");
            assert!(!line.chars().any(char::is_control), "{line:?}");
        }
    }
}
