//! Outputs: are two results the same in substance?
//!
//! The ladder, from cheap to dear, stops at the first answer:
//!
//! 1. equal bytes;
//! 2. equal **values**: the outputs are read as documents and compared leaf by leaf (`document`);
//! 3. equal values without **volatile** details (`standing`), and without new identifiers of a side effect made
//!    again (`identifier`);
//! 4. running text that is **similar**, all else being equal (`similar`);
//! 5. different. Unsure means different.
//!
//! An output is read once: its hashes on every rung (`views`) are kept, so most comparisons are comparisons of
//! numbers. Only what depends on both sides reads them again and walks over the parts that differ (`pairs`).

mod cut;
mod document;
mod embed;
mod explain;
mod hash;
mod identifier;
mod interleaved;
mod keys;
mod lexicon;
mod number;
mod pairs;
mod similar;
mod standing;
mod status;
mod times;
mod trivial;
mod views;
mod words;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use xxhash_rust::xxh3::xxh3_128_with_seed;

pub use explain::{Difference, DifferenceKind, Explanation, LONGEST_EXCERPT, MOST_DIFFERENCES};

use crate::finding::Level;
use crate::policy::{Options, ToolOptions};
use crate::step::{Payload, Step};
use document::{Document, Kind};
use pairs::{Pair, Side};
use views::{Ignored, Scratch, Views};

/// Version of the masks and rules of the ladder. It rises when two outputs are judged otherwise than before.
pub const VERSION: u32 = 1;

/// What a session keeps of one step's output. Cheap to clone; the output is shared.
#[derive(Clone, Debug)]
pub struct Evidence {
    output: Option<Arc<Output>>,
    error: bool,
    trivial: bool,
}

#[derive(Debug)]
struct Output {
    /// Under a secret of this process, so that nobody can aim collisions at it.
    digest: u128,
    length: usize,
    /// `None` once it is forgotten.
    text: Mutex<Option<Arc<[u8]>>>,
    /// Read once, for the ignored fields with this hash.
    views: OnceLock<(u64, Views)>,
}

static SECRET: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0));

impl Output {
    fn new(bytes: &[u8]) -> Output {
        Output {
            digest: xxh3_128_with_seed(bytes, *SECRET),
            length: bytes.len(),
            text: Mutex::new(Some(bytes.into())),
            views: OnceLock::new(),
        }
    }

    fn text(&self) -> Option<Arc<[u8]>> {
        self.text.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The answer of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The same in substance.
    pub same: bool,
    /// The rung that said so; [`Level::None`] when different.
    pub level: Level,
    /// Cosine, where the embeddings were asked; else 1 for same and 0 for different.
    pub similarity: f32,
}

impl Comparison {
    const DIFFERENT: Comparison = Comparison { same: false, level: Level::None, similarity: 0.0 };

    fn same(level: Level) -> Comparison {
        Comparison { same: true, level, similarity: 1.0 }
    }
}

impl Evidence {
    /// Takes what is needed of a step's output. Redacted, truncated and absent outputs, and JSON `null`, are missing
    /// evidence.
    pub fn of(step: &Step<'_>) -> Evidence {
        let null = matches!(step.output, Payload::Json(bytes) if bytes.trim_ascii() == b"null");
        if step.redacted || step.truncated || null || step.output == Payload::Absent {
            return Evidence { output: None, error: step.error, trivial: true };
        }
        let bytes = step.output.bytes();
        Evidence {
            output: Some(Arc::new(Output::new(bytes))),
            error: step.error || trivial::is_error_text(bytes),
            trivial: trivial::is_trivial(bytes, step.arguments.bytes()),
        }
    }

    /// There is nothing to compare: never equal to anything.
    pub fn is_missing(&self) -> bool {
        self.output.is_none()
    }

    /// Both outputs are known, to the byte the same, and both or neither are errors.
    pub fn is_identical(&self, other: &Evidence) -> bool {
        let (Some(a), Some(b)) = (&self.output, &other.output) else { return false };
        self.error == other.error && a.digest == b.digest && a.length == b.length
    }

