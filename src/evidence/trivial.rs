//! Results that say nothing, and results that say that something failed.

use super::document::{Document, Kind};
use super::status::{begins_like_an_error, is_acknowledgement};
use crate::json::{Scanner, Token};

/// Longer outputs are not looked at: they say something.
const LONGEST_TRIVIAL: usize = 512;
/// A longer object says something.
const LONGEST_OBJECT: usize = 120;
/// MCP's `isError` is looked for this near to either end of a result.
const MARGIN: usize = 256;

/// Does the output begin like an error, or does it say so in MCP's way (`"isError": true`)?
pub(super) fn is_error_text(output: &[u8]) -> bool {
    let text = output.trim_ascii();
    let text = text.strip_prefix(b"\"").unwrap_or(text);
    begins_like_an_error(text) || is_mcp_error(text)
}

/// An MCP result: an object with `content` and `isError: true`.
fn is_mcp_error(text: &[u8]) -> bool {
    if text.first() != Some(&b'{') {
        return false;
    }
    let head = &text[..text.len().min(MARGIN)];
    let tail = &text[text.len() - text.len().min(MARGIN)..];
    [head, tail].into_iter().any(|part| {
        memchr::memmem::find_iter(part, b"\"isError\"").any(|at| {
            let rest = part[at + b"\"isError\"".len()..].trim_ascii_start();
            rest.strip_prefix(b":").is_some_and(|value| value.trim_ascii_start().starts_with(b"true"))
        })
    }) && memchr::memmem::find(text, b"\"content\"").is_some()
}

/// Empty text, an acknowledgement, a single status word, or nothing but a prompt and the echo of `arguments`. An
/// empty result set is not trivial.
///
/// Asked of every step, so it reads no more than it must.
pub(super) fn is_trivial(output: &[u8], arguments: &[u8]) -> bool {
    if output.len() > LONGEST_TRIVIAL {
        return false;
    }
    let text = output.trim_ascii();
    let mut decoded = Vec::new();
    if let Ok(Some(Token::String(string))) = Scanner::new(text, 0).next_token() {
        string.decode_into(&mut decoded);
        return says_nothing(decoded.trim_ascii(), arguments);
    }
    says_nothing(text, arguments)
}

fn says_nothing(text: &[u8], arguments: &[u8]) -> bool {
    if text.is_empty() || is_acknowledgement(text) || matches!(text, b"true" | b"false") {
        return true;
    }
    if text[0] == b'{' {
        return text.len() <= LONGEST_OBJECT && is_trivial_object(text);
    }
    let mut lines = text.split(|&b| b == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    lines.all(|line| {
        line.starts_with(b"```") || is_acknowledgement(line) || is_prompt_or_echo(line, arguments)
    })
}

/// One or two members that say no more than a status word does.
fn is_trivial_object(text: &[u8]) -> bool {
    let mut document = Document::default();
    document.read(text);
    let members: Vec<usize> = document.children(0).take(3).collect();
    let object = document.node(0).kind == Kind::Object;
    object
        && matches!(members.len(), 1 | 2)
        && members.iter().all(|&member| is_trivial_leaf(&document, member))
}

fn is_trivial_leaf(document: &Document, index: usize) -> bool {
    match document.node(index).kind {
        Kind::True | Kind::Null => true,
        Kind::Text => document.value(index).is_empty() || is_acknowledgement(document.value(index)),
        _ => false,
    }
}

/// A shell's prompt, its note of where it stands or that a command ended well, or a line that the caller wrote
/// itself, with or without such a note behind it.
fn is_prompt_or_echo(line: &[u8], arguments: &[u8]) -> bool {
    let line = without_note(line.trim_ascii());
    if line.is_empty() {
        return true;
    }
    let named = line.contains(&b'@') || memchr::memmem::find(line, b":/").is_some();
    let prompt = matches!(line, b"$" | b"#" | b">" | b">>>")
        || (matches!(line.last(), Some(b'$' | b'#')) && named && line.len() <= 120);
    let note = line.eq_ignore_ascii_case(b"exit code: 0");
    // The echo is the whole command: the arguments themselves, or a string in them.
    let quoted = |at: usize| {
        let before = at.checked_sub(1).map(|at| arguments[at]);
        before == Some(b'"') && arguments.get(at + line.len()) == Some(&b'"')
    };
    let echo = line.len() >= 4
        && (arguments.trim_ascii() == line || memchr::memmem::find_iter(arguments, line).any(quoted));
    prompt || note || echo
}

/// The line without a note in brackets at its end: `[what: /an/absolute/path]`, or one of an exit code of 0.
fn without_note(line: &[u8]) -> &[u8] {
    let Some(open) = line.strip_suffix(b"]").and_then(|inner| memchr::memrchr(b'[', inner)) else {
        return line;
    };
    let note = &line[open + 1..line.len() - 1];
    let place = memchr::memmem::find(note, b": /").is_some() && !note.contains(&b'\n');
    let code = memchr::memmem::find(note, b"exit code").map(|at| &note[at + b"exit code".len()..]);
    let well = code.is_some_and(|rest| {
        let value = rest.strip_prefix(b":").unwrap_or(rest).trim_ascii();
        value.strip_suffix(b".").unwrap_or(value) == b"0"
    });
    if place || well { line[..open].trim_ascii() } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_nothing() {
        for output in [
            "",
            " \n",
            "ok",
            "Done.",
            "pending",
            "{\"ok\": true}",
            "{\"status\": \"success\", \"error\": null}",
            "```\nDone\n```",
            "root@box:/srv#",
            "cd /srv && make\nroot@box:/srv#\n[Command finished with exit code 0]",
            "cd /srv && make[Interpreter: /usr/bin/python3]\nroot@box:/srv # \n[The command completed with exit code 0.]",
            "\"cd /srv && make\\nroot@box:/srv#\"",
            "available",
        ] {
            assert!(is_trivial(output.as_bytes(), b"{\"command\":\"cd /srv && make\"}"), "{output}");
        }
        for output in [
            "[]",
            "{}",
            "no results",
            "0 rows",
            "{\"rows\": []}",
            "{\"ok\": false}",
            "3",
            "refused",
            "make [exit code: 2]",
        ] {
            assert!(!is_trivial(output.as_bytes(), b""), "{output}");
        }
    }

    #[test]
    fn an_mcp_result_says_whether_it_is_an_error() {
        assert!(is_error_text(br#"{"content":[{"type":"text","text":"no such page"}],"isError": true}"#));
        assert!(!is_error_text(br#"{"content":[{"type":"text","text":"page 1"}],"isError":false}"#));
    }
}
