//! JSON text → canonical JSON: one spelling for each value.
//!
//! The form is that of RFC 8785 with two changes: keys are sorted by their decoded UTF-8 bytes (RFC 8785 sorts
//! by UTF-16 units), and numbers are exact ([`crate::json::push_number`]). The last of duplicate keys wins, as in every
//! common parser.
//!
//! Tokens are written out as they are read. Each open object remembers where its members begin in the output;
//! only an object whose keys did not come in ascending order is put in order when it closes, by moving whole
//! members. There is no recursion, and all buffers are reused.

use super::ignore::Ignore;
use super::string::push_string;
use super::{MAX_DEPTH, Scanner, Token};
use crate::json::{Error, Text, push_number};
use std::cmp::Ordering;

/// Writes canonical JSON, with the buffers for it.
#[derive(Default)]
pub(super) struct Writer {
    /// The open objects and arrays, outermost first.
    frames: Vec<Frame>,
    /// The members of all open objects, outermost object first.
    members: Vec<Member>,
    /// Decoded keys of those members that were spelled with escapes.
    decoded: Vec<u8>,
    /// An object's members while they are put in order; a string value while it is decoded.
    scratch: Vec<u8>,
}

/// An open object or array.
struct Frame {
    object: bool,
    /// Every key so far was greater than the one before it.
    ascending: bool,
    /// Where its contents begin in the output.
    start: usize,
    /// Where its members begin in [`Writer::members`].
    members: usize,
    /// Where its keys begin in [`Writer::decoded`].
    decoded: usize,
}

/// A member of an open object.
#[derive(Clone, Copy)]
struct Member {
    key: Key,
    /// Where it begins in the output: at the quote of its key.
    start: usize,
    /// Where it ends in the output; known once the object is put in order.
    end: usize,
}

/// A decoded key: where its bytes are, and the first of them.
#[derive(Clone, Copy)]
struct Key {
    /// The first eight bytes, big endian, padded with zeros: settles most comparisons alone.
    prefix: u64,
    at: usize,
    length: usize,
    /// The bytes are in [`Writer::decoded`]; else they stand in the output as they are.
    escaped: bool,
}

impl Key {
    fn new(bytes: &[u8], at: usize, escaped: bool) -> Key {
        let prefix = match bytes.first_chunk() {
            Some(chunk) => u64::from_be_bytes(*chunk),
            None => {
                let short = bytes.iter().fold(0, |prefix, byte| prefix << 8 | u64::from(*byte));
                short.checked_shl(8 * (8 - bytes.len() as u32)).unwrap_or(0)
            }
        };
        Key { prefix, at, length: bytes.len(), escaped }
    }

    fn bytes<'b>(&self, output: &'b [u8], decoded: &'b [u8]) -> &'b [u8] {
        let buffer = if self.escaped { decoded } else { output };
        &buffer[self.at..self.at + self.length]
    }

    fn compare(&self, other: &Key, output: &[u8], decoded: &[u8]) -> Ordering {
        self.prefix
            .cmp(&other.prefix)
            .then_with(|| self.bytes(output, decoded).cmp(other.bytes(output, decoded)))
    }
}

impl Writer {
    /// Appends the canonical form of `json` to `output`, without what `ignore` names.
    ///
    /// # Errors
    /// When `json` is not one JSON value or nested deeper than [`MAX_DEPTH`]; `output` then ends in a part of it.
    pub(super) fn write(
        &mut self,
        json: &[u8],
        ignore: Ignore<'_>,
        output: &mut Vec<u8>,
    ) -> Result<(), Error> {
        self.frames.clear();
        self.members.clear();
        self.decoded.clear();
        let mut scanner = Scanner::new(json, MAX_DEPTH);
        // Matched where it is returned: a token that is moved first costs more than most tokens do.
        loop {
            match scanner.next_token()? {
                None => return Ok(()),
                Some(Token::Key(text)) => {
                    if !self.open_member(text, ignore, output) {
                        let value = scanner.next_token()?.expect("a value follows its key");
                        scanner.skip_rest_of(value)?;
                    }
                }
                Some(Token::String(text)) => {
                    self.separate(output);
                    self.push_text(text, output);
                }
                Some(Token::Number(spelled)) => {
                    self.separate(output);
                    push_number(spelled, output);
                }
                Some(Token::Bool(value)) => {
                    self.separate(output);
                    output.extend_from_slice(if value { b"true" } else { b"false" });
                }
                Some(Token::Null) => {
                    self.separate(output);
                    output.extend_from_slice(b"null");
                }
                Some(Token::ObjectStart) => self.open(true, output),
                Some(Token::ArrayStart) => self.open(false, output),
                Some(Token::ObjectEnd) => self.close_object(output),
                Some(Token::ArrayEnd) => self.close_array(output),
            }
        }
    }