    /// Bytes of the output that are kept.
    pub fn kept_bytes(&self) -> usize {
        self.output.as_ref().and_then(|output| output.text()).map_or(0, |text| text.len())
    }

    /// Gives up the text of the output, in every clone. What was worked out of it stays, so it can still be found
    /// the same as another; what would need the text is different from then on.
    pub fn forget_text(&self) {
        if let Some(output) = &self.output {
            *output.text.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }

    /// The step failed: its flag says so, or its text begins like an error.
    pub fn is_error(&self) -> bool {
        self.error
    }

    /// Empty text, an acknowledgement, a single status word, nothing but prompt and echo.
    pub fn is_trivial(&self) -> bool {
        self.trivial
    }
}

/// Compares outputs. Holds the buffers that reading needs.
pub struct Judge {
    similarity: f32,
    read_limit: usize,
    scratch: Scratch,
    documents: [Document; 2],
}

impl Default for Judge {
    /// A judge under the default options.
    fn default() -> Self {
        Judge::new(&Options::default())
    }
}

impl Judge {
    /// A judge under these options: their `similarity`, and their `read_limit`.
    pub fn new(options: &Options) -> Judge {
        let (similarity, read_limit) = (options.similarity, options.read_limit as usize);
        Judge { similarity, read_limit, scratch: Scratch::default(), documents: Default::default() }
    }

    /// Are the two the same in substance? Missing evidence is the same as nothing.
    pub fn compare(&mut self, a: &Evidence, b: &Evidence, rules: &ToolOptions) -> Comparison {
        let (Some(left), Some(right)) = (&a.output, &b.output) else { return Comparison::DIFFERENT };
        if a.error != b.error {
            return Comparison::DIFFERENT;
        }
        if left.digest == right.digest && left.length == right.length {
            return Comparison::same(Level::Identical);
        }
        if left.length.max(right.length) > self.read_limit {
            return Comparison::DIFFERENT;
        }
        let (Some(x), Some(y)) = (self.views(left, rules), self.views(right, rules)) else {
            return Comparison::DIFFERENT;
        };
        if x.values == y.values {
            return Comparison::same(Level::Values);
        }
        if x.stable == y.stable {
            return Comparison::same(Level::Volatile);
        }
        let (Some(left), Some(right)) = (left.text(), right.text()) else {
            return Comparison::DIFFERENT;
        };
        let cut = cut::is_cut(&left) && cut::is_cut(&right);
        if x.frame != y.frame && x.bag != y.bag && !cut {
            return Comparison::DIFFERENT;
        }
        self.look(&left, &right, rules, |look| look.judge())
    }

    /// The views of an output, read now or before; `None` when that would need a text that is forgotten.
    fn views(&mut self, output: &Output, rules: &ToolOptions) -> Option<Views> {
        let key =
            rules.ignore_fields.iter().fold(0, |key, field| hash::mix(key, hash::of_bytes(field.as_bytes())));
        match output.views.get() {
            Some((other, views)) if *other == key => Some(*views),
            _ => {
                let document = &mut self.documents[0];
                document.read(&output.text()?);
                let ignored = Ignored::new(&rules.ignore_fields);
                let views = views::of_nodes(document, ignored, &mut self.scratch)[0];
                // Losing the race, or other rules, only means reading again.
                let _ = output.views.set((key, views));
                Some(views)
            }
        }
    }

