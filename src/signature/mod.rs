//! Step → 64 bits.
//!
//! Two steps are the same call when their *canonical identity* is the same bytes. Those bytes keep what a call
//! means and drop how it was spelled: white space, key order, escapes and the spelling of numbers. They are
//! framed, so that no text inside one part can pass for another part:
//!
//! ```text
//! kind letter | length of the tool name, u32 little endian | tool name | form | payload
//! ```
//!
//! The form says what the payload is: `0` no arguments, `j` canonical JSON, `x` opaque text. The signature is the
//! XXH3-64 of the identity with seed 0. `docs/SIGNATURE.md` holds all that is needed to reproduce one elsewhere.

mod canonical;
mod ignore;
mod soft;
mod string;
mod text;

use crate::json::{Fault, Scanner, Token};
use crate::step::{Kind, Payload, Step};
use ignore::Ignore;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Version of the canonical identity. It rises when a call gets another signature than before.
pub const VERSION: u32 = 1;

/// Objects and arrays that may be open at once in arguments. Real arguments stay below 20; past it they are
/// opaque bytes.
pub const MAX_DEPTH: usize = 128;

/// Bytes of JSON arguments, without surrounding white space, that are made canonical. A whole file as an argument
/// fits; past it the arguments are opaque bytes, and the cost of a step stays that of one hash.
pub const MAX_JSON_BYTES: usize = 1 << 20;

/// 64-bit hash of a step's canonical identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signature(pub u64);

impl std::fmt::Display for Signature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// A bound that arguments went past, so that they were taken as opaque bytes: their spelling decides, and
/// nothing is left out of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Nested deeper than [`MAX_DEPTH`].
    Depth,
    /// JSON of more than [`MAX_JSON_BYTES`].
    Size,
}

/// What the payload of a canonical identity is.
#[derive(Clone, Copy, Default)]
#[repr(u8)]
enum Form {
    #[default]
    Nothing = b'0',
    Json = b'j',
    Opaque = b'x',
}

/// Computes signatures. Its buffers are reused, so that nothing is allocated in steady state.
///
/// The buffers grow to a few times the largest arguments seen, which [`MAX_JSON_BYTES`] bounds for JSON.
#[derive(Default)]
pub struct Signer {
    /// The canonical identity of the last step.
    identity: Vec<u8>,
    form: Form,
    /// Where its form byte stands.
    form_at: usize,
    exceeded: Option<Limit>,
    writer: canonical::Writer,
    /// A JSON string that holds the arguments, decoded.
    inner: Vec<u8>,
}

impl Signer {
    /// A signer with empty buffers.
    pub fn new() -> Signer {
        Signer::default()
    }

    /// The canonical identity of a step, without the arguments that `ignore` names.
    ///
    /// An entry of `ignore` without a dot is a key at any depth. One with dots is a path of keys from the root
    /// (elements of arrays are stepped through), and also a root key of exactly that name. Arguments of which
    /// nothing is left are no arguments. Never fails: what cannot be read as JSON is opaque text.
    pub fn canonical(&mut self, step: &Step<'_>, ignore: &[String]) -> &[u8] {
        self.exceeded = None;
        let (letter, tool) = match step.kind {
            Kind::Tool => (b't', step.tool),
            Kind::Delegation => (b'd', step.tool),
            Kind::Summary => (b's', ""),
            Kind::User => (b'u', ""),
        };
        self.identity.clear();
        self.identity.push(letter);
        self.identity.extend_from_slice(&(tool.len() as u32).to_le_bytes());
        self.identity.extend_from_slice(tool.as_bytes());
        self.form_at = self.identity.len();
        match step.arguments {
            _ if !step.kind.is_call() => self.set_payload(Form::Nothing, b""),
            Payload::Absent => self.set_payload(Form::Nothing, b""),
            Payload::Json(bytes) => self.write_json(bytes.trim_ascii(), Ignore(ignore)),
            Payload::Text(bytes) => self.write_text(bytes.trim_ascii(), Ignore(ignore)),
        }
        &self.identity
    }