    /// Writes the comma between an array's elements; the one between members is written with the key.
    fn separate(&self, output: &mut Vec<u8>) {
        if self.frames.last().is_some_and(|frame| !frame.object && output.len() > frame.start) {
            output.push(b',');
        }
    }

    fn push_text(&mut self, text: Text<'_>, output: &mut Vec<u8>) {
        match text.minimal() {
            Some(minimal) => push_quoted(minimal, output),
            None => {
                self.scratch.clear();
                text.decode_into(&mut self.scratch);
                push_string(&self.scratch, output);
            }
        }
    }

    fn open(&mut self, object: bool, output: &mut Vec<u8>) {
        self.separate(output);
        output.push(if object { b'{' } else { b'[' });
        self.frames.push(Frame {
            object,
            ascending: true,
            start: output.len(),
            members: self.members.len(),
            decoded: self.decoded.len(),
        });
    }

    /// Writes a member's key, unless the member is ignored: then false.
    fn open_member(&mut self, text: Text<'_>, ignore: Ignore<'_>, output: &mut Vec<u8>) -> bool {
        let decoded_at = self.decoded.len();
        let plain = text.plain();
        if plain.is_none() {
            text.decode_into(&mut self.decoded);
        }
        let bytes = plain.unwrap_or(&self.decoded[decoded_at..]);
        if !ignore.is_empty() && ignore.covers(self.path(output), bytes) {
            self.decoded.truncate(decoded_at);
            return false;
        }
        let frame = self.frames.last_mut().expect("a key stands in an object");
        let first = self.members.len() == frame.members;
        if !first {
            output.push(b',');
        }
        let start = output.len();
        let key = match plain {
            Some(plain) => {
                push_quoted(plain, output);
                Key::new(plain, start + 1, false)
            }
            None => {
                push_string(bytes, output);
                Key::new(bytes, decoded_at, true)
            }
        };
        output.push(b':');
        if let Some(previous) = self.members.last().filter(|_| !first) {
            frame.ascending &= previous.key.compare(&key, output, &self.decoded).is_lt();
        }
        self.members.push(Member { key, start, end: start });
        true
    }

    /// The keys that lead to the innermost open object, outermost first.
    fn path<'b>(&'b self, output: &'b [u8]) -> impl Iterator<Item = &'b [u8]> + Clone {
        // The member in which a frame was opened is the last one that was there at that time.
        self.frames.windows(2).filter(|pair| pair[0].object).map(|pair| {
            let member = &self.members[pair[1].members - 1];
            member.key.bytes(output, &self.decoded)
        })
    }

    fn close_object(&mut self, output: &mut Vec<u8>) {
        let frame = self.frames.pop().expect("an end closes an object");
        if !frame.ascending {
            self.sort(&frame, output);
        }
        self.members.truncate(frame.members);
        self.decoded.truncate(frame.decoded);
        output.push(b'}');
    }

    fn close_array(&mut self, output: &mut Vec<u8>) {
        self.frames.pop();
        output.push(b']');
    }

    /// Puts the members of an object in order; of duplicate keys the last stays.
    fn sort(&mut self, frame: &Frame, output: &mut Vec<u8>) {
        let Writer { members, decoded, scratch, .. } = self;
        let members = &mut members[frame.members..];
        let mut end = output.len();
        for member in members.iter_mut().rev() {
            member.end = end;
            end = member.start - 1;
        }
        members.sort_unstable_by(|a, b| {
            a.key.compare(&b.key, output, decoded).then_with(|| a.start.cmp(&b.start))
        });
        scratch.clear();
        for (place, member) in members.iter().enumerate() {
            let overridden = members
                .get(place + 1)
                .is_some_and(|next| next.key.compare(&member.key, output, decoded).is_eq());
            if !overridden {
                scratch.extend_from_slice(&output[member.start..member.end]);
                scratch.push(b',');
            }
        }
        scratch.pop();
        output.truncate(frame.start);
        output.extend_from_slice(scratch);
    }
}

