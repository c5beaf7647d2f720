//! Plain text to lines, and the values that stand inside it.
//!
//! A line remembers the line that it stands under: the nearest one before it with less indentation, or a heading
//! (`# …`, `[section]`, `Name:`). Lines may change places, but none may move under another heading. The items of a
//! list (`- …`) are in an order, unless they are rows (`- name: …`), and so are the lines of a board (`#..P#`): each
//! stands under the one before it.

use super::{Document, Kind, html, json, python};

/// A line that is nothing but a line: most values of most results.
pub(super) fn is_plain_line(text: &[u8]) -> bool {
    !matches!(text[0], b'{' | b'[' | b'(' | b'-' | b'`')
        && memchr::memchr3(b'\n', b'\r', b'<', text).is_none()
        && opening(text).is_none()
}

/// Reads a text as its lines; a text of one line is a leaf.
pub(super) fn lines(document: &mut Document, key: (u32, u32), span: (u32, u32)) {
    let span = if html::is_page(document.bytes(span)) { without_tags(document, span) } else { span };
    let owned = document.bytes(span).to_vec();
    let mut text = Text { bytes: &owned, base: span.0, wasted: 0 };
    let open = document.open(Kind::Lines, key);
    let mut outline = Outline::default();
    let mut at = 0;
    while at < owned.len() {
        let end = text.line_end(at);
        if let Some(next) = text.value_in(document, at, end) {
            at = next;
            continue;
        }
        text.line(document, at, end, &mut outline);
        at = end + 1;
    }
    document.close(open);
    only_line(document, open);
}

/// A text of one line needs no list of lines.
fn only_line(document: &mut Document, open: usize) {
    if document.nodes.len() == open + 2 && document.nodes[open + 1].kind == Kind::Text {
        let key = document.nodes[open].key;
        document.nodes.remove(open);
        document.nodes[open].key = key;
        document.nodes[open].end = open as u32 + 1;
    } else if document.nodes.len() == open + 1 {
        document.nodes[open].kind = Kind::Text;
    }
}

fn without_tags(document: &mut Document, span: (u32, u32)) -> (u32, u32) {
    let mut out = Vec::new();
    html::text_of(document.bytes(span), &mut out);
    document.store(&out)
}

/// A text that is being cut into lines.
struct Text<'a> {
    bytes: &'a [u8],
    /// Where it stands in the document's text.
    base: u32,
    /// Bytes that were read for values that turned out to be none.
    wasted: usize,
}

impl Text<'_> {
    /// A line ends at `\n`, and at a `\r` on its own: what stands before that was printed too.
    fn line_end(&self, at: usize) -> usize {
        let lone = |end: &usize| self.bytes[*end] == b'\n' || self.bytes.get(*end + 1) != Some(&b'\n');
        memchr::memchr2_iter(b'\n', b'\r', &self.bytes[at..])
            .map(|length| at + length)
            .find(lone)
            .unwrap_or(self.bytes.len())
    }

    /// One line, unless it is blank or the mark of a fence.
    fn line(&self, document: &mut Document, start: usize, end: usize, outline: &mut Outline) {
        let visible = self.bytes[start..end].trim_ascii_end();
        let text = visible.trim_ascii_start();
        if text.is_empty() {
            outline.blank();
            return;
        }
        if text.starts_with(b"```") {
            return;
        }
        let indent = visible.len() - text.len();
        let from = start + indent;
        let index = document.nodes.len() as u32;
        let board = super::super::words::is_board(text);
        let before = outline.before(indent, is_item(text), index).or(outline.board.filter(|_| board));
        outline.board = board.then_some(index);
        let place = outline.place(indent, heading_of(text), index);
        let under = before.or(place);
        let index = document.leaf(Kind::Text, (0, 0), super::span(self.base, from..from + text.len()));
        document.nodes[index].under = under;
    }

    /// A JSON value or Python literal that begins in this line (at its start, or behind a sentence) and ends a line.
    /// Returns where the next line starts.
    fn value_in(&mut self, document: &mut Document, start: usize, end: usize) -> Option<usize> {
        let offset = opening(&self.bytes[start..end])?;
        // A failed attempt may read to the end of the text: many of them must not.
        if self.wasted > self.bytes.len() || document.texts >= super::TEXT_IN_TEXT {
            return None;
        }
        let from = start + offset;
        let before = self.bytes[start..from].trim_ascii();
        let mark = document.mark();
        if !before.is_empty() && !before.starts_with(b"```") {
            let indent = self.bytes[start..].len() - self.bytes[start..].trim_ascii_start().len();
            let first = start + indent;
            document.leaf(Kind::Text, (0, 0), super::span(self.base, first..first + before.len()));
        }
        document.texts += 1;
        let rest = &self.bytes[from..];
        let read = json::prefix(document, (0, 0), rest)
            .or_else(|json| python::prefix(document, (0, 0), rest).map_err(|python| json + python));
        document.texts -= 1;
        let closed = match read {
            Ok(length) => {
                let line = self.line_end(from + length);
                self.bytes[from + length..line].trim_ascii().is_empty().then_some(line + 1).ok_or(length)
            }
            Err(length) => Err(length),
        };
        closed
            .map_err(|length| {
                self.wasted += length;
                document.rewind(mark);
            })
            .ok()
    }
}