    /// The signature of a step: XXH3-64 of its canonical identity, seed 0.
    pub fn sign(&mut self, step: &Step<'_>, ignore: &[String]) -> Signature {
        Signature(xxh3_64(self.canonical(step, ignore)))
    }

    /// XXH3-64 of the last step's canonical identity under a seed that the caller keeps secret.
    ///
    /// Without the seed, collisions cannot be looked for offline, as they can for the signature. It is no
    /// cryptographic fingerprint: what leaves the process is keyed with [`crate::fingerprint`].
    ///
    /// Costs one hash; the identity is the one that [`Signer::sign`] or [`Signer::canonical`] left behind.
    pub fn fingerprint_of_last(&self, seed: u64) -> u64 {
        xxh3_64_with_seed(&self.identity, seed)
    }

    /// A fingerprint that the last step shares with calls that differ from it in nothing that matters: white space,
    /// quoting, letter case, the order of flags or words, a trailing slash, a polite word. Under a seed as
    /// [`Signer::fingerprint_of_last`].
    pub fn soft_fingerprint_of_last(&self, seed: u64) -> u64 {
        let (identity, payload) = self.identity.split_at(self.form_at);
        soft::soft(identity, payload, seed)
    }

    /// The limit that the last step's arguments went past, if they did.
    pub fn exceeded(&self) -> Option<Limit> {
        self.exceeded
    }

    /// The call for people, `tool|k1=v1,k2=v2`, without the arguments that `ignore` names.
    ///
    /// Keys are sorted by their bytes; strings stand bare, other values as canonical JSON. Arguments that are no
    /// object stand as canonical JSON behind `tool|`, opaque text as a JSON string. A lone surrogate is spelled
    /// as its escape, a byte that is not UTF-8 as U+FFFD. Different calls can have one text: equality is never
    /// decided by it.
    pub fn text_signature(&mut self, step: &Step<'_>, ignore: &[String]) -> String {
        self.canonical(step, ignore);
        let tool = &self.identity[TOOL_AT..self.form_at];
        text::text_signature(tool, self.form, &self.identity[self.form_at + 1..])
    }

    /// Arguments given as JSON text.
    fn write_json(&mut self, json: &[u8], ignore: Ignore<'_>) {
        if json.len() > MAX_JSON_BYTES {
            self.exceeded = Some(Limit::Size);
            return self.set_payload(Form::Opaque, json);
        }
        match json.first() {
            None => self.set_payload(Form::Nothing, b""),
            Some(b'"') => self.write_json_string(json, ignore),
            Some(_) => self.write_value(json, ignore),
        }
    }

    /// Arguments given as a JSON string: what it holds is their text.
    fn write_json_string(&mut self, json: &[u8], ignore: Ignore<'_>) {
        let mut scanner = Scanner::new(json, 0);
        let (Ok(Some(Token::String(text))), Ok(None)) = (scanner.next_token(), scanner.next_token()) else {
            return self.set_payload(Form::Opaque, json);
        };
        match text.plain() {
            Some(plain) => self.write_text(plain.trim_ascii(), ignore),
            None => {
                let mut inner = std::mem::take(&mut self.inner);
                inner.clear();
                text.decode_into(&mut inner);
                self.write_text(inner.trim_ascii(), ignore);
                self.inner = inner;
            }
        }
    }

    /// Arguments given as text. Only an object or an array makes it JSON: the text `1` is not the number 1.
    fn write_text(&mut self, text: &[u8], ignore: Ignore<'_>) {
        match text.first() {
            None => self.set_payload(Form::Nothing, b""),
            Some(b'{' | b'[') if text.len() > MAX_JSON_BYTES => {
                self.exceeded = Some(Limit::Size);
                self.set_payload(Form::Opaque, text);
            }
            Some(b'{' | b'[') => self.write_value(text, ignore),
            Some(_) => self.set_payload(Form::Opaque, text),
        }
    }

