//! Standard output and standard error, written to one place, mix in another way with every run.
//!
//! A line of one stream may even land inside a line of the other. So beside whole lines in another order, the lines
//! that differ may be one another's lines cut and mixed: every line keeps the order of its own words.

use super::document::{Document, Kind};
use super::standing::Standing;
use super::views::Scratch;

/// Most lines that may be mixed, and most words of them.
const MOST_LINES: usize = 6;
const MOST_WORDS: usize = 512;
/// Most states of the search; a search that needs more finds nothing.
const MOST_STATES: usize = 20_000;
/// A line that was cut must go on with as many words: `total: 3` and `5` are no mixed lines.
const FEWEST_WORDS: usize = 4;

/// Are the lines of one side the lines of the other, mixed?
pub(super) fn is_mixed(a: (&Document, &[usize]), b: (&Document, &[usize]), scratch: &mut Scratch) -> bool {
    let left = words_of(a, scratch);
    let right = words_of(b, scratch);
    let (Some(left), Some(right)) = (left, right) else { return false };
    mixes(&left, &right) || mixes(&right, &left)
}

type Words = Vec<Vec<Vec<u8>>>;

/// The words of each line: letters, digits and other characters apart, because lines that are mixed touch.
fn words_of((document, lines): (&Document, &[usize]), scratch: &mut Scratch) -> Option<Words> {
    if lines.is_empty() || lines.len() > MOST_LINES {
        return None;
    }
    let mut all = Vec::new();
    let mut total = 0;
    for &line in lines {
        if document.node(line).kind != Kind::Text {
            return None;
        }
        let text = document.value(line);
        let (pieces, standings) = scratch.weigh(text, super::keys::Role::Plain);
        let mut words: Vec<Vec<u8>> = Vec::new();
        for (piece, standing) in pieces.iter().zip(standings) {
            if *standing == Standing::Volatile {
                words.push(b"\0".to_vec());
                continue;
            }
            words.extend(
                piece.of(text).chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit()).map(<[u8]>::to_vec),
            );
        }
        total += words.len();
        if total > MOST_WORDS {
            return None;
        }
        all.push(words);
    }
    Some(all)
}

/// Is `mixed`, read from front to back, a mixture of `lines` in which every line keeps its own order, and does a
/// line of several words go on after another one came between?
fn mixes(lines: &Words, mixed: &Words) -> bool {
    let sequence: Vec<&[u8]> = mixed.iter().flatten().map(Vec::as_slice).collect();
    if lines.iter().map(Vec::len).sum::<usize>() != sequence.len() || lines.len() < 2 {
        return false;
    }
    if !lines
        .iter()
        .any(|line| line.iter().filter(|word| word[0].is_ascii_alphabetic()).count() >= FEWEST_WORDS)
    {
        return false;
    }
    let mut states: Vec<Vec<u16>> = vec![vec![0; lines.len()]];
    let mut visited = 0;
    for word in sequence {
        let mut next: Vec<Vec<u16>> = Vec::new();
        for state in &states {
            for (line, words) in lines.iter().enumerate() {
                if words.get(state[line] as usize).is_some_and(|expected| expected == word) {
                    let mut moved = state.clone();
                    moved[line] += 1;
                    next.push(moved);
                }
            }
        }
        next.sort_unstable();
        next.dedup();
        visited += next.len();
        if next.is_empty() || visited > MOST_STATES {
            return false;
        }
        states = next;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mixed(a: &str, b: &str) -> bool {
        let (mut left, mut right) = (Document::default(), Document::default());
        left.read(a.as_bytes());
        right.read(b.as_bytes());
        let lines = |document: &Document| document.children(0).collect::<Vec<_>>();
        let (left_lines, right_lines) = (lines(&left), lines(&right));
        is_mixed((&left, &left_lines), (&right, &right_lines), &mut Scratch::default())
    }

    #[test]
    fn a_line_inside_another_line() {
        assert!(mixed(
            "pack: /srv/*.xz: no such file or directory\n0",
            "pack: 0\n/srv/*.xz: no such file or directory"
        ));
        assert!(mixed(
            "sum: a list of bytes must be given\nargs: {}: no such file",
            "args: sum: {}a list of bytes must be given\n: no such file"
        ));
    }

    #[test]
    fn values_that_changed_places_are_not_mixed_lines() {
        assert!(!mixed("total: 3\n5", "total: 5\n3"));
        assert!(!mixed(
            "Ann has 3 open tasks today\nBob has 5 open tasks today",
            "Ann has 5 open tasks today\nBob has 3 open tasks today"
        ));
    }
}