/// Appends the inside of a string that is spelled canonically, in quotes.
fn push_quoted(inside: &[u8], output: &mut Vec<u8>) {
    output.push(b'"');
    output.extend_from_slice(inside);
    output.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(json: &str) -> String {
        without(json, &[])
    }

    fn without(json: &str, ignore: &[&str]) -> String {
        let ignore: Vec<String> = ignore.iter().map(|entry| entry.to_string()).collect();
        let mut output = Vec::new();
        Writer::default().write(json.as_bytes(), Ignore(&ignore), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn one_spelling_for_each_value() {
        let cases = [
            (" { \"b\" : [ 1 , 2.0 ] , \"a\" : null } ", r#"{"a":null,"b":[1,2]}"#),
            (r#"{"b":{"d":1,"c":2},"a":{"f":3,"e":4}}"#, r#"{"a":{"e":4,"f":3},"b":{"c":2,"d":1}}"#),
            (r#"[{"b":1,"a":2},[],{},[{}]]"#, r#"[{"a":2,"b":1},[],{},[{}]]"#),
            (r#"["\u0041\/","\u007f","é"]"#, "[\"A/\",\"\u{7f}\",\"é\"]"),
            (r#"[true,false,null,-0]"#, "[true,false,null,0]"),
        ];
        for (json, expected) in cases {
            assert_eq!(canonical(json), expected, "{json}");
        }
    }

    #[test]
    fn keys_are_sorted_by_their_decoded_bytes() {
        // In UTF-16 (RFC 8785) the surrogates of U+1F600 sort before U+FF61; in UTF-8 after it.
        assert_eq!(canonical(r#"{"\ud83d\ude00":1,"\uff61":2}"#), "{\"\u{ff61}\":2,\"😀\":1}");
        // As it is spelled, the escape would sort behind the letter.
        assert_eq!(canonical(r#"{"B":1,"\u0041":2,"\n":3}"#), r#"{"\n":3,"A":2,"B":1}"#);
        assert_eq!(canonical(r#"{"\ud800":1,"z":2}"#), r#"{"z":2,"\ud800":1}"#);
        assert_eq!(canonical(r#"{"ab":1,"a":2,"":3,"a\u0000":4}"#), r#"{"":3,"a":2,"a\u0000":4,"ab":1}"#);
        assert_eq!(canonical(r#"{"prefix_long_b":1,"prefix_long_a":2,"prefix_l":3}"#), {
            r#"{"prefix_l":3,"prefix_long_a":2,"prefix_long_b":1}"#
        });
    }

    #[test]
    fn the_last_of_duplicate_keys_wins() {
        assert_eq!(canonical(r#"{"a":1,"a":2}"#), r#"{"a":2}"#);
        assert_eq!(canonical(r#"{"a":1,"b":0,"\u0061":[2],"a":{"c":3,"c":4}}"#), r#"{"a":{"c":4},"b":0}"#);
    }

    #[test]
    fn ignored_members_leave_nothing_behind() {
        let json = r#"{"id":1,"q":{"id":2,"page":3},"list":[{"id":4,"page":5}],"q.page":6}"#;
        let cases: &[(&[&str], &str)] = &[
            (&["id"], r#"{"list":[{"page":5}],"q":{"page":3},"q.page":6}"#),
            (&["q.page"], r#"{"id":1,"list":[{"id":4,"page":5}],"q":{"id":2}}"#),
            (&["list.page", "q"], r#"{"id":1,"list":[{"id":4}],"q.page":6}"#),
            (&["q.id", "list", "q.page", "id"], r#"{"q":{}}"#),
            (&["page.q", "q.", ".q", "", "q.page.x"], {
                r#"{"id":1,"list":[{"id":4,"page":5}],"q":{"id":2,"page":3},"q.page":6}"#
            }),
        ];
        for (ignore, expected) in cases {
            assert_eq!(without(json, ignore), *expected, "{ignore:?}");
        }
        assert_eq!(without(r#"[[{"a":{"\u0062":[{"c":1}]}}]]"#, &["a.b.c"]), r#"[[{"a":{"b":[{}]}}]]"#);
    }

    #[test]
    fn what_is_ignored_must_still_be_json() {
        let ignore = ["a".to_string()];
        let result = Writer::default().write(br#"{"a":{"b":}}"#, Ignore(&ignore), &mut Vec::new());
        assert_eq!(result.unwrap_err().at, 10);
    }
}
