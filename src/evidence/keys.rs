//! What the name of a field says about its value.

use super::lexicon::Lexicon;

/// The part that a field plays, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Nothing is known.
    Plain,
    /// Read from a clock: `timestamp`, `generated_at`, `startedAt`, `current_time`.
    Clock,
    /// Some time: `time`, `date`. Read from a clock only where it is no round one.
    Moment,
    /// How long something took: `durationMs`, `elapsed`.
    Duration,
    /// A process or thread: `pid`.
    Process,
    /// Where something lies in memory: `ptr`, `address`.
    Memory,
    /// One request among others: `request_id`, `traceId`.
    Request,
    /// `id`, `*_id`, `*Id`.
    Identifier,
    /// It says what the content is: `commit`, `etag`, `version`, `cursor`. A change is news.
    Content,
    /// A time that people agree on: `due`, `start_time`, `departure`. A change is news.
    Agreed,
}

#[rustfmt::skip]
static CONTENT: Lexicon = Lexicon::new(&[
    "sha", "sha1", "sha256", "sha512", "md5", "hash", "digest", "checksum", "etag", "commit", "head", "rev",
    "revision", "version", "ref", "tree", "index", "cursor", "next", "previous", "prev", "page", "offset",
    "token", "blob", "build",
]);
#[rustfmt::skip]
static AGREED: Lexicon = Lexicon::new(&[
    "due", "deadline", "departure", "departs", "arrival", "arrives", "scheduled", "schedule", "expires",
    "expiry", "expiration", "valid", "birth", "dob", "appointment", "meeting", "period", "effective",
    "begin", "until", "pickup", "delivery", "reserved", "booking", "event", "reminder", "eta", "starts",
    "ends", "start", "end",
]);
static CLOCK: Lexicon =
    Lexicon::new(&["timestamp", "ts", "now", "current", "clock", "server", "epoch", "last"]);
static MOMENT: Lexicon = Lexicon::new(&["time", "date", "datetime"]);
#[rustfmt::skip]
static DONE: Lexicon = Lexicon::new(&[
    "generated", "fetched", "retrieved", "requested", "checked", "started", "finished", "completed",
    "created", "updated", "modified", "queried", "sent", "received", "logged", "executed", "accessed",
    "cached", "seen", "indexed", "uploaded", "exported",
]);
#[rustfmt::skip]
static DURATION: Lexicon = Lexicon::new(&[
    "duration", "elapsed", "latency", "took", "runtime", "uptime", "taken", "ms", "millis",
]);
#[rustfmt::skip]
static UNDER_CONTROL: Lexicon = Lexicon::new(&[
    "timeout", "limit", "interval", "delay", "wait", "ttl", "max", "min", "threshold", "every", "budget",
    "quota", "retry", "remaining", "left", "estimated", "expected", "backoff", "cooldown",
]);
#[rustfmt::skip]
static REQUEST: Lexicon = Lexicon::new(&[
    "request", "trace", "span", "correlation", "invocation", "call", "transaction", "nonce", "traceparent",
]);

/// What is timed, before the word `time`.
static TIMED: Lexicon = Lexicon::new(&[
    "response",
    "execution",
    "query",
    "search",
    "processing",
    "load",
    "wall",
    "cpu",
    "run",
    "build",
    "render",
    "inference",
]);
static MEMORY: Lexicon = Lexicon::new(&["address", "addr", "ptr", "pointer", "handle"]);
static PROCESS: Lexicon = Lexicon::new(&["process", "thread"]);

/// The role of a field, by the words of its name in any spelling (`startedAt`, `started_at`, `Started At`).
pub(super) fn role(key: &[u8]) -> Role {
    if key.is_empty() || key.len() > 64 {
        return Role::Plain;
    }
    let mut buffer = [0u8; 128];
    let words = Words::of(key, &mut buffer);
    let has = |list: &Lexicon| words.iter().any(|word| list.has(word));
    let last = words.iter().last().unwrap_or(b"");
    let identifier = matches!(last, b"id" | b"ids" | b"uid" | b"uuid" | b"guid");
    if matches!(last, b"pid" | b"ppid" | b"tid") || identifier && has(&PROCESS) {
        return Role::Process;
    }
    if last == b"nonce" || last == b"traceparent" || identifier && has(&REQUEST) {
        return Role::Request;
    }
    if has(&CONTENT) {
        return Role::Content;
    }
    if identifier {
        return Role::Identifier;
    }
    if has(&AGREED) {
        return Role::Agreed;
    }
    let measured = has(&DURATION) || last == b"time" && has(&TIMED);
    if measured && !has(&UNDER_CONTROL) {
        return Role::Duration;
    }
    if has(&CLOCK) || has(&DONE) {
        return Role::Clock;
    }
    if has(&MEMORY) {
        return Role::Memory;
    }
    if has(&MOMENT) {
        return Role::Moment;
    }
    Role::Plain
}

/// The words of a name, lower case.
struct Words<'a> {
    bytes: &'a [u8],
}

impl<'a> Words<'a> {
    fn of(key: &[u8], buffer: &'a mut [u8; 128]) -> Words<'a> {
        let mut length = 0;
        let mut before = b' ';
        for (at, &byte) in key.iter().enumerate() {
            let opens = byte.is_ascii_uppercase()
                && (before.is_ascii_lowercase()
                    || before.is_ascii_digit()
                    || before.is_ascii_uppercase() && key.get(at + 1).is_some_and(u8::is_ascii_lowercase));
            if opens {
                buffer[length] = b' ';
                length += 1;
            }
            buffer[length] =
                if super::words::is_token(byte) && byte != b'_' { byte.to_ascii_lowercase() } else { b' ' };
            length += 1;
            before = byte;
        }
        Words { bytes: &buffer[..length] }
    }

    fn iter(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        self.bytes.split(|&b| b == b' ').filter(|word| !word.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_any_spelling() {
        let table = [
            ("startedAt", Role::Clock),
            ("generated_at", Role::Clock),
            ("now", Role::Clock),
            ("Current time", Role::Clock),
            ("date", Role::Moment),
            ("start_time", Role::Agreed),
            ("due", Role::Agreed),
            ("durationMs", Role::Duration),
            ("elapsed", Role::Duration),
            ("query_time", Role::Duration),
            ("timeout_ms", Role::Plain),
            ("retry_after_ms", Role::Plain),
            ("estimated_duration", Role::Plain),
            ("pid", Role::Process),
            ("X-Request-ID", Role::Request),
            ("traceId", Role::Request),
            ("id_", Role::Identifier),
            ("messageId", Role::Identifier),
            ("UserID", Role::Identifier),
            ("paid", Role::Plain),
            ("baseAddress", Role::Memory),
            ("head", Role::Content),
            ("commit_sha", Role::Content),
            ("next_page_token", Role::Content),
            ("price", Role::Plain),
        ];
        for (key, expected) in table {
            assert_eq!(role(key.as_bytes()), expected, "{key}");
        }
    }
}
