//! Hashes of a document as it is, and with more and more left out.
//!
//! Two documents are equal on a rung when their hashes of that rung are. So an output is read once, and every later
//! comparison with it is a comparison of a few numbers, until something that depends on both sides has to be
//! looked at.

use super::document::{Document, Kind};
use super::hash::{join, mix, of_bytes};
use super::keys::{self, Role};
use super::number::value_hash;
use super::standing::{Standing, weigh};
use super::words::{Piece, Shape, cut, is_board};

/// The hashes of one document, or of one part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Views {
    /// Every value.
    pub values: u64,
    /// Without volatile details.
    pub stable: u64,
    /// Without identifiers too.
    pub anonymous: u64,
    /// Without running text too.
    pub frame: u64,
    /// All that is stable, in no order at all.
    pub bag: u64,
}

impl Views {
    /// The same in every view.
    fn uniform(value: u64) -> Views {
        Views { values: value, stable: value, anonymous: value, frame: value, bag: mix(7, value) }
    }

    fn zip(self, other: Views, with: impl Fn(u64, u64) -> u64) -> Views {
        Views {
            values: with(self.values, other.values),
            stable: with(self.stable, other.stable),
            anonymous: with(self.anonymous, other.anonymous),
            frame: with(self.frame, other.frame),
            bag: self.bag.wrapping_add(other.bag),
        }
    }

    /// `next` after this.
    fn then(self, next: Views) -> Views {
        self.zip(next, mix)
    }

    /// `next` beside this.
    fn beside(self, next: Views) -> Views {
        self.zip(next, join)
    }

    fn tagged(self, tag: u64) -> Views {
        let bag = self.bag;
        Views { bag, ..self.zip(Views::uniform(tag), |value, tag| mix(tag, value)) }
    }
}

/// Which fields are left out: a key at any depth, or a dotted path from the root.
#[derive(Clone, Copy)]
pub(super) struct Ignored<'a> {
    entries: &'a [String],
}

impl<'a> Ignored<'a> {
    /// The fields that a tool's rules leave out.
    pub fn new(entries: &'a [String]) -> Self {
        Ignored { entries }
    }

    /// Is the member `key` at `path` (the keys above it) left out?
    pub fn covers(&self, path: &[&[u8]], key: &[u8]) -> bool {
        self.entries.iter().any(|entry| {
            let entry = entry.as_bytes();
            entry == key || (entry.contains(&b'.') && is_path(entry, path, key))
        })
    }
}

fn is_path(entry: &[u8], path: &[&[u8]], key: &[u8]) -> bool {
    let mut rest = entry;
    for part in path {
        let Some(after) = rest.strip_prefix(*part).and_then(|rest| rest.strip_prefix(b".")) else {
            return false;
        };
        rest = after;
    }
    rest == key
}

/// Buffers for reading lines, and the roles of keys that were met lately.
#[derive(Default)]
pub(super) struct Scratch {
    pieces: Vec<Piece>,
    standings: Vec<Standing>,
    roles: Vec<(u64, Role)>,
}

/// Keys whose roles are remembered.
const REMEMBERED_KEYS: usize = 128;

impl Scratch {
    /// The role of a key.
    pub fn role(&mut self, key: &[u8]) -> Role {
        if key.is_empty() {
            return Role::Plain;
        }
        self.roles.resize(REMEMBERED_KEYS, (0, Role::Plain));
        let hash = of_bytes(key);
        let slot = &mut self.roles[hash as usize % REMEMBERED_KEYS];
        if slot.0 != hash {
            *slot = (hash, keys::role(key));
        }
        slot.1
    }
}

/// Every node's views, by node index.
pub(super) fn of_nodes(document: &Document, ignored: Ignored<'_>, scratch: &mut Scratch) -> Vec<Views> {
    let mut all = vec![Views::default(); document.len()];
    let mut path = Vec::new();
    node(document, 0, ignored, scratch, &mut path, &mut all);
    all
}

fn node<'d>(
    document: &'d Document,
    index: usize,
    ignored: Ignored<'_>,
    scratch: &mut Scratch,
    path: &mut Vec<&'d [u8]>,
    all: &mut [Views],
) {
    let kind = document.node(index).kind;
    let views = match kind {
        Kind::Object => {
            let mut sum = Views::default();
            for child in document.children(index) {
                let key = document.key(child);
                if ignored.covers(path, key) {
                    continue;
                }
                path.push(key);
                node(document, child, ignored, scratch, path, all);
                path.pop();
                sum = sum.beside(Views { bag: 0, ..Views::uniform(of_bytes(key)) }.then(all[child]));
            }
            sum.tagged(1)
        }
        Kind::List | Kind::Rows => {
            let mut sum = Views::default();
            for child in document.children(index) {
                node(document, child, ignored, scratch, path, all);
                sum = if kind == Kind::List { sum.then(all[child]) } else { sum.beside(all[child]) };
            }
            sum.tagged(2)
        }
        Kind::Lines => {
            let mut sum = Views::default();
            for child in document.children(index) {
                if document.node(child).kind == Kind::Text {
                    all[child] = leaf(document, child, scratch);
                } else {
                    node(document, child, ignored, scratch, path, all);
                }
                sum = sum.beside_line(under(document, child, all));
            }
            sum.tagged(4)
        }
        // A text of one line is a text of lines: another line may come or go.
        Kind::Text => Views::default().beside_line(leaf(document, index, scratch)).tagged(4),
        _ => leaf(document, index, scratch),
    };
    all[index] = views;
}

impl Views {
    /// A line that may be absent counts for nothing where it may.
    fn beside_line(self, line: Views) -> Views {
        let next = self.beside(line);
        Views {
            stable: if line.stable == 0 { self.stable } else { next.stable },
            anonymous: if line.anonymous == 0 { self.anonymous } else { next.anonymous },
            frame: if line.frame == 0 { self.frame } else { next.frame },
            ..next
        }
    }
}

