//! Identifiers that differ: a side effect made again, or another thing?
//!
//! A mail that is sent twice gets a new id and says the same otherwise. A page of records with other ids is another
//! page. So a differing identifier is a volatile detail only where the rest of the result has substance and is
//! equal, and where few identifiers differ, none of them in rows.

use std::collections::HashMap;

use super::document::{Document, Kind};
use super::keys::Role;
use super::pairs::{Pair, Side};
use super::standing::Standing;
use super::status::is_effect;
use super::views::Scratch;

/// Words beside the identifiers that give a result substance.
const FEWEST_WORDS: usize = 3;
/// Most identifiers that one side effect renews.
const MOST_RENEWED: usize = 3;

/// Identifiers that differ between two documents, each with what became of it.
#[derive(Default)]
pub(super) struct Renewed {
    forward: HashMap<Vec<u8>, Vec<u8>>,
    backward: HashMap<Vec<u8>, Vec<u8>>,
    places: Vec<(bool, usize)>,
    unique_only: bool,
    inconsistent: bool,
    any: bool,
}

impl Renewed {
    /// An empty set.
    pub fn new() -> Renewed {
        Renewed { unique_only: true, ..Renewed::default() }
    }

    /// Was any identifier taken?
    pub fn any(&self) -> bool {
        self.any
    }

    /// Takes the identifiers of two leaves that are equal without them.
    pub fn take(&mut self, a: &Side<'_>, b: &Side<'_>, pair: &Pair, scratch: &mut Scratch) {
        let (Some(left), Some(right)) = (pair.a, pair.b) else { return };
        let (left, left_unique) = identifiers(a.document, left, scratch);
        let (right, right_unique) = identifiers(b.document, right, scratch);
        self.unique_only &= left_unique && right_unique;
        self.inconsistent |= left.len() != right.len();
        for (old, new) in left.into_iter().zip(right) {
            if old == new {
                continue;
            }
            self.any = true;
            self.inconsistent |=
                self.forward.insert(old.clone(), new.clone()).is_some_and(|before| before != new);
            self.inconsistent |= self.backward.insert(new, old.clone()).is_some_and(|before| before != old);
            if let Some(row) = pair.row
                && !self.places.contains(&row)
                && self.places.len() <= MOST_RENEWED
            {
                self.places.push(row);
            }
        }
    }

    /// Is this a side effect made again?
    pub fn is_one_effect(&self, side: &Side<'_>, scratch: &mut Scratch) -> bool {
        let distinct = self.forward.len();
        if self.inconsistent || distinct > MOST_RENEWED {
            return false;
        }
        let in_rows = self.places.iter().any(|&(lines, _)| !lines);
        if distinct > 1 && self.places.len() > 1 || in_rows && !(self.unique_only && distinct == 1) {
            return false;
        }
        let rest = Rest::of(side.document, scratch);
        if self.unique_only { rest.words + rest.scalars > 0 } else { rest.has_substance() }
    }
}

/// The identifiers of a leaf in their order, and whether all of them are unique by their shape.
fn identifiers(document: &Document, index: usize, scratch: &mut Scratch) -> (Vec<Vec<u8>>, bool) {
    let value = document.value(index);
    if document.node(index).kind == Kind::Number {
        return (vec![value.to_vec()], false);
    }
    let role = scratch.role(document.key(index));
    let (pieces, standings) = scratch.weigh(value, role);
    let mut found: Vec<Vec<u8>> = Vec::new();
    let mut unique = true;
    let mut goes_on = false;
    for (piece, standing) in pieces.iter().zip(standings) {
        let here = matches!(standing, Standing::Unique | Standing::Identifier);
        unique &= !matches!(standing, Standing::Identifier);
        match found.last_mut() {
            Some(last) if here && goes_on && !piece.spaced => last.extend_from_slice(piece.of(value)),
            _ if here => found.push(piece.of(value).to_vec()),
            _ => {}
        }
        goes_on = here;
    }
    (found, unique)
}

/// What a document says beside identifiers and volatile details.
#[derive(Default)]
struct Rest {
    words: usize,
    scalars: usize,
    effect: bool,
}

impl Rest {
    fn of(document: &Document, scratch: &mut Scratch) -> Rest {
        let mut rest = Rest::default();
        for index in 0..document.len() {
            if rest.has_substance() {
                break;
            }
            rest.add(document, index, scratch);
        }
        rest
    }

    fn has_substance(&self) -> bool {
        self.effect || self.words + self.scalars >= FEWEST_WORDS
    }

    fn add(&mut self, document: &Document, index: usize, scratch: &mut Scratch) {
        let role = scratch.role(document.key(index));
        match document.node(index).kind {
            Kind::Number if role == Role::Plain => self.scalars += 1,
            Kind::True => {
                self.scalars += 1;
                self.effect |= is_effect(document.key(index));
            }
            Kind::False => self.scalars += 1,
            Kind::Text => self.add_text(document.value(index), role, scratch),
            _ => {}
        }
    }

    /// Counts the words that hold no identifier; what touches one belongs to it (a link, a path).
    fn add_text(&mut self, text: &[u8], role: Role, scratch: &mut Scratch) {
        let (pieces, standings) = scratch.weigh(text, role);
        let mut at = 0;
        while at < pieces.len() {
            let behind =
                pieces[at + 1..].iter().position(|piece| piece.spaced).map_or(pieces.len(), |n| at + 1 + n);
            let plain = standings[at..behind].iter().all(|standing| *standing == Standing::Plain);
            let token =
                pieces[at..behind].iter().find(|piece| super::words::is_token(text[piece.start as usize]));
            if let Some(token) = token.filter(|_| plain) {
                self.words += 1;
                self.effect |= is_effect(token.of(text));
            }
            at = behind;
        }
    }
}
