//! A call as people write it: `query_records(filter="status:active", page=1)`.

use wheelspin::step::{Kind, Payload, Step};

use crate::json::{members, spoken};
use crate::text::{ELLIPSIS, gist, harmless, harmless_bytes, shorten, width};

/// How much of a call is shown.
#[derive(Clone, Copy, Debug)]
pub enum Detail {
    /// The name alone: arguments may not be read.
    Name,
    /// Arguments, each value in at most so many columns.
    Values(usize),
}

/// Columns of a value from which on it tells something, and beyond which it tells nothing more.
const SHORTEST_VALUE: usize = 12;
const LONGEST_VALUE: usize = 60;
/// Longest name that is shown whole.
const NAME: usize = 60;

/// The call in one line of harmless text.
pub fn label(step: &Step<'_>, detail: Detail) -> String {
    let name = shorten(&harmless(step.tool), NAME);
    match (step.kind, detail) {
        (Kind::Summary, _) => "summary".to_string(),
        (Kind::User, _) => "user".to_string(),
        (Kind::Delegation, Detail::Name) => format!("delegate to {name}"),
        (Kind::Tool, Detail::Name) => name,
        (Kind::Delegation, Detail::Values(most)) => {
            format!("delegate to {name}({})", arguments(step.arguments, most))
        }
        (Kind::Tool, Detail::Values(most)) => format!("{name}({})", arguments(step.arguments, most)),
    }
}

/// The calls of a cycle on as few lines of `columns` as possible, arrows between them.
pub fn cycle(steps: &[Step<'_>], redacted: bool, suffix: &str, columns: usize) -> Vec<String> {
    let shown = elided(steps.len());
    let labels = |detail: Detail, longest: usize| -> Vec<String> {
        let label = |part: &Part| match part {
            Part::Step(index) => shorten(&label(&steps[*index], detail), longest),
            Part::Gap(count) => format!("{ELLIPSIS} {count} more {ELLIPSIS}"),
        };
        shown.iter().map(label).collect()
    };
    // Each on a line of its own, with an arrow and the suffix.
    let longest = columns.saturating_sub(2 + width(suffix));
    if redacted {
        return joined(&labels(Detail::Name, longest), suffix, columns);
    }
    // The most of the values that fits on one line; else the most with which each call fits on one.
    let most = columns.min(LONGEST_VALUE);
    let one_line = (SHORTEST_VALUE..=most).rev().find_map(|most| {
        let lines = joined(&labels(Detail::Values(most), usize::MAX), suffix, columns);
        (lines.len() == 1 && width(&lines[0]) <= columns).then_some(lines)
    });
    let line_each = || {
        (SHORTEST_VALUE..=most).rev().find_map(|most| {
            let labels = labels(Detail::Values(most), usize::MAX);
            labels.iter().all(|label| width(label) <= longest).then(|| joined(&labels, suffix, columns))
        })
    };
    one_line
        .or_else(line_each)
        .unwrap_or_else(|| joined(&labels(Detail::Values(SHORTEST_VALUE), longest), suffix, columns))
}

enum Part {
    Step(usize),
    Gap(usize),
}

/// Of a long unit the first calls and the last ones.
fn elided(length: usize) -> Vec<Part> {
    const WHOLE: usize = 8;
    const FIRST: usize = 5;
    const LAST: usize = 2;
    if length <= WHOLE {
        return (0..length).map(Part::Step).collect();
    }
    let last = length - LAST..length;
    (0..FIRST).map(Part::Step).chain([Part::Gap(length - FIRST - LAST)]).chain(last.map(Part::Step)).collect()
}

fn joined(labels: &[String], suffix: &str, columns: usize) -> Vec<String> {
    const ARROW: &str = " → ";
    let mut lines: Vec<String> = Vec::new();
    for (index, label) in labels.iter().enumerate() {
        let last = index + 1 == labels.len();
        let piece = if last { format!("{label}{suffix}") } else { label.clone() };
        match lines.last_mut() {
            Some(line) if width(line) + width(ARROW) + width(&piece) <= columns => {
                line.push_str(ARROW);
                line.push_str(&piece);
            }
            Some(_) => lines.push(format!("→ {piece}")),
            None => lines.push(piece),
        }
    }
    lines
}

/// `key=value, key=value`; text that is no object as it is.
fn arguments(payload: Payload<'_>, most: usize) -> String {
    let mut decoded = Vec::new();
    // A JSON string is shown as what it says: it often holds the object.
    let bytes = spoken(payload, &mut decoded);
    let Ok(members) = members(bytes) else {
        let bytes = bytes.trim_ascii();
        return if matches!(bytes, b"" | b"null") { String::new() } else { harmless_bytes(bytes, most) };
    };
    let argument = |(name, value): &(Vec<u8>, crate::json::Value<'_>)| {
        let value = match &value.text {
            Some(text) => format!("\"{}\"", harmless_bytes(text, most)),
            None => gist(value.raw, most),
        };
        format!("{}={value}", harmless_bytes(name, most))
    };
    members.iter().map(argument).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool<'a>(tool: &'a str, arguments: &'a str) -> Step<'a> {
        Step { tool, arguments: Payload::Json(arguments.as_bytes()), ..Step::default() }
    }

    #[test]
    fn a_call_reads_like_code() {
        let cases = [
            (r#"{"filter": "status:active", "page": 1}"#, r#"q(filter="status:active", page=1)"#),
            (r#""{\"page\": 1}""#, "q(page=1)"),
            (r#""ls -la""#, "q(ls -la)"),
            (r#"{"text": "a\nb\u001b[31m"}"#, r#"q(text="a\nb\u{1b}[31m")"#),
            ("null", "q()"),
            ("{}", "q()"),
            ("[1,2]", "q([1,2])"),
        ];
        for (arguments, shown) in cases {
            assert_eq!(label(&tool("q", arguments), Detail::Values(40)), shown);
        }
        assert_eq!(label(&tool("q", r#"{"a": "0123456789"}"#), Detail::Values(6)), r#"q(a="012…89")"#);
        assert_eq!(label(&tool("q", r#"{"a": 1}"#), Detail::Name), "q");
    }

    #[test]
    fn a_cycle_fits_the_width() {
        let steps = vec![tool("first", r#"{"a": "0123456789012345678901234567890"}"#); 2];
        assert_eq!(
            cycle(&steps, false, " ×3", 58),
            [r#"first(a="012345678…67890") → first(a="012345678…67890") ×3"#]
        );
        for columns in 40..100 {
            for length in 1..12 {
                let steps = vec![tool("first", r#"{"a": "0123456789012345678901234567890"}"#); length];
                for line in cycle(&steps, false, " ×3", columns) {
                    assert!(width(&line) <= columns, "{line}");
                }
            }
        }
    }

    #[test]
    fn a_long_unit_shows_its_ends() {
        let steps = vec![tool("t", "{}"); 32];
        let lines = cycle(&steps, true, " ×3", 200);
        assert_eq!(lines, ["t → t → t → t → t → … 25 more … → t → t ×3"]);
    }
}
