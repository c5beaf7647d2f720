//! YAML, as programs print it: block mappings and sequences, plain and quoted scalars, empty flow collections.
//!
//! Whatever is not clearly that is plain text: a log whose lines have colons must not become a mapping.

use super::{DEPTH, Document, Kind};

/// Reads the text at `span` as YAML: at least two keys, one key with a block, or a sequence of mappings. Leaves the document as it was
/// and returns `false` when it is none.
pub(super) fn whole(document: &mut Document, key: (u32, u32), span: (u32, u32)) -> bool {
    let bytes = document.bytes(span);
    if !looks_like_yaml(bytes) {
        return false;
    }
    let owned = bytes.to_vec();
    let mark = document.mark();
    let mut reader = Reader { text: &owned, at: 0, base: span.0 };
    let read = reader.block(document, key, 0).is_some() && reader.line().is_none();
    if !read {
        document.rewind(mark);
    }
    read
}

/// A cheap look at the first lines: keys or dashes only.
fn looks_like_yaml(text: &[u8]) -> bool {
    let Some(first) = text.split(|&b| b == b'\n').next() else { return false };
    let sequence = first.starts_with(b"- ");
    let content = first.strip_prefix(b"- ").unwrap_or(first);
    key_end(content).is_some() && (sequence || memchr::memchr(b'\n', text).is_some())
}

/// The end of the key of `key: …` or `key:`.
pub(super) fn key_end(line: &[u8]) -> Option<usize> {
    let line = line.trim_ascii_end();
    let at = memchr::memchr(b':', line)?;
    let key = &line[..at];
    let closed = at + 1 == line.len() || line[at + 1] == b' ';
    let letters = key.first().is_some_and(|&b| b.is_ascii_alphabetic() || b == b'_' || b >= 0x80);
    let plain = key.iter().all(|&b| {
        b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b' ' | b'.' | b'(' | b')') || b >= 0x80
    });
    (closed && letters && plain && at <= 48).then_some(at)
}

#[derive(Clone, Copy)]
struct Line {
    start: usize,
    end: usize,
    indent: usize,
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    base: u32,
}

impl<'a> Reader<'a> {
    /// The next line that is not blank, without moving on.
    fn line(&mut self) -> Option<Line> {
        loop {
            if self.at >= self.text.len() {
                return None;
            }
            let rest = &self.text[self.at..];
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let indent = rest[..length].iter().take_while(|&&b| b == b' ').count();
            if rest[..length].trim_ascii().is_empty() {
                self.at += length + 1;
                continue;
            }
            return Some(Line { start: self.at + indent, end: self.at + length, indent });
        }
    }