    /// Arguments that are a JSON value other than a string, if they are JSON at all.
    fn write_value(&mut self, json: &[u8], ignore: Ignore<'_>) {
        self.set_payload(Form::Json, b"");
        let result = self.writer.write(json, ignore, &mut self.identity);
        if let Err(error) = result {
            if matches!(error.fault, Fault::TooDeep(_)) {
                self.exceeded = Some(Limit::Depth);
            }
            return self.set_payload(Form::Opaque, json);
        }
        if matches!(&self.identity[self.form_at + 1..], b"{}" | b"null") {
            self.set_payload(Form::Nothing, b"");
        }
    }

    fn set_payload(&mut self, form: Form, payload: &[u8]) {
        self.form = form;
        self.identity.truncate(self.form_at);
        self.identity.push(form as u8);
        self.identity.extend_from_slice(payload);
    }
}

/// Where the tool name stands in a canonical identity: behind the kind letter and the length.
const TOOL_AT: usize = 1 + size_of::<u32>();

#[cfg(test)]
mod tests {
    use super::*;

    fn call<'a>(tool: &'a str, arguments: Payload<'a>) -> Step<'a> {
        Step { tool, arguments, ..Step::default() }
    }

    fn identity(step: &Step<'_>) -> Vec<u8> {
        Signer::new().canonical(step, &[]).to_vec()
    }

    fn payload(arguments: Payload<'_>) -> String {
        let identity = identity(&call("", arguments));
        String::from_utf8(identity[TOOL_AT..].to_vec()).unwrap()
    }

