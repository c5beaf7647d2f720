//! Tokens of a JSON text, checked against the grammar as they are handed out.

use super::Text;
use super::plain::plain_prefix;
use super::string::Escapes;

/// The deepest nesting that any scanner accepts. Deeper input is an error, not a crash: real arguments and
/// results stay below 20.
pub const DEPTH_LIMIT: usize = 512;

/// One token. Commas and colons are checked and left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// `{`
    ObjectStart,
    /// `}`
    ObjectEnd,
    /// `[`
    ArrayStart,
    /// `]`
    ArrayEnd,
    /// A member's name; its value follows.
    Key(Text<'a>),
    /// A string value.
    String(Text<'a>),
    /// A number as it is spelled.
    Number(&'a [u8]),
    /// `true` or `false`
    Bool(bool),
    /// `null`
    Null,
}

/// What is wrong with a JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Another byte, or the end, stands where the grammar wants something.
    Expected(&'static str),
    /// Nested deeper than the scanner allows.
    TooDeep(usize),
    /// A string is not UTF-8.
    NotUtf8,
}

/// Where and why scanning stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// Offset of the byte that does not fit, from 0.
    pub at: usize,
    /// That byte; `None` at the end of the input.
    pub found: Option<u8>,
    /// What is wrong.
    pub fault: Fault,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "byte {}: ", self.at)?;
        match self.fault {
            Fault::Expected(what) => write!(f, "expected {what}")?,
            Fault::TooDeep(limit) => {
                return write!(f, "nested deeper than the limit of {limit}");
            }
            Fault::NotUtf8 => return write!(f, "expected UTF-8 text"),
        }
        match self.found {
            Some(byte) if byte.is_ascii_graphic() => write!(f, ", found '{}'", byte as char),
            Some(byte) => write!(f, ", found byte 0x{byte:02x}"),
            None => write!(f, ", found the end of the input"),
        }
    }
}

impl std::error::Error for Error {}

/// Scanning cannot go on; why is in [`Scanner::failed`], so that the results of the inner functions fit a register.
struct Stopped;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    Value,
    ValueOrArrayEnd,
    KeyOrObjectEnd,
    Key,
    CommaOrEnd,
    Nothing,
}

/// Hands out the tokens of one JSON text, front to back.
///
/// After an error or the end, every further call gives the same answer.
#[derive(Clone)]
pub struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    expect: Expect,
    depth: usize,
    max_depth: usize,
    /// One bit a level: set for an object, clear for an array.
    in_object: [u64; DEPTH_LIMIT / 64],
    failed: Option<Error>,
}

impl<'a> Scanner<'a> {
    /// A scanner over `bytes`, which must hold exactly one JSON value, nested at most `max_depth` deep
    /// (at most [`DEPTH_LIMIT`]).
    pub fn new(bytes: &'a [u8], max_depth: usize) -> Self {
        Scanner {
            bytes,
            at: 0,
            expect: Expect::Value,
            depth: 0,
            max_depth: max_depth.min(DEPTH_LIMIT),
            in_object: [0; DEPTH_LIMIT / 64],
            failed: None,
        }
    }

