//! Words that carry a result: how errors begin, what acknowledges, what a word turns into its opposite.

use super::lexicon::Lexicon;

/// Beginnings of a text that make it an error, compared without regard to letter case where they are words.
#[rustfmt::skip]
const ERROR_BEGINNINGS: [&str; 14] = [
    "error:", "error ", "error\n", "error\r", "fatal:", "fatal error", "exception:", "panic:",
    "traceback (most recent call last)", "failed:", "unhandled exception", "uncaught ",
    "thread 'main' panicked", "[error]",
];

/// Does the text begin like an error?
///
/// The list: `Error:` or `ERROR` as the first word, `[ERROR]`, `fatal:`, `fatal error`, `panic:`, `Exception:`,
/// `failed:`, `Traceback (most recent call last)`, `Unhandled exception`, `Uncaught …`, `thread 'main' panicked`; a
/// name that ends in `Error` or `Exception` with a colon behind it (`ValueError: …`, `java.io.IOException: …`);
/// `exitcode: 1 …`, `Exit code 127`: a command that did not end well.
fn exit_code(head: &[u8]) -> bool {
    let Some(rest) = [b"exitcode".as_slice(), b"exit code", b"exit status"].into_iter().find_map(|word| {
        head.get(..word.len()).filter(|h| h.eq_ignore_ascii_case(word)).map(|_| &head[word.len()..])
    }) else {
        return false;
    };
    let number = rest.strip_prefix(b":").unwrap_or(rest).trim_ascii_start();
    matches!(number.first(), Some(b'1'..=b'9')) || number.starts_with(b"-")
}

/// `HTTP 404`, `HTTP/1.1 503`, or `403 Forbidden` with a status of 400 to 599; `exit code 1` or another that is not 0; an object whose first key is `error`
/// and whose value is not empty.
pub(super) fn begins_like_an_error(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let text = text.strip_prefix(b"```").map_or(text, |inside| inside.trim_ascii_start());
    let head = &text[..text.len().min(200)];
    let starts =
        |word: &str| head.len() >= word.len() && head[..word.len()].eq_ignore_ascii_case(word.as_bytes());
    if head.eq_ignore_ascii_case(b"error") || ERROR_BEGINNINGS.iter().any(|word| starts(word)) {
        return true;
    }
    named_exception(head) || http_failure(head) || exit_code(head) || error_object(head)
}

/// `ValueError: …`, `java.io.IOException: …`
fn named_exception(head: &[u8]) -> bool {
    let length = head.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_')).count();
    let name = &head[..length];
    (name.ends_with(b"Error") || name.ends_with(b"Exception"))
        && matches!(head.get(length), Some(b':') | None | Some(b'\n'))
}

/// `HTTP 404`, `HTTP/1.1 503 …`, `403 Forbidden`
fn http_failure(head: &[u8]) -> bool {
    let (rest, named) = match head {
        [b'H', b'T', b'T', b'P', rest @ ..] => {
            let version = rest.iter().take_while(|b| matches!(b, b'/' | b'.' | b'0'..=b'9')).count();
            (rest[if rest.first() == Some(&b'/') { version } else { 0 }..].trim_ascii_start(), true)
        }
        rest => (rest, false),
    };
    let [b'4' | b'5', b'0'..=b'9', b'0'..=b'9', behind @ ..] = rest else { return false };
    match behind {
        [] => named,
        [b' ', letter, ..] if !named => {
            let phrase = &behind[1..];
            letter.is_ascii_uppercase() && REASONS.iter().any(|reason| phrase.starts_with(reason.as_bytes()))
        }
        [next, ..] => named && !next.is_ascii_alphanumeric(),
    }
}

/// Reason phrases of RFC 9110 with a status of 400 to 599.
#[rustfmt::skip]
const REASONS: [&str; 14] = [
    "Bad Request", "Unauthorized", "Payment Required", "Forbidden", "Not Found", "Method Not Allowed",
    "Conflict", "Gone", "Unprocessable", "Too Many Requests", "Internal Server Error", "Bad Gateway",
    "Service Unavailable", "Gateway Timeout",
];

/// `{"error": …}` where the value is neither `null`, `false` nor empty; or `"isError": true` (MCP) near the start or end.
fn error_object(head: &[u8]) -> bool {
    let Some(inside) = head.strip_prefix(b"{") else { return false };
    let inside = inside.trim_ascii_start();
    let Some(rest) = inside.strip_prefix(b"\"error\"").or_else(|| inside.strip_prefix(b"'error'")) else {
        return false;
    };
    let value = rest.trim_ascii_start().strip_prefix(b":").unwrap_or(b"").trim_ascii_start();
    let nothing = [b"null".as_slice(), b"None", b"false", b"False", b"\"\"", b"''", b"{}", b"[]", b"0"];
    !value.is_empty() && !nothing.iter().any(|word| value.starts_with(word))
}

