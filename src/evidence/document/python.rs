//! Python literals to nodes: what `print` of a dict, list, tuple or set shows.

use super::{DEPTH, Document, Kind};

/// Reads the literal at the beginning of `bytes` and returns where it ends. When there is none, leaves the document as
/// it was and returns how many bytes were read to find out.
pub(super) fn prefix(document: &mut Document, key: (u32, u32), bytes: &[u8]) -> Result<usize, usize> {
    let mark = document.mark();
    let mut reader = Reader { bytes, at: 0 };
    if reader.value(document, key).is_some() {
        return Ok(reader.at);
    }
    document.rewind(mark);
    Err(reader.at.min(bytes.len()))
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn value(&mut self, document: &mut Document, key: (u32, u32)) -> Option<()> {
        if document.depth >= DEPTH {
            return None;
        }
        self.blanks();
        match *self.bytes.get(self.at)? {
            b'{' => self.braces(document, key),
            b'[' => self.items(document, key, b']'),
            b'(' => self.items(document, key, b')'),
            b'\'' | b'"' => {
                let at = self.string(document)?;
                document.text_value(key, at);
                Some(())
            }
            b'-' | b'+' | b'.' | b'0'..=b'9' => self.number(document, key),
            byte if byte.is_ascii_alphabetic() || byte == b'_' => self.word(document, key),
            _ => None,
        }
    }

    /// A dict, or a set.
    fn braces(&mut self, document: &mut Document, key: (u32, u32)) -> Option<()> {
        self.at += 1;
        let open = document.open(Kind::Object, key);
        loop {
            self.blanks();
            if self.take(b'}') {
                break;
            }
            let mark = document.mark();
            let start = self.at;
            let member = self.key(document)?;
            self.blanks();
            if !self.take(b':') {
                // A set: an item that has no value.
                document.rewind(mark);
                self.at = start;
                self.value(document, (0, 0))?;
            } else {
                self.value(document, member)?;
            }
            self.separator(b'}')?;
        }
        document.close(open);
        Some(())
    }

    /// The key of a dict: a string, or anything else as it is spelled.
    fn key(&mut self, document: &mut Document) -> Option<(u32, u32)> {
        self.blanks();
        if matches!(self.bytes.get(self.at)?, b'\'' | b'"') {
            return self.string(document);
        }
        let start = self.at;
        let mut depth = 0usize;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'(' => depth += 1,
                b')' if depth > 0 => depth -= 1,
                b':' | b',' | b'}' if depth == 0 => break,
                b'\n' | b'{' | b'[' => return None,
                _ => {}
            }
            if self.at - start > 256 {
                return None;
            }
            self.at += 1;
        }
        let spelled = self.bytes[start..self.at].trim_ascii();
        (!spelled.is_empty()).then(|| document.store(spelled))
    }

    fn items(&mut self, document: &mut Document, key: (u32, u32), close: u8) -> Option<()> {
        self.at += 1;
        let open = document.open(Kind::List, key);
        loop {
            self.blanks();
            if self.take(close) {
                break;
            }
            self.value(document, (0, 0))?;
            self.separator(close)?;
        }
        document.close(open);
        Some(())
    }

    /// A comma, or the end that the caller will take.
    fn separator(&mut self, close: u8) -> Option<()> {
        self.blanks();
        let byte = *self.bytes.get(self.at)?;
        (self.take(b',') || byte == close).then_some(())
    }

    fn number(&mut self, document: &mut Document, key: (u32, u32)) -> Option<()> {
        let start = self.at;
        while self
            .bytes
            .get(self.at)
            .is_some_and(|b| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.' | b'e' | b'E' | b'_'))
        {
            self.at += 1;
        }
        let spelled = &self.bytes[start..self.at];
        let closed = self.bytes.get(self.at).is_none_or(|b| !b.is_ascii_alphanumeric());
        std::str::from_utf8(spelled).ok()?.parse::<f64>().ok().filter(|_| closed)?;
        let at = document.store(spelled);
        document.leaf(Kind::Number, key, at);
        Some(())
    }

    /// `True`, `None`, a name, or a call such as `datetime.date(2025, 5, 1)`, which is a list under its name.
    fn word(&mut self, document: &mut Document, key: (u32, u32)) -> Option<()> {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.')) {
            self.at += 1;
        }
        let word = &self.bytes[start..self.at];
        match (word, self.bytes.get(self.at)) {
            (b"b" | b"u" | b"r" | b"B" | b"U", Some(b'\'' | b'"')) => {
                let at = self.string(document)?;
                document.text_value(key, at);
            }
            (b"True" | b"true", _) => {
                let at = document.store(b"true");
                document.leaf(Kind::True, key, at);
            }
            (b"False" | b"false", _) => {
                let at = document.store(b"false");
                document.leaf(Kind::False, key, at);
            }
            (b"None" | b"null", _) => {
                let at = document.store(b"null");
                document.leaf(Kind::Null, key, at);
            }
            (b"nan" | b"inf" | b"NaN", _) => {
                let at = document.store(word);
                document.leaf(Kind::Text, key, at);
            }
            (name, Some(b'(')) => {
                let open = document.open(Kind::Object, key);
                let at = document.store(name);
                self.items(document, at, b')')?;
                document.close(open);
            }
            _ => return None,
        }
        Some(())
    }

    /// A string in either kind of quotes, its escapes decoded.
    fn string(&mut self, document: &mut Document) -> Option<(u32, u32)> {
        let quote = *self.bytes.get(self.at)?;
        self.at += 1;
        let start = document.text.len() as u32;
        loop {
            let rest = &self.bytes[self.at..];
            let stop = memchr::memchr2(quote, b'\\', rest)?;
            document.text.extend_from_slice(&rest[..stop]);
            self.at += stop + 1;
            if rest[stop] == quote {
                break;
            }
            let escape = *self.bytes.get(self.at)?;
            self.at += 1;
            match escape {
                b'n' => document.text.push(b'\n'),
                b't' => document.text.push(b'\t'),
                b'r' => document.text.push(b'\r'),
                b'\\' | b'\'' | b'"' => document.text.push(escape),
                other => document.text.extend_from_slice(&[b'\\', other]),
            }
        }
        Some((start, document.text.len() as u32))
    }

    fn take(&mut self, byte: u8) -> bool {
        let there = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(there);
        there
    }

    fn blanks(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }
}
