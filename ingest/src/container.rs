//! How JSON values are packed in a file: one value a line, or one document over all lines.
//!
//! Which of the two it is shows in the first lines: in NDJSON two lines in a row are complete values, which no
//! single document has. One value a line is read in the memory of its longest line.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use crate::json;
use crate::problem::Fault;
use crate::source::{self, Source};

/// The longest line or document, in bytes: three times the largest single trace that is promised to work, so that
/// an endless line ends in a message and not in the machine's memory.
const RECORD_LIMIT: usize = 1 << 30;
/// Lines that are looked at to tell NDJSON with damaged lines from one document.
const SAMPLE_LINES: usize = 5;

/// Consecutive bytes of the content.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) bytes: Vec<u8>,
    /// Line of the first byte, from 1.
    pub(crate) line: u64,
    /// Offset of the first byte in the content, from 0.
    pub(crate) at: u64,
    /// Nothing but one value a line was found so far; otherwise the rest of the file is in here.
    pub(crate) is_line: bool,
    /// Reading failed before the end of it.
    pub(crate) cut: bool,
}

/// Cuts the content into lines.
struct Lines {
    input: Box<dyn BufRead + Send>,
    line: u64,
    at: u64,
    /// Why reading ended before the end.
    failure: Option<String>,
    ended: bool,
}

impl Lines {
    /// The next line that is not blank, without its line end.
    fn next(&mut self) -> Option<Record> {
        while !self.ended {
            let (line, at) = (self.line, self.at);
            let mut bytes = Vec::new();
            self.fill(&mut bytes, true);
            self.line += 1;
            while let Some(b'\n' | b'\r') = bytes.last() {
                bytes.pop();
            }
            if !bytes.trim_ascii().is_empty() {
                return Some(Record { bytes, line, at, is_line: true, cut: self.failure.is_some() });
            }
        }
        None
    }

    /// Appends up to the end of the line, or up to the end of the content.
    fn fill(&mut self, bytes: &mut Vec<u8>, one_line: bool) {
        while !self.ended {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.failure = Some(source::in_words(&error));
                    self.ended = true;
                    return;
                }
            };
            let end = if one_line { memchr::memchr(b'\n', chunk).map(|at| at + 1) } else { None };
            let taken = end.unwrap_or(chunk.len());
            if bytes.len() + taken > RECORD_LIMIT {
                self.failure = Some(format!(
                    "found a line or document of more than {} MiB, expected less: one trace a line (NDJSON) has no \
                     limit on the file",
                    RECORD_LIMIT >> 20
                ));
                self.ended = true;
                return;
            }
            self.ended = taken == 0;
            bytes.extend_from_slice(&chunk[..taken]);
            self.input.consume(taken);
            self.at += taken as u64;
            if end.is_some() {
                return;
            }
        }
    }
}

/// A file's content as records: lines, or the whole of it.
pub(crate) struct Container {
    lines: Lines,
    /// Records that were read ahead.
    ahead: VecDeque<Record>,
}

impl Container {
    /// Reads as much as is needed to tell how the content is packed.
    ///
    /// # Errors
    /// When the content is empty or is no text.
    pub(crate) fn open(source: Source) -> Result<Container, String> {
        let mut lines = Lines { input: source.input, line: 1, at: 0, failure: None, ended: false };
        lines.at = skip_byte_order_mark(&mut lines)?;
        let Some(first) = lines.next() else {
            return Err(lines.failure.unwrap_or_else(|| "found an empty file, expected a trace".into()));
        };
        let mut container = Container { lines, ahead: VecDeque::from([first]) };
        if !container.is_one_value_a_line() {
            container.join();
        }
        Ok(container)
    }

    /// Up to `count` records that [`Container::next`] is going to hand out.
    pub(crate) fn peek(&mut self, count: usize) -> impl Iterator<Item = &Record> {
        while self.ahead.len() < count
            && self.ahead.back().is_some_and(|last| last.is_line)
            && let Some(record) = self.lines.next()
        {
            self.ahead.push_back(record);
        }
        self.ahead.iter().take(count)
    }

    /// The next record.
    pub(crate) fn next(&mut self) -> Option<Record> {
        self.ahead.pop_front().or_else(|| self.lines.next())
    }

    /// Why the content ended before its end, with the offset reached.
    pub(crate) fn failure(&self) -> Option<(&str, u64)> {
        self.lines.failure.as_deref().map(|failure| (failure, self.lines.at))
    }

    fn is_one_value_a_line(&mut self) -> bool {
        if self.peek(2).count() < 2 {
            return false;
        }
        let first = self.ahead[0].bytes.trim_ascii();
        let starts_json = matches!(first.first(), Some(b'{' | b'['));
        if !starts_json || json::is_whole(first) {
            return true;
        }
        let whole: Vec<bool> =
            self.peek(SAMPLE_LINES).skip(1).map(|record| json::is_whole(&record.bytes)).collect();
        match whole[..] {
            // Two lines in all, the first of them broken: either one document or a damaged line and a sound one.
            [true] => !json::is_whole(&[&self.ahead[0].bytes[..], b"\n", &self.ahead[1].bytes].concat()),
            _ => whole.windows(2).any(|pair| pair == [true, true]),
        }
    }