    fn bytes(&self, line: Line) -> &'a [u8] {
        self.text[line.start..line.end].trim_ascii_end()
    }

    fn span(&self, start: usize, end: usize) -> (u32, u32) {
        super::span(self.base, start..end)
    }

    /// A mapping or sequence whose lines are indented by `indent`.
    fn block(&mut self, document: &mut Document, key: (u32, u32), indent: usize) -> Option<()> {
        let line = self.line()?;
        if document.depth >= DEPTH || line.indent != indent {
            return None;
        }
        if is_item(self.bytes(line)) {
            self.sequence(document, key, indent)
        } else {
            self.mapping(document, key, indent, None)
        }
    }

    fn sequence(&mut self, document: &mut Document, key: (u32, u32), indent: usize) -> Option<()> {
        let open = document.open(Kind::List, key);
        while let Some(line) = self.line().filter(|line| line.indent == indent && is_item(self.bytes(*line)))
        {
            let text = self.bytes(line);
            let inner = text[1..].trim_ascii_start();
            let offset = text.len() - inner.len();
            if inner.is_empty() {
                self.at = line.end + 1;
                let deeper = self.line()?.indent;
                self.block(document, (0, 0), deeper)?;
            } else if key_end(inner).is_some() && !matches!(inner[0], b'\'' | b'"') {
                let entry = Line { start: line.start + offset, end: line.end, indent: indent + offset };
                self.mapping(document, (0, 0), indent + offset, Some(entry))?;
            } else {
                self.scalar(document, (0, 0), line.start + offset, line.end, indent)?;
            }
        }
        document.close(open);
        Some(())
    }

    fn mapping(
        &mut self,
        document: &mut Document,
        key: (u32, u32),
        indent: usize,
        first: Option<Line>,
    ) -> Option<()> {
        let open = document.open(Kind::Object, key);
        let mut seen: Vec<u64> = Vec::new();
        let mut nested = false;
        let mut next = first;
        loop {
            let line = match next.take() {
                Some(line) => line,
                None => match self.line() {
                    Some(line) if line.indent == indent => line,
                    Some(line) if line.indent > indent => return None,
                    _ => break,
                },
            };
            let text = self.bytes(line);
            if is_item(text) {
                if indent == 0 {
                    return None;
                }
                break;
            }
            let end = key_end(text)?;
            let name = super::super::hash::of_bytes(&text[..end]);
            if seen.contains(&name) || seen.len() >= 256 {
                return None;
            }
            seen.push(name);
            let member = self.span(line.start, line.start + end);
            let value = text[end + 1..].trim_ascii_start();
            if value.is_empty() {
                nested = true;
                self.nested(document, member, line, indent)?;
            } else {
                let start = line.start + text.len() - value.len();
                self.scalar(document, member, start, line.end, indent)?;
            }
        }
        document.close(open);
        (first.is_some() || seen.len() >= 2 || nested || document.depth > 0).then_some(())
    }

    /// The value of a key that stands on the following lines, or nothing.
    fn nested(&mut self, document: &mut Document, key: (u32, u32), line: Line, indent: usize) -> Option<()> {
        self.at = line.end + 1;
        match self.line() {
            Some(next) if next.indent > indent => self.block(document, key, next.indent),
            Some(next) if next.indent == indent && is_item(self.bytes(next)) => {
                self.sequence(document, key, indent)
            }
            _ => {
                let at = document.store(b"null");
                document.leaf(Kind::Null, key, at);
                Some(())
            }
        }
    }

    /// A scalar that starts at `start`; it may go on over lines that are indented deeper than `indent`.
    fn scalar(
        &mut self,
        document: &mut Document,
        key: (u32, u32),
        start: usize,
        line_end: usize,
        indent: usize,
    ) -> Option<()> {
        let text = self.text[start..line_end].trim_ascii_end();
        match text {
            b"[]" | b"{}" => {
                self.at = line_end + 1;
                let open = document.open(if text == b"[]" { Kind::List } else { Kind::Object }, key);
                document.close(open);
                return Some(());
            }
            b"null" | b"~" => {
                self.at = line_end + 1;
                let at = document.store(b"null");
                document.leaf(Kind::Null, key, at);
                return Some(());
            }
            _ => {}
        }
        let end = match text[0] {
            quote @ (b'\'' | b'"') => match quoted_end(&self.text[start..], quote) {
                Some(length) => start + length,
                None => return None,
            },
            b'|' | b'>' if text.len() <= 3 => self.deeper_end(line_end, indent),
            _ => {
                // ": " inside a plain scalar is not YAML: the line belongs to a log.
                if memchr::memmem::find(text, b": ").is_some() || text.ends_with(b":") {
                    return None;
                }
                self.deeper_end(line_end, indent)
            }
        };
        let behind = memchr::memchr(b'\n', &self.text[end..]).map_or(self.text.len(), |at| end + at);
        if !self.text[end..behind].trim_ascii().is_empty() {
            return None;
        }
        self.at = behind + 1;
        let quoted = matches!(text[0], b'\'' | b'"');
        let inside = if quoted { self.span(start + 1, end - 1) } else { self.span(start, end) };
        self.leaf(document, key, inside, if quoted { text[0] } else { 0 });
        Some(())
    }

    /// One value: a number or `true` where it is plain, else a text.
    fn leaf(&self, document: &mut Document, key: (u32, u32), inside: (u32, u32), quote: u8) {
        let bytes = document.bytes(inside).trim_ascii();
        match bytes {
            b"true" if quote == 0 => document.leaf(Kind::True, key, inside),
            b"false" if quote == 0 => document.leaf(Kind::False, key, inside),
            _ => {
                let escaped = quote == b'"' && memchr::memchr(b'\\', bytes).is_some();
                let inside = if escaped {
                    let decoded = decode(bytes);
                    document.store(&decoded)
                } else {
                    inside
                };
                document.text_value(key, inside);
                0
            }
        };
    }

    /// The end of the lines that belong to a scalar because they are indented deeper than `indent`.
    fn deeper_end(&self, line_end: usize, indent: usize) -> usize {
        let mut end = line_end;
        let mut next = line_end + 1;
        while next < self.text.len() {
            let rest = &self.text[next..];
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let line = &rest[..length];
            if !line.trim_ascii().is_empty() {
                if line.iter().take_while(|&&b| b == b' ').count() <= indent {
                    break;
                }
                end = next + length;
            }
            next += length + 1;
        }
        end
    }
}

fn is_item(line: &[u8]) -> bool {
    line == b"-" || line.starts_with(b"- ")
}

/// The length of a quoted scalar with its quotes.
fn quoted_end(text: &[u8], quote: u8) -> Option<usize> {
    let mut at = 1;
    loop {
        let stop = at + memchr::memchr2(quote, b'\\', text.get(at..)?)?;
        if text[stop] == quote {
            if quote == b'\'' && text.get(stop + 1) == Some(&b'\'') {
                at = stop + 2;
                continue;
            }
            return Some(stop + 1);
        }
        at = stop + if quote == b'"' { 2 } else { 1 };
    }
}

/// The escapes of a double-quoted scalar that print on a line of their own: `\n`, and a folded line end.
fn decode(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        out.extend_from_slice(&rest[..at]);
        let skip = match rest.get(at + 1) {
            Some(b'n') => {
                out.push(b'\n');
                2
            }
            Some(b't') => {
                out.push(b'\t');
                2
            }
            Some(b'\n') => 2 + rest[at + 2..].iter().take_while(|b| b.is_ascii_whitespace()).count(),
            Some(&other) => {
                out.push(other);
                2
            }
            None => 1,
        };
        rest = &rest[at + skip..];
    }
    out.extend_from_slice(rest);
    out
}
