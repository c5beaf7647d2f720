//! Two documents side by side: which parts differ.
//!
//! Members are paired by key, list items by place, rows and lines by what they say: first those that are equal, then
//! those that are equal but for volatile details, identifiers or wording, then what is left in its order. Equal
//! parts are passed over by their hashes, so the walk costs what differs.

use std::collections::HashMap;

use super::document::{Document, Kind};
use super::views::{self, Ignored, Views};

/// A document with the views of its nodes.
pub(super) struct Side<'a> {
    /// The document.
    pub document: &'a Document,
    /// By node index.
    pub views: &'a [Views],
}

/// Two parts that stand at the same place and differ; `None` where one side has nothing there.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    /// Where, for people: `.key[2]`, `line 3`.
    pub path: String,
    /// The node of the first document.
    pub a: Option<usize>,
    /// The node of the second document.
    pub b: Option<usize>,
    /// The rows or lines around them, and which of these it is; `None` outside of rows.
    pub row: Option<(bool, usize)>,
    /// Nothing differs but the order of what is inside.
    pub order: bool,
    /// Equal lines that stand under other lines.
    pub elsewhere: bool,
}

/// More differences than this are not told apart: the documents are different.
pub(super) const MOST_PAIRS: usize = 4096;

/// The parts that differ, in the order of the first document. Stops at [`MOST_PAIRS`].
pub(super) fn differing(a: &Side<'_>, b: &Side<'_>, ignored: Ignored<'_>) -> Vec<Pair> {
    let mut walk =
        Walk { a, b, ignored, path: String::new(), keys: Vec::new(), row: None, found: Vec::new() };
    walk.nodes(0, 0);
    walk.found
}

struct Walk<'a> {
    a: &'a Side<'a>,
    b: &'a Side<'a>,
    ignored: Ignored<'a>,
    path: String,
    keys: Vec<&'a [u8]>,
    row: Option<(bool, usize)>,
    found: Vec<Pair>,
}

impl<'a> Walk<'a> {
    fn nodes(&mut self, a: usize, b: usize) {
        let (a_kind, b_kind) = (self.a.document.node(a).kind, self.b.document.node(b).kind);
        let listed = |kind| matches!(kind, Kind::Object | Kind::List | Kind::Rows | Kind::Lines);
        if self.a.views[a].values == self.b.views[b].values && !(listed(a_kind) && listed(b_kind)) {
            return;
        }
        match (a_kind, b_kind) {
            (Kind::Object, Kind::Object) => self.members(a, b),
            (Kind::List | Kind::Rows, Kind::List | Kind::Rows)
                if a_kind == b_kind && a_kind == Kind::List =>
            {
                self.items(a, b);
            }
            (Kind::Rows, Kind::Rows) => self.unordered(a, b, false),
            (Kind::Lines, Kind::Lines | Kind::Text) | (Kind::Text, Kind::Lines) => self.unordered(a, b, true),
            _ => self.push(Some(a), Some(b), false),
        }
    }

    fn push(&mut self, a: Option<usize>, b: Option<usize>, order: bool) {
        if self.found.len() < MOST_PAIRS {
            let path = if self.path.is_empty() { "(all)".to_string() } else { self.path.clone() };
            let elsewhere = a.zip(b).is_some_and(|(a, b)| self.row.is_some() && self.stands_elsewhere(a, b));
            self.found.push(Pair { path, a, b, row: self.row, order, elsewhere });
        }
    }