/// The views of a line where it stands: with those of the line above it, if it has one.
pub(super) fn under(document: &Document, child: usize, all: &[Views]) -> Views {
    match document.node(child).under {
        Some(above) if all[child].stable != 0 => {
            let line = all[child];
            Views { bag: line.bag, ..all[above as usize].then(line) }
        }
        _ => all[child],
    }
}

fn leaf(document: &Document, index: usize, scratch: &mut Scratch) -> Views {
    let value = document.value(index);
    let role = scratch.role(document.key(index));
    match document.node(index).kind {
        Kind::Number => number(value, role),
        Kind::True => Views::uniform(11),
        Kind::False => Views::uniform(12),
        Kind::Null => Views::uniform(13),
        _ => scratch.text(value, role),
    }
}

fn number(spelled: &[u8], role: Role) -> Views {
    let plain = Views::uniform(mix(14, value_hash(spelled)));
    let integer = spelled.iter().all(u8::is_ascii_digit);
    match role {
        Role::Clock | Role::Moment if spelled.len() >= 10 && spelled.len() <= 20 => plain.masked(VOLATILE),
        Role::Duration | Role::Request => plain.masked(VOLATILE),
        Role::Process if integer => plain.masked(VOLATILE),
        Role::Identifier if integer => {
            let mark = mix(15, IDENTIFIER);
            Views { anonymous: mark, frame: mark, ..plain }
        }
        _ => plain,
    }
}

impl Views {
    fn masked(self, mark: u64) -> Views {
        Views { values: self.values, ..Views::uniform(mix(15, mark)) }
    }
}

const VOLATILE: u64 = 0x0a;
const IDENTIFIER: u64 = 0x0b;
const UNIQUE: u64 = 0x0c;
const RUNNING: u64 = 0x0d;

impl Scratch {
    /// The pieces of a text and what each counts for.
    pub fn weigh(&mut self, text: &[u8], role: Role) -> (&[Piece], &[Standing]) {
        cut(text, &mut self.pieces);
        weigh(text, role, &self.pieces, &mut self.standings);
        (&self.pieces, &self.standings)
    }

    /// The views of a text. `stable` is 0 for a line that may be absent.
    fn text(&mut self, text: &[u8], role: Role) -> Views {
        let (pieces, standings) = self.weigh(text, role);
        let mut views = Views::uniform(16);
        views.bag = 0;
        let mut absent = !pieces.is_empty();
        let mut masked: Option<Standing> = None;
        // On a board the number of spaces says where a cell is.
        let board = is_board(text);
        let mut end = 0;
        for (piece, &standing) in pieces.iter().zip(standings) {
            let bytes = piece.of(text);
            let hash = of_bytes(bytes);
            let gap = if board { u64::from(piece.start - end) } else { u64::from(piece.spaced) };
            end = piece.end;
            let own = mix(gap, hash);
            views.values = mix(views.values, own);
            if standing == Standing::Absent {
                continue;
            }
            absent = false;
            // Pieces of one masked detail count once, however many there are.
            let goes_on = !piece.spaced && masked == Some(standing);
            masked = (standing != Standing::Plain).then_some(standing);
            let (stable, anonymous) = match standing {
                Standing::Plain => (own, own),
                Standing::Volatile => (VOLATILE, VOLATILE),
                Standing::Unique => (own, UNIQUE),
                _ => (own, IDENTIFIER),
            };
            if !(goes_on && standing == Standing::Volatile) {
                views.stable = mix(views.stable, stable);
                let loose =
                    if stable == VOLATILE { mix(17, VOLATILE) } else { loose(bytes, piece.shape, hash) };
                views.bag = views.bag.wrapping_add(loose);
            }
            if !goes_on {
                views.anonymous = mix(views.anonymous, anonymous);
            }
        }
        if absent {
            return Views { values: views.values, ..Views::default() };
        }
        views.frame = if is_running(text, pieces) { mix(16, RUNNING) } else { views.anonymous };
        views
    }
}

/// The parts of a piece in no order: letters and digits apart, because texts that are written over each other touch.
fn loose(bytes: &[u8], shape: Shape, hash: u64) -> u64 {
    let whole = match shape {
        Shape::Word => !bytes.iter().any(u8::is_ascii_digit),
        Shape::Mixed | Shape::Hex => false,
        _ => true,
    };
    if whole {
        return mix(17, hash);
    }
    let parts = bytes.chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit());
    parts.fold(0, |sum, part| sum.wrapping_add(mix(17, of_bytes(part))))
}

/// The fewest words that make a running text.
const FEWEST_WORDS: usize = 6;

/// Running text: sentences rather than values, code or paths.
pub(super) fn is_running(text: &[u8], pieces: &[Piece]) -> bool {
    let words = pieces.iter().filter(|piece| piece.shape == Shape::Word && piece.of(text).len() > 1).count();
    if words < FEWEST_WORDS {
        return false;
    }
    // Embeddings do not see control characters.
    if pieces.iter().any(|piece| text[piece.start as usize].is_ascii_control()) {
        return false;
    }
    let code = pieces
        .iter()
        .filter(|piece| {
            piece.shape == Shape::Punctuation && b"{}[]<>=;|\\`$@#_/~^*&+%".contains(&piece.of(text)[0])
        })
        .count();
    let lower = pieces
        .iter()
        .filter(|piece| {
            piece.shape == Shape::Word && piece.of(text).iter().all(|b| b.is_ascii_lowercase() || *b >= 0x80)
        })
        .count();
    code * 12 <= words && lower * 2 >= words
}
