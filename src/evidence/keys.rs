//! What the name of a field says about its value.

/// The part that a field plays, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Nothing is known.
    Plain,
    /// Read from a clock: `timestamp`, `generated_at`, `startedAt`.
    Clock,
    /// How long something took: `durationMs`, `elapsed`.
    Duration,
    /// A process or thread: `pid`.
    Process,
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
const CONTENT: [&str; 26] = [
    "sha", "sha1", "sha256", "sha512", "md5", "hash", "digest", "checksum", "etag", "commit", "head", "rev",
    "revision", "version", "ref", "tree", "index", "cursor", "next", "previous", "prev", "page", "offset",
    "token", "blob", "build",
];
#[rustfmt::skip]
const AGREED: [&str; 31] = [
    "due", "deadline", "departure", "departs", "arrival", "arrives", "scheduled", "schedule", "expires",
    "expiry", "expiration", "valid", "birth", "dob", "appointment", "meeting", "period", "effective",
    "begin", "until", "pickup", "delivery", "reserved", "booking", "event", "reminder", "eta", "starts",
    "ends", "start", "end",
];
#[rustfmt::skip]
const CLOCK: [&str; 10] = [
    "timestamp", "ts", "now", "datetime", "clock", "time", "date", "today", "epoch", "last",
];
#[rustfmt::skip]
const DONE: [&str; 22] = [
    "generated", "fetched", "retrieved", "requested", "checked", "started", "finished", "completed",
    "created", "updated", "modified", "queried", "sent", "received", "logged", "executed", "accessed",
    "cached", "seen", "indexed", "uploaded", "exported",
];
#[rustfmt::skip]
const DURATION: [&str; 9] = [
    "duration", "elapsed", "latency", "took", "runtime", "uptime", "taken", "ms", "millis",
];
#[rustfmt::skip]
const UNDER_CONTROL: [&str; 12] = [
    "timeout", "limit", "interval", "delay", "wait", "ttl", "max", "min", "threshold", "every", "budget",
    "quota",
];
#[rustfmt::skip]
const REQUEST: [&str; 9] = [
    "request", "trace", "span", "correlation", "invocation", "call", "transaction", "nonce", "traceparent",
];

/// The role of a field, by the words of its name in any spelling (`startedAt`, `started_at`, `Started At`).
pub(super) fn role(key: &[u8]) -> Role {
    if key.is_empty() || key.len() > 64 {
        return Role::Plain;
    }
    let mut buffer = [0u8; 128];
    let words = Words::of(key, &mut buffer);
    let has = |list: &[&str]| words.iter().any(|word| list.iter().any(|entry| entry.as_bytes() == word));
    let last = words.iter().last().unwrap_or(b"");
    let identifier = matches!(last, b"id" | b"ids" | b"uid" | b"uuid" | b"guid");
    if matches!(last, b"pid" | b"ppid" | b"tid") || identifier && has(&["process", "thread"]) {
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
    if has(&DURATION) && !has(&UNDER_CONTROL) {
        return Role::Duration;
    }
    if has(&CLOCK) || has(&DONE) {
        return Role::Clock;
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
            ("start_time", Role::Agreed),
            ("due", Role::Agreed),
            ("durationMs", Role::Duration),
            ("elapsed", Role::Duration),
            ("timeout_ms", Role::Plain),
            ("pid", Role::Process),
            ("X-Request-ID", Role::Request),
            ("traceId", Role::Request),
            ("id_", Role::Identifier),
            ("messageId", Role::Identifier),
            ("UserID", Role::Identifier),
            ("paid", Role::Plain),
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