/// Single words and phrases that say no more than "understood" or name a state; lower case, without punctuation.
#[rustfmt::skip]
const TRIVIAL: &[&str] = &[
    "ok", "okay", "done", "success", "successful", "successfully", "succeeded", "true", "false", "yes",
    "no", "none", "null", "saved", "sent", "updated", "created", "deleted", "removed", "added", "written",
    "stored", "received", "ack", "acknowledged", "accepted", "noted", "completed", "complete", "finished",
    "passed", "pass", "pending", "running", "queued", "active", "ready", "idle", "up", "waiting",
    "in progress", "started", "stopped", "processing", "open", "closed", "enabled", "disabled", "inactive",
    "available", "unavailable", "online", "offline", "connected", "disconnected", "healthy", "valid",
    "confirmed", "approved", "delivered", "cancelled", "canceled", "locked", "unlocked", "on", "off", "all good", "thank you", "thanks",
    "got it", "no output", "(no output)", "no content", "command completed",
    "command executed successfully", "operation completed successfully", "operation successful", "200",
];

/// An acknowledgement or a single status word.
pub(super) fn is_acknowledgement(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let text = trim(text, |b| matches!(b, b'.' | b'!' | b'"' | b'\'' | b'`' | b' '));
    text.len() <= 40 && TRIVIAL.iter().any(|entry| text.eq_ignore_ascii_case(entry.as_bytes()))
}

fn trim(mut text: &[u8], drop: impl Fn(u8) -> bool) -> &[u8] {
    while let [first, rest @ ..] = text
        && drop(*first)
    {
        text = rest;
    }
    while let [rest @ .., last] = text
        && drop(*last)
    {
        text = rest;
    }
    text
}

/// Words that acknowledge an effect: what a side effect made again answers beside its new id.
#[rustfmt::skip]
static EFFECTS: Lexicon = Lexicon::new(&[
    "ok", "true", "success", "succeeded", "sent", "created", "added", "saved", "updated", "booked",
    "posted", "uploaded", "submitted", "scheduled", "queued", "accepted", "done", "completed", "registered",
    "placed",
]);

/// Does the word acknowledge an effect?
pub(super) fn is_effect(word: &[u8]) -> bool {
    EFFECTS.has(word)
}

/// Words whose coming or going changes what a text says, whatever else it says.
#[rustfmt::skip]
static SALIENT: Lexicon = Lexicon::new(&[
    "not", "no", "none", "never", "nothing", "nobody", "nor", "neither", "without", "cannot", "can",
    "can't", "won't", "isn't", "don't", "doesn't", "didn't", "couldn't", "wasn't", "aren't", "unable",
    "able", "ok", "error", "errors", "fail", "fails", "failed", "failing", "failure", "pass", "passed",
    "passes", "passing", "success", "successful", "succeeded", "done", "pending", "running", "queued",
    "waiting", "started", "stopped", "finished", "complete", "completed", "incomplete", "active",
    "inactive", "open", "opened", "closed", "locked", "unlocked", "enabled", "disabled", "enable",
    "disable", "on", "off", "up", "down", "online", "offline", "ready", "busy", "idle", "free", "full",
    "empty", "available", "unavailable", "connected", "disconnected", "valid", "invalid", "true", "false",
    "yes", "allowed", "denied", "approved", "rejected", "accepted", "refused", "granted", "cancelled",
    "canceled", "confirmed", "unconfirmed", "paid", "unpaid", "overdue", "suspended", "expired", "missing",
    "present", "found", "lost", "new", "old", "more", "less", "fewer", "high", "low", "higher", "lower",
    "good", "bad", "poor", "fair", "excellent", "better", "worse", "increased", "decreased", "above",
    "below", "before", "after", "first", "last", "left", "right", "start", "end", "added", "removed",
    "created", "deleted", "all", "some", "any", "every", "only", "one", "two", "three", "four", "five",
    "six", "seven", "eight", "nine", "ten", "red", "green", "yellow", "warning",
]);

/// Does the coming or going of the word change what a text says? Numbers, names and words in this list do.
pub(super) fn is_salient(word: &[u8]) -> bool {
    word.iter().any(|b| b.is_ascii_digit() || b.is_ascii_uppercase() || *b >= 0x80 || *b == b'_')
        || SALIENT.has(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_by_their_beginning() {
        for text in [
            "Error: no such key",
            "ERROR\nbad path",
            "ValueError: no user Gus",
            "java.io.IOException: closed",
            "Traceback (most recent call last):\n  File",
            "HTTP 404",
            "HTTP/1.1 503 Service Unavailable",
            "403 Forbidden. Go away.",
            "fatal: not a repository",
            "exitcode: 1 (execution failed)",
            "{\"error\": \"no such row\"}",
            "{'error': 'Error: invalid syntax'}",
        ] {
            assert!(begins_like_an_error(text.as_bytes()), "{text}");
        }
        for text in [
            "Errors found: 0",
            "exitcode: 0 (execution succeeded)",
            "errorless",
            "No error",
            "404 rows",
            "HTTP 200 OK",
            "500 Internal notes",
            "{\"error\": null, \"rows\": 3}",
            "{\"errors\": []}",
            "ErrorHandler.java",
            "The error: none",
        ] {
            assert!(!begins_like_an_error(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn acknowledgements() {
        for text in ["ok", " OK.\n", "Done!", "\"success\"", "pending", "None"] {
            assert!(is_acknowledgement(text.as_bytes()), "{text}");
        }
        for text in ["[]", "no results", "refused", "failed", "0 rows"] {
            assert!(!is_acknowledgement(text.as_bytes()), "{text}");
        }
    }
}