    /// Puts the lines that were read ahead and all others into one record.
    fn join(&mut self) {
        let Some(mut whole) = self.ahead.pop_front() else { return };
        for next in self.ahead.drain(..) {
            // Blank lines between them and stripped line ends count as the white space that they were.
            let gap = (next.at - whole.at) as usize - whole.bytes.len();
            let lines = (next.line - whole.line) as usize - memchr::memchr_iter(b'\n', &whole.bytes).count();
            whole.bytes.extend(std::iter::repeat_n(b' ', gap - lines));
            whole.bytes.extend(std::iter::repeat_n(b'\n', lines));
            whole.bytes.extend_from_slice(&next.bytes);
        }
        if !self.lines.ended {
            let gap = (self.lines.at - whole.at) as usize - whole.bytes.len();
            whole.bytes.extend(std::iter::repeat_n(b'\n', gap.min(1)));
            whole.bytes.extend(std::iter::repeat_n(b' ', gap.saturating_sub(1)));
            self.lines.fill(&mut whole.bytes, false);
        }
        whole.is_line = false;
        whole.cut = self.lines.failure.is_some();
        self.ahead.push_back(whole);
    }
}

/// Skips a UTF-8 byte order mark and refuses what is no text; returns the offset of the first byte of text.
fn skip_byte_order_mark(lines: &mut Lines) -> Result<u64, String> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let head = lines.input.fill_buf().map_err(|error| source::in_words(&error))?;
    let head = &head[..head.len().min(source::HEAD)];
    if let Some(found) = other_file(head) {
        return Err(format!("found {found}, expected JSON text, plain or gzip"));
    }
    let skipped = if head.starts_with(MARK) { MARK.len() } else { 0 };
    lines.input.consume(skipped);
    Ok(skipped as u64)
}

/// What kind of file this is, when it certainly is no JSON text.
fn other_file(head: &[u8]) -> Option<String> {
    const MAGIC: [(&[u8], &str); 9] = [
        (b"PK\x03\x04", "a zip archive"),
        (b"\x28\xb5\x2f\xfd", "a zstd file"),
        (b"\xfd7zXZ\x00", "an xz file"),
        (b"BZh", "a bzip2 file"),
        (b"SQLite format 3\x00", "an SQLite database"),
        (b"PAR1", "a Parquet file"),
        (b"\x1f\x8b", "a gzip file inside a gzip file"),
        (b"\xff\xfe", "UTF-16 text"),
        (b"\xfe\xff", "UTF-16 text"),
    ];
    if let Some((_, name)) = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Some((*name).to_string());
    }
    let nul = memchr::memchr(0, head)?;
    Some(format!("a binary file (byte 0x00 at offset {nul})"))
}

/// Hands out the values of one record: its root values one after the other, or the elements of a root array.
pub(crate) struct Values {
    record: Record,
    at: usize,
    /// Inside an array whose elements are handed out.
    inside: bool,
    /// Values handed out so far.
    pub(crate) count: u64,
    done: bool,
}

impl Values {
    /// The values of `record`. With `split`, the elements of a root array stand for themselves.
    pub(crate) fn new(record: Record, split: bool) -> Values {
        let mut values = Values { record, at: 0, inside: false, count: 0, done: false };
        values.skip_white_space();
        if split && values.peek() == Some(b'[') {
            values.at += 1;
            values.inside = true;
        }
        values
    }

    /// Whether the values are elements of an array.
    pub(crate) fn is_array(&self) -> bool {
        self.inside
    }

    /// Whether the value handed out last ends the record.
    pub(crate) fn is_last(&self) -> bool {
        !self.inside && self.record.bytes[self.at..].trim_ascii_start().is_empty()
    }

    /// The record that they come from.
    pub(crate) fn record(&self) -> &Record {
        &self.record
    }

    /// The next value as a range of the record's bytes. After a fault there is no further value.
    pub(crate) fn next(&mut self) -> Option<Result<std::ops::Range<usize>, Fault>> {
        if self.done {
            return None;
        }
        let result = self.advance();
        self.done = !matches!(result, Some(Ok(_)));
        result
    }

    fn advance(&mut self) -> Option<Result<std::ops::Range<usize>, Fault>> {
        self.skip_white_space();
        if self.inside {
            match self.peek() {
                Some(b']') => {
                    self.at += 1;
                    return self.after_array().map(Err);
                }
                Some(b',') if self.count > 0 => self.at += 1,
                Some(_) if self.count == 0 => {}
                other => return Some(Err(self.wrong_separator(other))),
            }
            self.skip_white_space();
        } else {
            match self.peek()? {
                b'{' | b'[' => {}
                byte if self.count > 0 => return Some(Err(found_after(self.at, byte, "the document"))),
                _ => {}
            }
        }
        let start = self.at;
        // A line that is no array is one value by the rules of NDJSON: whoever reads it finds where it is wrong.
        let length = if self.record.is_line && !self.inside {
            Ok(self.record.bytes.len() - start)
        } else {
            json::value_length(&self.record.bytes[start..])
        };
        match length {
            Ok(length) => {
                self.at = start + length;
                self.count += 1;
                Some(Ok(start..self.at))
            }
            Err(fault) => Some(Err(Fault { at: fault.at + start, ..fault })),
        }
    }

    fn after_array(&mut self) -> Option<Fault> {
        self.skip_white_space();
        let byte = self.peek()?;
        Some(found_after(self.at, byte, "the array"))
    }

    fn wrong_separator(&self, found: Option<u8>) -> Fault {
        match found {
            Some(byte) => {
                Fault::new(self.at, format!("found '{}', expected ',' or ']'", byte.escape_ascii()))
            }
            None => Fault {
                at: self.at,
                message: "the JSON ends early: expected ',' or ']', found the end".into(),
                cut: true,
            },
        }
    }

    fn peek(&self) -> Option<u8> {
        self.record.bytes.get(self.at).copied()
    }

    fn skip_white_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }
}

fn found_after(at: usize, byte: u8, what: &str) -> Fault {
    Fault::new(at, format!("found '{}' after {what}, expected the end", byte.escape_ascii()))
}