/// Is the line a heading for what follows?
fn heading_of(text: &[u8]) -> bool {
    let section = text.first() == Some(&b'[')
        && text.last() == Some(&b']')
        && text.len() <= 64
        && text[1..].first().is_some_and(|b| b.is_ascii_alphabetic());
    text.starts_with(b"# ") || text.starts_with(b"##") || text.ends_with(b":") || section
}

/// Is the line an item of a list whose order counts? A key before a colon makes it a row.
fn is_item(text: &[u8]) -> bool {
    let item = [b"- ".as_slice(), b"* ", b"+ ", "• ".as_bytes()]
        .into_iter()
        .find_map(|mark| text.strip_prefix(mark));
    item.is_some_and(|item| super::yaml::key_end(item).is_none())
}

/// The lines that the next line may stand under.
#[derive(Default)]
struct Outline {
    /// The last items of the lists that are open.
    items: Vec<(usize, u32)>,
    /// The line before this one, where it is one of a board.
    board: Option<u32>,
    indents: Vec<(usize, u32)>,
    heading: Option<(usize, u32)>,
}

impl Outline {
    fn blank(&mut self) {
        self.indents.clear();
    }

    /// The item before this one in the same list.
    fn before(&mut self, indent: usize, item: bool, index: u32) -> Option<u32> {
        while self.items.last().is_some_and(|&(other, _)| other > indent) {
            self.items.pop();
        }
        let before = self.items.pop_if(|&mut (other, _)| other == indent).map(|(_, line)| line);
        if !item {
            return None;
        }
        // Deep lists keep their outer levels only.
        if self.items.len() < 32 {
            self.items.push((indent, index));
        }
        before
    }

    fn place(&mut self, indent: usize, heading: bool, index: u32) -> Option<u32> {
        while self.indents.last().is_some_and(|&(other, _)| other >= indent) {
            self.indents.pop();
        }
        let under = self.indents.last().map(|&(_, line)| line);
        // Deep outlines keep their outer levels only.
        if self.indents.len() < 32 {
            self.indents.push((indent, index));
        }
        let above = self.heading.filter(|&(other, _)| other <= indent).map(|(_, line)| line);
        if heading {
            self.heading = Some((indent, index));
            return under;
        }
        under.or(above)
    }
}

/// Where a value may begin: an opening bracket at the start of the line, or behind `: ` or `= `.
fn opening(line: &[u8]) -> Option<usize> {
    let starts = |at: usize| {
        let rest = &line[at..];
        let inside = rest[1..].trim_ascii_start().first();
        match rest[0] {
            b'{' => matches!(inside, Some(b'"' | b'\'' | b'}') | None),
            b'[' => matches!(inside, Some(b'"' | b'\'' | b'{' | b'[' | b'(' | b']') | None),
            b'(' => matches!(inside, Some(b'"' | b'\'' | b'(')),
            _ => false,
        }
    };
    let indent = line.len() - line.trim_ascii_start().len();
    if indent < line.len() && starts(indent) {
        return Some(indent);
    }
    let at = memchr::memchr2(b'{', b'[', line)?;
    (at >= 2 && line[at - 1] == b' ' && matches!(line[at - 2], b':' | b'=') && starts(at)).then_some(at)
}
