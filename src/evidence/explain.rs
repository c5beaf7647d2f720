//! The same comparison, with what was seen: for people.

use super::pairs::{Pair, Side};
use super::{Change, Comparison, Evidence, Judge, Look};
use crate::finding::Level;
use crate::policy::ToolOptions;

/// Most differences that are listed.
pub const MOST_DIFFERENCES: usize = 32;
/// Longest part of an output that is shown, in bytes.
pub const LONGEST_EXCERPT: usize = 160;

/// A comparison and its reasons.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// What [`Judge::compare`] says.
    pub comparison: Comparison,
    /// What differs, at most [`MOST_DIFFERENCES`] of it, changes of content first.
    pub differences: Vec<Difference>,
    /// One sentence.
    pub why: String,
}

/// One part in which two outputs differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Where: keys, places and lines, from the root.
    pub path: String,
    /// What stands there in the first output; empty where nothing does. At most [`LONGEST_EXCERPT`] bytes.
    pub a: String,
    /// What stands there in the second output.
    pub b: String,
    /// What became of it.
    pub kind: DifferenceKind,
}

/// What a difference was taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DifferenceKind {
    /// Another content.
    Content,
    /// Other words for the same.
    Wording,
    /// The identifier of something made again, or of another thing.
    Identifier,
    /// A detail that moves by itself.
    Volatile,
    /// Equal parts in another order.
    Order,
    /// Equal values, spelled or laid out in another way.
    Spelling,
}

impl DifferenceKind {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            DifferenceKind::Content => "content",
            DifferenceKind::Wording => "wording",
            DifferenceKind::Identifier => "identifier",
            DifferenceKind::Volatile => "volatile",
            DifferenceKind::Order => "order",
            DifferenceKind::Spelling => "spelling",
        }
    }
}

impl Judge {
    /// Compares, and says which parts differ and what they were taken for.
    pub fn explain(&mut self, a: &Evidence, b: &Evidence, rules: &ToolOptions) -> Explanation {
        let comparison = self.compare(a, b, rules);
        let said = |why: &str| Explanation { comparison, differences: Vec::new(), why: why.to_string() };
        let (Some(left), Some(right)) = (&a.output, &b.output) else {
            return said("there is no evidence on one side: missing is never the same");
        };
        let (Some(left), Some(right)) = (left.text(), right.text()) else {
            return said("the text of one side was given up");
        };
        if left == right {
            return said(if comparison.same {
                "equal bytes"
            } else {
                "one is an error and the other is not"
            });
        }
        if left.len().max(right.len()) > self.read_limit {
            return said("too long to be read, and the bytes differ");
        }
        let mut differences = self.look(&left, &right, rules, |look| look.differences(comparison.same));
        if differences.is_empty() {
            let excerpt = |bytes: &[u8]| excerpt(bytes, 0);
            let (a, b) = (excerpt(&left), excerpt(&right));
            differences.push(Difference { path: "(all)".to_string(), a, b, kind: DifferenceKind::Spelling });
        }
        let why = if a.error != b.error {
            "one is an error and the other is not".to_string()
        } else {
            reason(comparison, &differences)
        };
        differences.truncate(MOST_DIFFERENCES);
        Explanation { comparison, differences, why }
    }
}

impl Look<'_> {
    fn differences(&mut self, same: bool) -> Vec<Difference> {
        let pairs = std::mem::take(&mut self.pairs);
        // What differs in results that are the same: lines written over each other, or cut at another place.
        let cut = same && super::cut::is_same_so_far(&self.a, &self.b);
        let moved = if cut { DifferenceKind::Volatile } else { DifferenceKind::Order };
        let mut all: Vec<Difference> = pairs
            .iter()
            .map(|pair| {
                let kind = match self.change(pair) {
                    Change::Content if same => moved,
                    Change::Content => DifferenceKind::Content,
                    Change::Wording(_) => DifferenceKind::Wording,
                    Change::Identifier => DifferenceKind::Identifier,
                    Change::Volatile => DifferenceKind::Volatile,
                    Change::Order => DifferenceKind::Order,
                };
                self.difference(pair, kind)
            })
            .collect();
        all.sort_by_key(|difference| difference.kind);
        all
    }

    fn difference(&self, pair: &Pair, kind: DifferenceKind) -> Difference {
        let shown = |side: &Side<'_>, index: Option<usize>| {
            index.map(|index| side.document.shown(index)).unwrap_or_default()
        };
        let (a, b) = (shown(&self.a, pair.a), shown(&self.b, pair.b));
        let from = common_start(&a, &b);
        Difference { path: pair.path.clone(), a: excerpt(&a, from), b: excerpt(&b, from), kind }
    }
}

/// How far two texts are alike from their start.
fn common_start(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y).count()
}

/// The part of a text around `from`, short enough to be shown.
fn excerpt(text: &[u8], from: usize) -> String {
    let start = if text.len() <= LONGEST_EXCERPT { 0 } else { from.saturating_sub(LONGEST_EXCERPT / 4) };
    let end = text.len().min(start + LONGEST_EXCERPT);
    let mut shown = String::from_utf8_lossy(&text[start..end]).into_owned();
    while shown.len() > LONGEST_EXCERPT {
        shown.pop();
    }
    shown
}

fn reason(comparison: Comparison, differences: &[Difference]) -> String {
    let first = &differences[0];
    let count = differences.len();
    match comparison.level {
        Level::Identical => "equal bytes".to_string(),
        Level::Values => format!("equal values; {} differs", first.kind.name()),
        Level::Volatile => format!(
            "equal but for {count} detail{} such as {}",
            if count == 1 { "" } else { "s" },
            first.path
        ),
        Level::Similar => {
            format!("the same in other words at {} (cosine {:.3})", first.path, comparison.similarity)
        }
        Level::None => match first.kind {
            DifferenceKind::Identifier => {
                format!("another identifier at {}, and not a side effect made again", first.path)
            }
            DifferenceKind::Wording => {
                format!(
                    "other words at {} (cosine {:.3}, below the threshold)",
                    first.path, comparison.similarity
                )
            }
            _ => format!("{} differs at {}", first.kind.name(), first.path),
        },
    }
}