    /// Offset of the first byte that was not read yet.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// How many objects and arrays are open.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The next token, or `None` once the value is complete and nothing but white space follows.
    ///
    /// # Errors
    /// When the text is not JSON, is nested too deeply, or a string is not UTF-8.
    pub fn next_token(&mut self) -> Result<Option<Token<'a>>, Error> {
        if self.failed.is_none()
            && let Ok(token) = self.advance()
        {
            return Ok(token);
        }
        Err(self.failed.expect("what stopped the scanner is kept"))
    }

    /// Reads on to the end of the value whose first token was handed out last, when that token opened an
    /// object or array; does nothing for other tokens.
    ///
    /// # Errors
    /// As [`Scanner::next_token`].
    pub fn skip_rest_of(&mut self, first: Token<'a>) -> Result<(), Error> {
        if !matches!(first, Token::ObjectStart | Token::ArrayStart) {
            return Ok(());
        }
        let outside = self.depth - 1;
        while self.depth > outside {
            self.next_token()?;
        }
        Ok(())
    }

    #[inline(always)]
    fn advance(&mut self) -> Result<Option<Token<'a>>, Stopped> {
        loop {
            self.skip_white_space();
            let Some(&byte) = self.bytes.get(self.at) else {
                return match self.expect {
                    Expect::Nothing => Ok(None),
                    _ => Err(self.unexpected()),
                };
            };
            match (self.expect, byte) {
                (Expect::Value | Expect::ValueOrArrayEnd, b'"') => {
                    let text = self.string()?;
                    self.value_done();
                    return Ok(Some(Token::String(text)));
                }
                (Expect::Key | Expect::KeyOrObjectEnd, b'"') => {
                    let text = self.string()?;
                    self.skip_white_space();
                    if self.bytes.get(self.at) != Some(&b':') {
                        return Err(self.expected("':'"));
                    }
                    self.at += 1;
                    self.expect = Expect::Value;
                    return Ok(Some(Token::Key(text)));
                }
                (Expect::Value | Expect::ValueOrArrayEnd, b'{') => {
                    self.open(true)?;
                    return Ok(Some(Token::ObjectStart));
                }
                (Expect::Value | Expect::ValueOrArrayEnd, b'[') => {
                    self.open(false)?;
                    return Ok(Some(Token::ArrayStart));
                }
                (Expect::KeyOrObjectEnd, b'}') => {
                    self.close();
                    return Ok(Some(Token::ObjectEnd));
                }
                (Expect::ValueOrArrayEnd, b']') => {
                    self.close();
                    return Ok(Some(Token::ArrayEnd));
                }
                (Expect::CommaOrEnd, b'}') if self.inside_object() => {
                    self.close();
                    return Ok(Some(Token::ObjectEnd));
                }
                (Expect::CommaOrEnd, b']') if !self.inside_object() => {
                    self.close();
                    return Ok(Some(Token::ArrayEnd));
                }
                (Expect::CommaOrEnd, b',') => {
                    self.at += 1;
                    self.expect = if self.inside_object() { Expect::Key } else { Expect::Value };
                }
                (Expect::Value | Expect::ValueOrArrayEnd, b'-' | b'0'..=b'9') => {
                    let start = self.at;
                    self.number()?;
                    self.value_done();
                    return Ok(Some(Token::Number(&self.bytes[start..self.at])));
                }
                (Expect::Value | Expect::ValueOrArrayEnd, b't') => {
                    self.literal("true")?;
                    return Ok(Some(Token::Bool(true)));
                }
                (Expect::Value | Expect::ValueOrArrayEnd, b'f') => {
                    self.literal("false")?;
                    return Ok(Some(Token::Bool(false)));
                }
                (Expect::Value | Expect::ValueOrArrayEnd, b'n') => {
                    self.literal("null")?;
                    return Ok(Some(Token::Null));
                }
                _ => return Err(self.unexpected()),
            }
        }
    }

    #[cold]
    fn unexpected(&mut self) -> Stopped {
        let wanted = match self.expect {
            Expect::Value => "a value",
            Expect::ValueOrArrayEnd => "a value or ']'",
            Expect::KeyOrObjectEnd => "a key or '}'",
            Expect::Key => "a key",
            Expect::CommaOrEnd if self.inside_object() => "',' or '}'",
            Expect::CommaOrEnd => "',' or ']'",
            Expect::Nothing => "the end of the input",
        };
        self.expected(wanted)
    }

    fn expected(&mut self, what: &'static str) -> Stopped {
        self.stop(Fault::Expected(what))
    }

    /// Keeps the error at the byte that is next; every later call gives it.
    #[cold]
    fn stop(&mut self, fault: Fault) -> Stopped {
        self.failed = Some(Error { at: self.at, found: self.bytes.get(self.at).copied(), fault });
        Stopped
    }

    fn skip_white_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.bytes.get(self.at) {
            self.at += 1;
        }
    }

    fn inside_object(&self) -> bool {
        let level = self.depth - 1;
        self.in_object[level / 64] >> (level % 64) & 1 == 1
    }

    fn open(&mut self, object: bool) -> Result<(), Stopped> {
        if self.depth == self.max_depth {
            return Err(self.stop(Fault::TooDeep(self.max_depth)));
        }
        let bit = 1 << (self.depth % 64);
        let word = &mut self.in_object[self.depth / 64];
        *word = if object { *word | bit } else { *word & !bit };
        self.depth += 1;
        self.at += 1;
        self.expect = if object { Expect::KeyOrObjectEnd } else { Expect::ValueOrArrayEnd };
        Ok(())
    }

    fn close(&mut self) {
        self.at += 1;
        self.depth -= 1;
        self.value_done();
    }

    fn value_done(&mut self) {
        self.expect = if self.depth == 0 { Expect::Nothing } else { Expect::CommaOrEnd };
    }

    #[inline(always)]
    fn string(&mut self) -> Result<Text<'a>, Stopped> {
        let start = self.at + 1;
        let escapes = self.skip_string()?;
        Ok(Text::new(&self.bytes[start..self.at - 1], escapes))
    }

    fn skip_string(&mut self) -> Result<Escapes, Stopped> {
        self.at += 1;
        let start = self.at;
        let mut escapes = Escapes::None;
        let mut ascii = true;
        loop {
            let plain = plain_prefix(&self.bytes[self.at..]);
            self.at += plain.length;
            ascii &= plain.ascii;
            match self.bytes.get(self.at) {
                Some(b'"') => break,
                Some(b'\\') => escapes = escapes.max(self.escape()?),
                _ => return Err(self.expected("a string character or '\"'")),
            }
        }
        let raw = &self.bytes[start..self.at];
        if !ascii && let Err(error) = std::str::from_utf8(raw) {
            self.at = start + error.valid_up_to();
            return Err(self.stop(Fault::NotUtf8));
        }
        self.at += 1;
        Ok(escapes)
    }

    fn escape(&mut self) -> Result<Escapes, Stopped> {
        self.at += 1;
        match self.bytes.get(self.at) {
            Some(b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 1;
                Ok(Escapes::Short)
            }
            Some(b'/') => {
                self.at += 1;
                Ok(Escapes::Any)
            }
            Some(b'u') => {
                self.at += 1;
                for _ in 0..4 {
                    if !self.bytes.get(self.at).is_some_and(u8::is_ascii_hexdigit) {
                        return Err(self.expected("four hexadecimal digits"));
                    }
                    self.at += 1;
                }
                Ok(Escapes::Any)
            }
            _ => Err(self.expected("an escape")),
        }
    }

    fn number(&mut self) -> Result<(), Stopped> {
        if self.bytes[self.at] == b'-' {
            self.at += 1;
        }
        if self.bytes.get(self.at) == Some(&b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            self.at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Stopped> {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        if self.at == start {
            return Err(self.expected("a digit"));
        }
        Ok(())
    }

    fn literal(&mut self, word: &'static str) -> Result<(), Stopped> {
        for letter in word.bytes() {
            if self.bytes.get(self.at) != Some(&letter) {
                return Err(self.expected(word));
            }
            self.at += 1;
        }
        self.value_done();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(json: &str) -> Result<Vec<Token<'_>>, Error> {
        let mut scanner = Scanner::new(json.as_bytes(), 128);
        let mut all = Vec::new();
        while let Some(token) = scanner.next_token()? {
            all.push(token);
        }
        Ok(all)
    }

    #[test]
    fn hands_out_every_token_in_order() {
        let all = tokens(r#" {"a" : [1, -2.5e3, true], "b": {"c": null}, "d": "x\n"} "#).unwrap();
        assert_eq!(all.len(), 15);
        assert_eq!(all[3], Token::Number(b"1"));
        assert_eq!(all[4], Token::Number(b"-2.5e3"));
        assert_eq!(all[14], Token::ObjectEnd);
    }

    #[test]
    fn names_the_byte_and_what_was_expected() {
        let cases = [
            ("", "byte 0: expected a value, found the end of the input"),
            ("{\"a\" 1}", "byte 5: expected ':', found '1'"),
            ("[1 2]", "byte 3: expected ',' or ']', found '2'"),
            ("[1}", "byte 2: expected ',' or ']', found '}'"),
            ("{\"a\":1]", "byte 6: expected ',' or '}', found ']'"),
            ("[1,]", "byte 3: expected a value, found ']'"),
            ("{\"a\":1,}", "byte 7: expected a key, found '}'"),
            ("01", "byte 1: expected the end of the input, found '1'"),
            ("-", "byte 1: expected a digit, found the end of the input"),
            ("1.", "byte 2: expected a digit, found the end of the input"),
            ("tru", "byte 3: expected true, found the end of the input"),
            ("\"\\x\"", "byte 2: expected an escape, found 'x'"),
            ("\"\\u12g4\"", "byte 5: expected four hexadecimal digits, found 'g'"),
            ("\"a\nb\"", "byte 2: expected a string character or '\"', found byte 0x0a"),
            ("{} {}", "byte 3: expected the end of the input, found '{'"),
        ];
        for (json, message) in cases {
            assert_eq!(tokens(json).unwrap_err().to_string(), message, "{json}");
        }
    }

    #[test]
    fn accepts_and_refuses_what_serde_json_accepts_and_refuses() {
        let texts = [
            "1",
            "-0",
            "1e5",
            "1E+5",
            "1e",
            "+1",
            ".5",
            "NaN",
            "[[]]",
            "[[]",
            "{\"\":{}}",
            "\"\\ud800\"",
            "nul",
            "{\"a\":}",
            "[,]",
            "\"\\/\"",
            "{1:2}",
            "[1]x",
            "\u{feff}1",
            "0.0e-0",
            "--1",
            "1.5.5",
        ];
        for text in texts {
            let theirs = serde_json::from_str::<Box<serde_json::value::RawValue>>(text).is_ok();
            assert_eq!(tokens(text).is_ok(), theirs, "{text}");
        }
    }

    #[test]
    fn stops_at_the_depth_limit_without_recursion() {
        let deep = "[".repeat(100_000);
        let mut scanner = Scanner::new(deep.as_bytes(), 64);
        let error = loop {
            if let Err(error) = scanner.next_token() {
                break error;
            }
        };
        assert_eq!(error.fault, Fault::TooDeep(64));
        assert_eq!(error.at, 64);
        assert_eq!(scanner.next_token(), Err(error), "the answer stays the same");
    }

    #[test]
    fn refuses_a_string_that_is_not_utf8() {
        let error = Scanner::new(b"\"ab\xff\"", 8).next_token().unwrap_err();
        assert_eq!((error.at, error.fault), (3, Fault::NotUtf8));
    }

    #[test]
    fn skips_the_rest_of_a_value() {
        let mut scanner = Scanner::new(br#"[{"a":[1,2]},3]"#, 8);
        scanner.next_token().unwrap();
        let first = scanner.next_token().unwrap().unwrap();
        scanner.skip_rest_of(first).unwrap();
        assert_eq!(scanner.next_token().unwrap(), Some(Token::Number(b"3")));
    }
}