    fn at(&mut self, part: std::fmt::Arguments<'_>, then: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        if self.found.len() < MOST_PAIRS && length < 512 {
            use std::fmt::Write;
            // Writing to a string cannot fail.
            let _ = self.path.write_fmt(part);
        }
        then(self);
        self.path.truncate(length);
    }

    fn members(&mut self, a: usize, b: usize) {
        let (a_side, b_side) = (self.a, self.b);
        let mut others: HashMap<&[u8], Vec<usize>> = HashMap::new();
        for child in b_side.document.children(b) {
            others.entry(b_side.document.key(child)).or_default().push(child);
        }
        others.values_mut().for_each(|list| list.reverse());
        for child in a_side.document.children(a) {
            let key = a_side.document.key(child);
            let other = others.get_mut(key).and_then(Vec::pop);
            self.member(key, Some(child), other);
        }
        for child in b_side.document.children(b) {
            let key = b_side.document.key(child);
            if others.get_mut(key).is_some_and(|left| left.contains(&child)) {
                self.member(key, None, Some(child));
            }
        }
    }

    fn member(&mut self, key: &'a [u8], a: Option<usize>, b: Option<usize>) {
        if self.ignored.covers(&self.keys, key) {
            return;
        }
        self.keys.push(key);
        self.at(format_args!(".{}", String::from_utf8_lossy(&key[..key.len().min(64)])), |walk| {
            match (a, b) {
                (Some(a), Some(b)) => walk.nodes(a, b),
                _ => walk.push(a, b, false),
            }
        });
        self.keys.pop();
    }

    fn items(&mut self, a: usize, b: usize) {
        let (a_side, b_side) = (self.a, self.b);
        let mut left = a_side.document.children(a);
        let mut right = b_side.document.children(b);
        for index in 0.. {
            let (a, b) = (left.next(), right.next());
            if a.is_none() && b.is_none() {
                return;
            }
            self.at(format_args!("[{index}]"), |walk| match (a, b) {
                (Some(a), Some(b)) => walk.nodes(a, b),
                _ => walk.push(a, b, false),
            });
        }
    }

    fn unordered(&mut self, a: usize, b: usize, lines: bool) {
        let (left, right) = (row_nodes(self.a, a), row_nodes(self.b, b));
        let (pairs, moved) = pair_up(self.a, self.b, &left, &right);
        if moved {
            self.push(Some(a), Some(b), true);
        }
        let outer = self.row;
        for (here, there) in pairs {
            if self.found.len() >= MOST_PAIRS {
                break;
            }
            let (a, b) = (here.map(|place| left[place]), there.map(|place| right[place]));
            let shown = here.or(there).unwrap_or(0);
            self.row = Some((lines, a.or(b).unwrap_or(0)));
            let name = if lines { "line " } else { "row " };
            let gap = if self.path.is_empty() { "" } else { " " };
            self.at(format_args!("{gap}{name}{}", shown + 1), |walk| match (a, b) {
                (Some(a), Some(b)) if walk.stands_elsewhere(a, b) => walk.push(Some(a), Some(b), false),
                (Some(a), Some(b)) => walk.nodes(a, b),
                _ => walk.push(a, b, false),
            });
        }
        self.row = outer;
    }
}

impl Walk<'_> {
    /// Are two lines equal, but under other lines?
    fn stands_elsewhere(&self, a: usize, b: usize) -> bool {
        let placed = |side: &Side<'_>, index: usize| views::under(side.document, index, side.views);
        self.a.views[a].frame == self.b.views[b].frame && placed(self.a, a).frame != placed(self.b, b).frame
    }
}

/// The rows or lines of a node; a text of one line is its own line.
fn row_nodes(side: &Side<'_>, index: usize) -> Vec<usize> {
    match side.document.node(index).kind {
        Kind::Text => vec![index],
        _ => side.document.children(index).collect(),
    }
}

/// Places on either side.
type Pairing = Vec<(Option<usize>, Option<usize>)>;

/// Pairs rows by ever weaker views and returns those that are not equal, and whether equal ones changed places.
fn pair_up(a: &Side<'_>, b: &Side<'_>, left: &[usize], right: &[usize]) -> (Pairing, bool) {
    let view = |side: &Side<'_>, index: usize| views::under(side.document, index, side.views);
    let mut partner: Vec<Option<usize>> = vec![None; left.len()];
    let mut taken = vec![false; right.len()];
    let rungs: [fn(&Views) -> u64; 4] = [|v| v.values, |v| v.stable, |v| v.anonymous, |v| v.frame];
    let mut equal = 0;
    let mut moved = false;
    for (rung, hash) in rungs.into_iter().enumerate() {
        let mut waiting: HashMap<u64, Vec<usize>> = HashMap::new();
        for place in (0..right.len()).rev().filter(|&place| !taken[place]) {
            waiting.entry(hash(&view(b, right[place]))).or_default().push(place);
        }
        let mut last = 0;
        for place in 0..left.len() {
            if partner[place].is_some() {
                continue;
            }
            let Some(other) = waiting.get_mut(&hash(&view(a, left[place]))).and_then(Vec::pop) else {
                continue;
            };
            partner[place] = Some(other);
            taken[other] = true;
            if rung == 0 {
                moved |= other < last;
                last = other;
                equal += 1;
            }
        }
    }
    let mut rest = (0..right.len()).filter(|&place| !taken[place]);
    let mut pairs = Vec::with_capacity(left.len().max(right.len()).saturating_sub(equal));
    for (place, partner) in partner.iter().enumerate() {
        match partner {
            Some(other) if view(a, left[place]).values == view(b, right[*other]).values => {}
            Some(other) => pairs.push((Some(place), Some(*other))),
            None => pairs.push((Some(place), rest.next())),
        }
    }
    pairs.extend(rest.map(|other| (None, Some(other))));
    (pairs, moved)
}