    #[test]
    fn kind_tool_and_arguments_are_framed() {
        let step = call("bash", Payload::Json(br#"{"cmd": "ls"}"#));
        assert_eq!(identity(&step), b"t\x04\0\0\0bashj{\"cmd\":\"ls\"}");
        let delegation = Step { kind: Kind::Delegation, ..step };
        assert_eq!(identity(&delegation), b"d\x04\0\0\0bashj{\"cmd\":\"ls\"}");
        for (kind, expected) in [(Kind::Summary, b"s\0\0\0\x000"), (Kind::User, b"u\0\0\0\x000")] {
            assert_eq!(identity(&Step { kind, ..step }), expected);
        }
    }

    #[test]
    fn absent_null_empty_text_and_an_empty_object_are_no_arguments() {
        use Payload::*;
        let none: &[Payload<'_>] = &[
            Absent,
            Json(b""),
            Json(b" \n"),
            Json(b"null"),
            Json(b" { } "),
            Json(b"\"\""),
            Json(b"\" \\n\""),
            Json(b"\"{}\""),
            Text(b""),
            Text(b" \t\r\n\x0c"),
            Text(b"{ }"),
        ];
        for arguments in none {
            assert_eq!(payload(*arguments), "0", "{arguments:?}");
        }
        let some = [
            (Text(b"null"), "xnull"),
            (Json(b"\"null\""), "xnull"),
            (Json(b"[]"), "j[]"),
            (Json(b"0"), "j0"),
        ];
        for (arguments, expected) in some {
            assert_eq!(payload(arguments), expected, "{arguments:?}");
        }
    }

    #[test]
    fn a_string_that_holds_an_object_or_array_is_that_value() {
        use Payload::*;
        let cases: &[(Payload<'_>, &str)] = &[
            (Json(br#""{\"b\":1.0,\"a\":\"\\u0041\"}""#), r#"j{"a":"A","b":1}"#),
            (Text(br#" {"b":1.0,"a":"A"} "#), r#"j{"a":"A","b":1}"#),
            (Text(b"[1, 2]"), "j[1,2]"),
            (Json(br#""ls -l""#), "xls -l"),
            (Json(br#"" ls -l ""#), "xls -l"),
            (Text(b"ls -l\n"), "xls -l"),
            (Json(b"ls -l"), "xls -l"),
            (Json(b"{oops"), "x{oops"),
            (Text(b"{oops}"), "x{oops}"),
            (Json(br#""1""#), "x1"),
            (Text(b"1"), "x1"),
            (Json(b"1"), "j1"),
            (Text(b"true"), "xtrue"),
            (Json(b"true"), "jtrue"),
            // Decoded once: a string inside the string stays text.
            (Json(br#""\"{}\"""#), "x\"{}\""),
            (Json(br#""open"#), "x\"open"),
            (Json(br#""a" 1"#), "x\"a\" 1"),
        ];
        for (arguments, expected) in cases {
            assert_eq!(payload(*arguments), *expected, "{arguments:?}");
        }
    }

    #[test]
    fn past_a_limit_arguments_are_opaque_and_the_signer_says_so() {
        let mut signer = Signer::new();
        let nested = |depth: usize| format!("{} {}", "[".repeat(depth), "]".repeat(depth));
        let sized = |length: usize| format!("{{\"a\": \"{}\"}}", "x".repeat(length - 9));
        let cases = [
            (nested(MAX_DEPTH), None),
            (nested(MAX_DEPTH + 1), Some(Limit::Depth)),
            (sized(MAX_JSON_BYTES), None),
            (sized(MAX_JSON_BYTES + 1), Some(Limit::Size)),
        ];
        for (json, exceeded) in &cases {
            for arguments in [Payload::Json(json.as_bytes()), Payload::Text(json.as_bytes())] {
                let identity = signer.canonical(&call("", arguments), &["a".to_string()]);
                let kept = identity[TOOL_AT] == b'x' && identity[TOOL_AT + 1..] == *json.as_bytes();
                assert_eq!(kept, exceeded.is_some());
                assert_eq!(signer.exceeded(), *exceeded);
            }
        }
        signer.sign(&call("", Payload::Text(&[b'x'; MAX_JSON_BYTES + 1])), &[]);
        assert_eq!(signer.exceeded(), None, "text is opaque at any size");
    }

    #[test]
    fn arguments_of_which_nothing_is_left_are_no_arguments() {
        let ignore = ["id".to_string(), "page.token".to_string()];
        let mut signer = Signer::new();
        let none = signer.sign(&call("t", Payload::Absent), &[]);
        assert_eq!(signer.sign(&call("t", Payload::Json(br#"{"id":1}"#)), &ignore), none);
        assert_ne!(signer.sign(&call("t", Payload::Json(br#"{"page":{"token":1}}"#)), &ignore), none);
        assert_ne!(signer.sign(&call("t", Payload::Json(br#"[{"id":1}]"#)), &ignore), none);
    }

    #[test]
    fn a_fingerprint_is_the_same_bytes_under_another_seed() {
        let mut signer = Signer::new();
        let signature = signer.sign(&call("t", Payload::Json(b"{\"a\":1}")), &[]);
        assert_eq!(signer.fingerprint_of_last(0), signature.0);
        let keyed = signer.fingerprint_of_last(7);
        assert_ne!(keyed, signature.0);
        signer.sign(&call("t", Payload::Json(b"{ \"a\" : 1e0 }")), &[]);
        assert_eq!(signer.fingerprint_of_last(7), keyed);
    }

    #[test]
    fn the_text_signature_reads_like_a_call() {
        use Payload::*;
        let cases: &[(Payload<'_>, &str)] = &[
            (Absent, "t|"),
            (Json(br#"{"b":"two words","a":1.0}"#), "t|a=1,b=two words"),
            (Json(br#"{"n":{"y":[1e2,"s"],"x":null},"\u0001":"\n\ud800"}"#), {
                "t|\u{1}=\n\\ud800,n={\"x\":null,\"y\":[100,\"s\"]}"
            }),
            (Json(b"[1, 2.50]"), "t|[1,2.5]"),
            (Json(b"-0.0"), "t|0"),
            (Text(b"ls \"x\"\n"), "t|\"ls \\\"x\\\"\""),
            (Text(b"\xff\xed\xa0\x80"), "t|\"\u{fffd}\\ud800\""),
        ];
        let mut signer = Signer::new();
        for (arguments, expected) in cases {
            assert_eq!(signer.text_signature(&call("t", *arguments), &[]), *expected);
        }
        let ignored = call("t", Json(br#"{"a":1,"b":2}"#));
        assert_eq!(signer.text_signature(&ignored, &["b".to_string()]), "t|a=1");
    }
}