    /// Reads both outputs and looks at what differs.
    fn look<T>(
        &mut self,
        a: &[u8],
        b: &[u8],
        rules: &ToolOptions,
        then: impl FnOnce(&mut Look<'_>) -> T,
    ) -> T {
        let ignored = Ignored::new(&rules.ignore_fields);
        let [left, right] = &mut self.documents;
        left.read(a);
        right.read(b);
        let left_views = views::of_nodes(left, ignored, &mut self.scratch);
        let right_views = views::of_nodes(right, ignored, &mut self.scratch);
        let (a, b) =
            (Side { document: left, views: &left_views }, Side { document: right, views: &right_views });
        let pairs = pairs::differing(&a, &b, ignored);
        then(&mut Look { a, b, pairs, scratch: &mut self.scratch, threshold: self.similarity })
    }
}

/// What one differing part is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    Order,
    Volatile,
    Identifier,
    Wording(f32),
    Content,
}

/// Two documents and the parts in which they differ.
struct Look<'a> {
    a: Side<'a>,
    b: Side<'a>,
    pairs: Vec<Pair>,
    scratch: &'a mut Scratch,
    threshold: f32,
}

impl Look<'_> {
    fn judge(&mut self) -> Comparison {
        if self.pairs.len() >= pairs::MOST_PAIRS {
            return Comparison::DIFFERENT;
        }
        let mut renewed = identifier::Renewed::new();
        let mut level = Level::Values;
        let mut wording: Option<f32> = None;
        let mut left_over = Vec::new();
        let pairs = std::mem::take(&mut self.pairs);
        for (place, pair) in pairs.iter().enumerate() {
            match self.change(pair) {
                Change::Order => {}
                Change::Volatile => level = level.min(Level::Volatile),
                Change::Identifier => {
                    level = level.min(Level::Volatile);
                    renewed.take(&self.a, &self.b, pair, self.scratch);
                }
                Change::Wording(cosine) => {
                    level = Level::Similar;
                    wording = Some(wording.map_or(cosine, |other| other.min(cosine)));
                }
                Change::Content => left_over.push(place),
            }
        }
        let mixed = !left_over.is_empty() && self.is_mixed(&pairs, &left_over);
        let cut = !left_over.is_empty() && !mixed && cut::is_same_so_far(&self.a, &self.b);
        self.pairs = pairs;
        // Another id beside another wording is another thing.
        let one_effect =
            !renewed.any() || (wording.is_none() && renewed.is_one_effect(&self.a, self.scratch));
        if !(left_over.is_empty() || mixed || cut) || !one_effect {
            return Comparison::DIFFERENT;
        }
        if cut {
            level = level.min(Level::Volatile);
        }
        let similarity = wording.unwrap_or(1.0);
        let same = wording.is_none_or(|cosine| cosine >= self.threshold);
        Comparison { same, level: if same { level } else { Level::None }, similarity }
    }

    fn change(&mut self, pair: &Pair) -> Change {
        if pair.order {
            return Change::Order;
        }
        let (a, b) = (self.a.document, self.b.document);
        let (Some(left), Some(right)) = (pair.a, pair.b) else {
            let alone = pair.a.map(|index| self.a.views[index]).or(pair.b.map(|index| self.b.views[index]));
            let note =
                pair.row.is_some_and(|(lines, _)| lines) && alone.is_some_and(|views| views.stable == 0);
            return if note { Change::Volatile } else { Change::Content };
        };
        if pair.elsewhere {
            return Change::Content;
        }
        let (x, y) = (self.a.views[left], self.b.views[right]);
        if x.stable == y.stable {
            return Change::Volatile;
        }
        if x.anonymous == y.anonymous {
            return Change::Identifier;
        }
        let texts = a.node(left).kind == Kind::Text && b.node(right).kind == Kind::Text;
        if texts
            && x.frame == y.frame
            && let Some(cosine) = similar::similarity(a.value(left), b.value(right))
        {
            return Change::Wording(cosine);
        }
        Change::Content
    }

    /// Are the lines that are left over the same lines, written over each other?
    fn is_mixed(&mut self, pairs: &[Pair], left_over: &[usize]) -> bool {
        let plain =
            self.a.document.node(0).kind == Kind::Lines && self.b.document.node(0).kind == Kind::Lines;
        let mut left: Vec<usize> = left_over.iter().filter_map(|&place| pairs[place].a).collect();
        let mut right: Vec<usize> = left_over.iter().filter_map(|&place| pairs[place].b).collect();
        left.sort_unstable();
        right.sort_unstable();
        let flat = |side: &Side<'_>, lines: &[usize]| {
            lines.iter().all(|&line| {
                let node = side.document.node(line);
                node.end as usize == line + 1 && node.under.is_none()
            })
        };
        plain
            && flat(&self.a, &left)
            && flat(&self.b, &right)
            && interleaved::is_mixed((self.a.document, &left), (self.b.document, &right), self.scratch)
    }
}

#[cfg(test)]
mod tests;
