//! Texts that were cut at a fixed length by whoever recorded them: `… 3 passing\n ✓ aw...`.
//!
//! Where durations before the cut differ in length, the cut falls elsewhere. What is visible on both sides must be
//! the same, line by line and in the same order, and the last line of one side must begin the other's.

use super::document::{Document, Kind};
use super::pairs::Side;
use super::views::{self, Views};

/// Most bytes by which the cut may move.
const LONGEST_SHIFT: usize = 64;
/// A shorter text is not one that had to be cut.
const SHORTEST: usize = 200;

/// Does the text end in the mark of a cut, perhaps inside a fence?
pub(super) fn is_cut(text: &[u8]) -> bool {
    text.len() >= SHORTEST && body(text).is_some()
}

/// The text before the mark.
fn body(text: &[u8]) -> Option<&[u8]> {
    let text = text.trim_ascii_end();
    let text = text.strip_suffix(b"```").unwrap_or(text).trim_ascii_end();
    text.strip_suffix(b"...").or_else(|| text.strip_suffix("…".as_bytes()))
}

/// Are two cut texts the same as far as both are visible?
pub(super) fn is_same_so_far(a: &Side<'_>, b: &Side<'_>) -> bool {
    if a.document.node(0).kind != Kind::Lines || b.document.node(0).kind != Kind::Lines {
        return false;
    }
    let (left, right) = (lines(a), lines(b));
    let (short, long) =
        if left.len() <= right.len() { ((a, &left), (b, &right)) } else { ((b, &right), (a, &left)) };
    let common = short.1.len();
    if common < 2 || long.1.len() > common + 1 {
        return false;
    }
    let stable = |side: &Side<'_>, line: usize| views::under(side.document, line, side.views).stable;
    let equal = (0..common - 1).all(|at| stable(short.0, short.1[at]) == stable(long.0, long.1[at]));
    equal && last_begins((short.0.document, short.1[common - 1]), (long.0.document, &long.1[common - 1..]))
}

/// The lines that say something.
fn lines(side: &Side<'_>) -> Vec<usize> {
    side.document.children(0).filter(|&line| side.views[line] != Views::default()).collect()
}

/// Does the last visible line of one side begin the other's, and is what follows there short?
fn last_begins((short, last): (&Document, usize), (long, rest): (&Document, &[usize])) -> bool {
    let visible = |document: &Document, line: usize| {
        let text = document.value(line);
        body(text).unwrap_or(text).to_vec()
    };
    let (x, y) = (visible(short, last), visible(long, rest[0]));
    let more: usize = rest[1..].iter().map(|&line| long.value(line).len()).sum();
    let (start, whole) = if x.len() <= y.len() { (&x, &y) } else { (&y, &x) };
    // `1` begins `12`, and is another number.
    let number = start.last().is_some_and(u8::is_ascii_digit)
        && whole.get(start.len()).is_some_and(u8::is_ascii_digit);
    let one_end = rest.len() == 1 || x.len() <= y.len();
    one_end
        && !start.is_empty()
        && whole.starts_with(start)
        && !number
        && whole.len() - start.len() + more <= LONGEST_SHIFT
}

#[cfg(test)]
mod tests {
    use super::super::{Evidence, Judge};
    use crate::policy::Options;
    use crate::step::{Payload, Step};

    #[test]
    fn a_cut_that_moved_is_no_change() {
        let log = |duration: &str, last: &str| {
            let lines: String = (0..12).map(|n| format!("compiled module {n} of the harbour\n")).collect();
            format!("{lines}done in {duration}\n{last}...")
        };
        let evidence =
            |text: &str| Evidence::of(&Step { output: Payload::Text(text.as_bytes()), ..Step::default() });
        let same = |a: String, b: String| {
            Judge::default().compare(&evidence(&a), &evidence(&b), &Options::default().for_tool("tool")).same
        };
        assert!(same(log("1.7s", "test of the quay"), log("674ms", "test of the qu")));
        assert!(!same(log("1.7s", "3 failing"), log("674ms", "6 failing")));
        assert!(!same(log("1.7s", "passed 1"), log("674ms", "passed 12")));
        assert!(!same(log("1.7s", "build passed"), log("1.8s", "build failed")));
    }
}
