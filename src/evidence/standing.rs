//! What each piece of a line counts for: as it stands, as a volatile detail, or as an identifier.
//!
//! Shapes ([`super::words`]) are weighed with what stands around them: a number after `pid`, a time after `due`, a
//! hash after `commit`. In doubt a piece counts as it stands.

use super::keys::{self, Role};
use super::lexicon::Lexicon;
use super::words::{Grain, Piece, Shape};

/// What a piece counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// As it stands.
    Plain,
    /// A detail that moves by itself: of its kind, any is as good as another.
    Volatile,
    /// A detail that may be absent as well.
    Absent,
    /// A UUID or ULID: new with every call, unless it is all there is.
    Unique,
    /// Another identifier.
    Identifier,
}

/// Weighs the pieces of a line. `role` is what the line's key says; a text gives each of its pieces one.
pub(super) fn weigh(line: &[u8], role: Role, pieces: &[Piece], out: &mut Vec<Standing>) {
    out.clear();
    let context = Line { line, pieces };
    if let Some(whole) = context.by_role(role) {
        out.resize(pieces.len(), whole);
        return;
    }
    let (labelled, label) = context.label();
    let label = if label == Role::Plain { role } else { label };
    let rest = Line { line, pieces: &pieces[labelled..] };
    if labelled > 0
        && let Some(whole) = rest.by_role(label)
    {
        out.resize(labelled, Standing::Plain);
        out.resize(pieces.len(), whole);
        return;
    }
    let note = context.is_a_note_about_looking();
    out.extend((0..pieces.len()).map(|at| if note { Standing::Absent } else { context.standing(at, label) }));
    context.drop_optional_durations(out);
}

struct Line<'a> {
    line: &'a [u8],
    pieces: &'a [Piece],
}

impl Line<'_> {
    /// The standing of a whole value under a key, where the key decides.
    fn by_role(&self, role: Role) -> Option<Standing> {
        let first = self.pieces.first()?;
        let single = self.pieces.len() == 1;
        let tight = self.pieces[1..].iter().all(|piece| !piece.spaced);
        let long_number =
            single && first.shape == Shape::Number && matches!(first.end - first.start, 10..=20);
        match role {
            Role::Clock => {
                let time = matches!(first.shape, Shape::Time(_) | Shape::Clock(_));
                (single && time || long_number).then_some(Standing::Volatile)
            }
            Role::Content if single && matches!(first.shape, Shape::Time(_)) => Some(Standing::Plain),
            Role::Moment if single => match first.shape {
                Shape::Time(grain) | Shape::Clock(grain) => {
                    Some(if grain > Grain::Round { Standing::Volatile } else { Standing::Plain })
                }
                _ => long_number.then_some(Standing::Volatile),
            },
            Role::Duration => {
                let time = matches!(first.shape, Shape::Duration { .. } | Shape::Number | Shape::Clock(_));
                (single && time).then_some(Standing::Volatile)
            }
            Role::Memory => {
                let address = first.shape == Shape::Address && first.end - first.start <= 2 + 16;
                (single && address).then_some(Standing::Volatile)
            }
            Role::Process => (single && first.shape == Shape::Number).then_some(Standing::Volatile),
            Role::Request => tight.then_some(Standing::Volatile),
            Role::Identifier if tight => Some(if single && first.shape == Shape::Unique {
                Standing::Unique
            } else {
                Standing::Identifier
            }),
            Role::Agreed => {
                let read = matches!(first.shape, Shape::Time(Grain::Second));
                Some(if single && read { Standing::Volatile } else { Standing::Plain })
            }
            _ => None,
        }
    }

    /// The label of `Some label: value`: how many pieces it takes, and what it says.
    fn label(&self) -> (usize, Role) {
        let words = self.pieces.iter().take(4).take_while(|piece| piece.shape == Shape::Word).count();
        if words == 0
            || self.bytes(words) != b":"
            || self.pieces.get(words + 1).is_none_or(|next| !next.spaced)
        {
            return (0, Role::Plain);
        }
        let start = self.pieces[0].start as usize;
        let end = self.pieces[words - 1].end as usize;
        (words + 1, keys::role(&self.line[start..end]))
    }

    fn bytes(&self, at: usize) -> &[u8] {
        self.pieces.get(at).map_or(b"", |piece| piece.of(self.line))
    }

    /// The piece `back` places before `at`.
    fn before(&self, at: usize, back: usize) -> &[u8] {
        at.checked_sub(back).map_or(b"", |index| self.bytes(index))
    }

    /// The word before `at`, over one sign of punctuation.
    fn word_before(&self, at: usize, words: &Lexicon) -> bool {
        let near = [self.before(at, 1), self.before(at, 2)];
        let word = if near[0].len() == 1 && !near[0][0].is_ascii_alphanumeric() { near[1] } else { near[0] };
        words.has(word)
    }

    /// Does one of the words stand among the few pieces before `at` or the two behind it?
    fn near(&self, at: usize, words: &Lexicon) -> bool {
        let from = at.saturating_sub(6);
        (from..at).chain(at + 1..at + 3).any(|index| words.has(self.bytes(index)))
    }

    fn standing(&self, at: usize, role: Role) -> Standing {
        let piece = self.pieces[at];
        match piece.shape {
            Shape::Time(grain) => self.time(at, role, grain),
            Shape::Clock(grain) => self.clock(at, role, grain),
            Shape::Duration { fine } => self.duration(at, role, fine),
            Shape::Number => self.number(at),
            Shape::Address => self.address(at),
            Shape::Unique => self.identifier(at, role, Standing::Unique),
            Shape::Hex if self.before(at, 1) == b"@" && !piece.spaced => Standing::Volatile,
            Shape::Word | Shape::Hex | Shape::Mixed if self.is_temporary(at) => Standing::Volatile,
            Shape::Hex | Shape::Mixed => self.identifier(at, role, Standing::Identifier),
            Shape::Word | Shape::Punctuation | Shape::Date => self.assigned(at),
        }
    }

    /// A date with its time. People agree on round ones, so these are read from a clock only where that is said.
    fn time(&self, at: usize, role: Role, grain: Grain) -> Standing {
        let agreed = role == Role::Agreed || self.near(at, &AGREED);
        let alone = self.pieces.len() == 1 && role == Role::Plain;
        let answer = match grain {
            Grain::Second => false,
            Grain::Minute => agreed || alone,
            Grain::Round => agreed || !(role == Role::Clock || self.is_read(at) || self.is_stamp(at)),
        };
        if answer { Standing::Plain } else { Standing::Volatile }
    }

    /// `generated at 2025-05-01 10:40`, `as of …`, `time: …`
    fn is_read(&self, at: usize) -> bool {
        let filler = |back: usize| {
            let word = self.before(at, back);
            [b"at".as_slice(), b"on", b"is", b":", b"="].iter().any(|other| word.eq_ignore_ascii_case(other))
        };
        let back = (1..=3).find(|&back| !filler(back)).unwrap_or(4);
        let word = self.before(at, back);
        let as_of = word.eq_ignore_ascii_case(b"of") && self.before(at, back + 1).eq_ignore_ascii_case(b"as");
        as_of || READ.has(word) || CLOCKS.has(word)
    }

    /// The time stamp of a line of a log or a listing: in brackets or with its seconds, at the start of the line.
    fn is_stamp(&self, at: usize) -> bool {
        let last = at + 1 == self.pieces.len();
        let enclosed = self.before(at, 1) == b"[" && self.bytes(at + 1) == b"]" && self.pieces.len() > 3;
        let leading = self.pieces[..at].iter().all(|piece| {
            let word = piece.of(self.line);
            LEVELS.has(word) || matches!(word, b"[" | b"]" | b":" | b"-" | b"|")
        });
        let text = self.pieces[at].of(self.line);
        let fine = text.iter().filter(|&&b| b == b':').count() >= 2 || !text.contains(&b':');
        enclosed || !last && leading && fine || self.is_file_of_a_listing()
    }

    /// `-rw-r--r-- 1 ann crew 4096 Jun  4 14:40 chart.txt`
    fn is_file_of_a_listing(&self) -> bool {
        let line = self.line.trim_ascii_start();
        line.len() > 10
            && b"-dlcbps".contains(&line[0])
            && line[1..10].iter().all(|b| b"rwxsStT-".contains(b))
            && matches!(line[10], b' ' | b'.' | b'+' | b'@')
    }

    /// A time of day alone: only at the start of a line, in brackets, or where a word says that it is the time.
    fn clock(&self, at: usize, role: Role, grain: Grain) -> Standing {
        let enclosed = matches!(self.before(at, 1), b"[" | b"(") && matches!(self.bytes(at + 1), b"]" | b")");
        let leading = at == 0 && self.pieces.len() > 1 && grain == Grain::Second;
        let said = role == Role::Clock || self.word_before(at, &CLOCKS);
        if role != Role::Agreed && (enclosed || leading || said) {
            Standing::Volatile
        } else {
            Standing::Plain
        }
    }

    /// How long something took, or how long ago it was; never how long something will take.
    fn duration(&self, at: usize, role: Role, fine: bool) -> Standing {
        if role == Role::Agreed || self.near(at, &AHEAD) || self.word_before(at, &CONTROLLED) {
            return Standing::Plain;
        }
        let next = self.bytes(at + 1);
        if next.eq_ignore_ascii_case(b"ago") {
            return Standing::Volatile;
        }
        let enclosed = matches!(self.before(at, 1), b"[" | b"(") && matches!(next, b"]" | b")");
        if !(enclosed && fine) && self.is_to_come(at, fine) {
            return Standing::Plain;
        }
        let pending = self.word_before(at, &BEHIND) && self.is_past(at);
        let measured = pending || self.word_before(at, &MEASURED);
        let text = self.pieces[at].of(self.line);
        let days = text.windows(3).any(|part| matches!(part, b"day" | b"wee" | b"mon"));
        if fine || (enclosed || measured || role == Role::Duration) && !days {
            Standing::Volatile
        } else {
            Standing::Plain
        }
    }

    /// Does the piece end a sentence, or with `clauses` a part of one?
    fn ends(&self, at: usize, clauses: bool) -> bool {
        if self.pieces.get(at + 1).is_some_and(|next| !next.spaced) {
            return false;
        }
        match self.bytes(at) {
            b"." | b"!" | b"?" | b";" => true,
            b"," | b":" => clauses,
            b"-" => clauses && self.pieces[at].spaced,
            _ => false,
        }
    }

    /// A word of its own, no part of a name such as `retry.test.js`.
    fn stands_alone(&self, at: usize) -> bool {
        let open = at == 0
            || self.pieces[at].spaced
            || matches!(self.before(at, 1), b"(" | b"\"" | b"'" | b"[" | b"*");
        let next = self.pieces.get(at + 1);
        let closed = next.is_none_or(|next| next.spaced)
            || matches!(self.bytes(at + 1), b"," | b"." | b":" | b";" | b"!" | b"?" | b")" | b"\"" | b"'")
                && self.pieces.get(at + 2).is_none_or(|behind| behind.spaced);
        open && closed
    }

    /// Does the sentence speak of what is to come? A measured time is less easily taken for that.
    fn is_to_come(&self, at: usize, fine: bool) -> bool {
        let said = |index: usize, words: &Lexicon| words.has(self.bytes(index)) && self.stands_alone(index);
        let before = || (0..at).rev().take(FARTHEST);
        let behind = (at + 1..self.pieces.len()).take(FARTHEST);
        before().take_while(|&index| !self.ends(index, false)).any(|index| said(index, &TO_COME))
            || behind.take_while(|&index| !self.ends(index, false)).any(|index| said(index, &TO_COME))
            || !fine
                && before().take_while(|&index| !self.ends(index, false)).any(|index| said(index, &EXPECTED))
    }

    /// Does the last verb before the piece, in the same clause, tell of something that is over?
    fn is_past(&self, at: usize) -> bool {
        let clause = (0..at).rev().take(FARTHEST).take_while(|&index| !self.ends(index, true));
        for index in clause {
            let word = self.bytes(index);
            let opens = word == b"(" && !BEHIND.has(self.bytes(index + 1));
            if opens || PRESENT.has(word) {
                return false;
            }
            let participle = word.len() >= 4
                && self.pieces[index].shape == Shape::Word
                && word[word.len() - 2..].eq_ignore_ascii_case(b"ed")
                && !word[..word.len() - 2].ends_with(b"e");
            if PAST.has(word) || participle && !NOT_PAST.has(word) {
                return true;
            }
        }
        false
    }

    /// A number after `pid`, in `/proc/…`, `name[123]:`, a port of this machine, or a line of a shell.
    fn number(&self, at: usize) -> Standing {
        let back = |n: usize| self.before(at, n);
        let tight = !self.pieces[at].spaced;
        let process_path = tight && back(1) == b"/" && matches!(back(2), b"proc" | b"task");
        let bracketed = tight
            && back(1) == b"["
            && self.bytes(at + 1) == b"]"
            && self.bytes(at + 2) == b":"
            && at >= 2
            && !self.pieces[at - 1].spaced;
        let node = tight && back(1) == b":" && back(2) == b"node" && back(3) == b"(";
        let pid = self.word_before(at, &PROCESSES);
        let local = tight
            && back(1) == b":"
            && (matches!(back(2), b"localhost" | b"127.0.0.1" | b"0.0.0.0")
                || (back(2) == b"]" && back(4) == b":"));
        let shell_line = back(1) == b"line"
            && back(2) == b":"
            && matches!(back(3), b"bash" | b"sh" | b"zsh" | b"dash" | b"ksh")
            && self.bytes(at + 1) == b":";
        let text = self.pieces[at].of(self.line);
        let milliseconds =
            text.len() == 13 && text[0] == b'1' && matches!(text[1], b'4'..=b'9') && !text.contains(&b'.');
        if process_path || bracketed || node || pid || local || shell_line || milliseconds {
            return Standing::Volatile;
        }
        if self.is_number_of_something_made(at) { Standing::Identifier } else { self.assigned(at) }
    }

    /// `Ticket #1041 created`, `Order 1041 placed`
    fn is_number_of_something_made(&self, at: usize) -> bool {
        let marked = matches!(self.before(at, 1), b"#" | b"ID" | b"id" | b"number");
        let long = self.pieces[at].end - self.pieces[at].start >= 4;
        let thing = (1..=2).any(|back| THINGS.has(self.before(at, back)));
        let whole = self.pieces[at].of(self.line).iter().all(u8::is_ascii_digit);
        whole && (marked || long) && thing && self.pieces.iter().any(|piece| MADE.has(piece.of(self.line)))
    }

    /// `0x…` where an address of memory stands: `at 0x…`, `<Parser 0x…>`, a frame of a stack, behind the name of a
    /// pointer. Any other is a value; and so is a longer one than memory has.
    fn address(&self, at: usize) -> Standing {
        let text = self.pieces[at].of(self.line);
        if text.get(1).is_none_or(|b| !matches!(b, b'x' | b'X')) {
            return Standing::Volatile;
        }
        let digits = text.len() - 2;
        let named = self.word_before(at, &POINTERS);
        let located = matches!(self.before(at, 1), b"at" | b"@") || self.is_enclosed(at) || self.is_frame(at);
        if digits <= 16 && (named || digits >= 8 && located) { Standing::Volatile } else { Standing::Plain }
    }

    /// `<Parser 0x…>`
    fn is_enclosed(&self, at: usize) -> bool {
        let opened = (0..at).rev().take(FARTHEST).find(|&index| matches!(self.bytes(index), b"<" | b">"));
        let named = opened.is_some_and(|index| {
            self.bytes(index) == b"<"
                && self.pieces.get(index + 1).is_some_and(|next| next.shape == Shape::Word && !next.spaced)
        });
        named && (at + 1..self.pieces.len()).take(FARTHEST).any(|index| self.bytes(index) == b">")
    }

    /// `#0  0x… in main ()`, `frame #0: 0x… app`
    fn is_frame(&self, at: usize) -> bool {
        let colon = usize::from(self.before(at, 1) == b":");
        let numbered =
            at.checked_sub(1 + colon).is_some_and(|index| self.pieces[index].shape == Shape::Number);
        let begins = at <= 2 || self.before(at, colon + 3).eq_ignore_ascii_case(b"frame");
        numbered && self.before(at, colon + 2) == b"#" && begins && self.pieces.len() > at + 1
    }

    fn identifier(&self, at: usize, role: Role, found: Standing) -> Standing {
        match self.assigned_role(at) {
            Role::Request => return Standing::Volatile,
            Role::Content => return Standing::Plain,
            _ => {}
        }
        let text = self.pieces[at].of(self.line);
        let name =
            text.iter().position(|b| matches!(b, b'_' | b'-')).map_or(b"".as_slice(), |end| &text[..end]);
        let counted = found == Standing::Identifier && COUNTED.has(name);
        let content = role == Role::Content
            || (1..=4).any(|back| CONTENT.has(self.before(at, back)))
            || self.before(at, 1) == b"." && !self.pieces[at].spaced;
        if counted || content { Standing::Plain } else { found }
    }

    /// A value of `key=value`, `key="value"` or `key: value` inside a line.
    fn assigned(&self, at: usize) -> Standing {
        if self.pieces[at].shape == Shape::Punctuation {
            return Standing::Plain;
        }
        let number = self.pieces[at].shape == Shape::Number;
        match self.assigned_role(at) {
            Role::Request => Standing::Volatile,
            Role::Process | Role::Duration if number => Standing::Volatile,
            Role::Clock if number && matches!(self.pieces[at].end - self.pieces[at].start, 10..=20) => {
                Standing::Volatile
            }
            Role::Identifier => Standing::Identifier,
            _ => Standing::Plain,
        }
    }

    fn assigned_role(&self, at: usize) -> Role {
        let quoted = matches!(self.before(at, 1), b"\"" | b"'");
        let sign = if quoted { 2 } else { 1 };
        match self.before(at, sign) {
            b"=" => keys::role(self.before(at, sign + 1)),
            b":" if self.pieces[at - sign + 1].spaced => keys::role(self.before(at, sign + 1)),
            _ => Role::Plain,
        }
    }

    /// A random name below a directory for temporary files.
    fn is_temporary(&self, at: usize) -> bool {
        let piece = self.pieces[at];
        if piece.spaced || !matches!(self.before(at, 1), b"/" | b"\\") {
            return false;
        }
        let name = piece.of(self.line);
        let digits = name.iter().filter(|b| b.is_ascii_digit()).count();
        let marked = name.len() >= 7 && name.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(b"tmp"));
        let random = marked || (digits > 0 && name.len() >= 6) || piece.shape != Shape::Word;
        let parent = self.before(at, 2);
        let below = parent.eq_ignore_ascii_case(b"tmp") || parent.eq_ignore_ascii_case(b"temp");
        let folders = parent == b"T" || self.before(at, 4) == b"folders" || parent == b"folders";
        random && (below || folders)
    }

    /// `You viewed this page 31 seconds ago.`: about the looking, not about what is seen.
    fn is_a_note_about_looking(&self) -> bool {
        let ago = |pair: &[Piece]| {
            matches!(pair[0].shape, Shape::Duration { .. })
                && pair[1].of(self.line).eq_ignore_ascii_case(b"ago")
        };
        if self.pieces.len() > 16 || !self.pieces.windows(2).any(ago) {
            return false;
        }
        let said = |words: &Lexicon| self.pieces.iter().any(|piece| words.has(piece.of(self.line)));
        let plain =
            |piece: &Piece| matches!(piece.shape, Shape::Word | Shape::Punctuation | Shape::Duration { .. });
        self.pieces.iter().all(plain) && said(&LOOKED) && said(&SEEN) && !said(&DENIED)
    }

    /// A duration in brackets, and its brackets, may be absent: `PASS api.test (5.2 s)`; an estimate of it as well:
    /// `Time: 4.4 s, estimated 16 s`.
    fn drop_optional_durations(&self, out: &mut [Standing]) {
        for at in 2..self.pieces.len() {
            let estimate = self.bytes(at - 2) == b"," && self.bytes(at - 1) == b"estimated";
            if estimate && matches!(self.pieces[at].shape, Shape::Duration { .. }) {
                out[at - 2..=at].fill(Standing::Absent);
            }
        }
        for at in 1..self.pieces.len().saturating_sub(1) {
            let enclosed = self.bytes(at - 1) == b"(" && self.bytes(at + 1) == b")";
            if enclosed
                && out[at] == Standing::Volatile
                && matches!(self.pieces[at].shape, Shape::Duration { .. })
            {
                out[at - 1..=at + 1].fill(Standing::Absent);
            }
        }
    }
}

#[rustfmt::skip]
static AGREED: Lexicon = Lexicon::new(&[
    "due", "deadline", "departs", "departure", "arrives", "arrival", "scheduled", "until", "appointment",
    "meeting", "reserved", "booked", "booking", "expires", "starts", "ends", "opens", "closes", "valid",
    "reminder", "pickup", "delivery", "next", "free", "available", "slot", "moved", "rescheduled",
]);
#[rustfmt::skip]
static AHEAD: Lexicon = Lexicon::new(&[
    "remaining", "left", "eta", "due", "arrives", "arrival", "departs", "departure", "starts", "flight",
    "ride", "walk", "drive", "delivery", "old", "age", "leaves", "leaving", "departing", "arriving", "opens", "closes", "begins", "ends",
]);
#[rustfmt::skip]
static CONTROLLED: Lexicon = Lexicon::new(&[
    "timeout", "limit", "interval", "delay", "wait", "sleep", "ttl", "max", "min", "threshold", "every",
    "for", "than",
]);
#[rustfmt::skip]
static MEASURED: Lexicon = Lexicon::new(&[
    "took", "elapsed", "duration", "time", "runtime", "real", "user", "sys", "total", "uptime", "up",
]);
/// What stands behind these was measured only if the words before tell of something that is over.
static BEHIND: Lexicon = Lexicon::new(&["in", "after"]);
/// Words of a sentence about what is to come.
#[rustfmt::skip]
static TO_COME: Lexicon = Lexicon::new(&[
    "will", "shall", "again", "retry", "retrying", "try", "expires", "expire", "wait", "until", "please", "be", "soon",
    "later", "going", "can", "may", "should", "must", "reset", "resets",
]);
/// Words that announce a time when they stand before it.
#[rustfmt::skip]
static EXPECTED: Lexicon = Lexicon::new(&[
    "ready", "next", "starts", "starting", "estimated", "expected", "waiting", "travel", "refreshes", "available",
    "begin", "finish", "finishes", "continues", "resumes", "cooldown", "countdown", "timer", "delay", "backoff",
]);
#[rustfmt::skip]
static PAST: Lexicon = Lexicon::new(&[
    "took", "taken", "ran", "built", "done", "sent", "read", "wrote", "written", "found", "got", "made", "went",
    "began", "spent", "complete", "success", "successful", "successfully", "passing", "was", "were", "had", "ok",
    "gave", "shut", "slept", "lost", "pass",
]);
/// Participles of what is still to come, and words that only look like participles.
#[rustfmt::skip]
static NOT_PAST: Lexicon = Lexicon::new(&[
    "scheduled", "planned", "expected", "estimated", "delayed", "postponed", "booked", "reserved", "promised",
    "allowed", "needed", "required", "queued", "supposed", "limited", "hundred", "anticipated", "deferred", "paused",
    "unlocked", "lifted", "released",
]);
/// Words of a clause about the present.
static PRESENT: Lexicon = Lexicon::new(&[
    "is",
    "are",
    "your",
    "comes",
    "then",
    "to",
    "completes",
    "finishes",
    "starts",
    "ends",
    "begins",
    "closes",
    "opens",
    "results",
]);
/// How many pieces around a duration are looked at.
const FARTHEST: usize = 24;
#[rustfmt::skip]
static CONTENT: Lexicon = Lexicon::new(&[
    "commit", "head", "sha", "sha1", "sha256", "md5", "hash", "digest", "checksum", "etag", "revision",
    "rev", "version", "index", "tree", "blob", "merge", "build", "release", "tag", "flag", "key", "cursor", "password", "passcode", "code", "secret", "answer", "coupon",
]);
/// Words whose number counts something: another number is progress.
#[rustfmt::skip]
static COUNTED: Lexicon = Lexicon::new(&[
    "step", "page", "stage", "chunk", "part", "row", "line", "iteration", "epoch", "version", "batch",
    "attempt", "round", "offset", "level", "phase", "chapter", "section", "test", "frame", "block", "shard",
    "checkpoint", "gpt",
]);
#[rustfmt::skip]
static LOOKED: Lexicon = Lexicon::new(&[
    "visited", "viewed", "accessed", "fetched", "cached", "checked", "refreshed", "retrieved", "loaded",
]);

/// Things that a side effect makes, each with a number of its own.
static THINGS: Lexicon = Lexicon::new(&[
    "order",
    "ticket",
    "booking",
    "confirmation",
    "reservation",
    "invoice",
    "receipt",
    "message",
    "comment",
    "case",
    "transaction",
    "appointment",
    "event",
    "email",
    "refund",
    "payment",
    "note",
    "reminder",
    "task",
    "issue",
]);
static MADE: Lexicon = Lexicon::new(&[
    "created",
    "sent",
    "added",
    "booked",
    "placed",
    "posted",
    "submitted",
    "scheduled",
    "registered",
    "saved",
    "opened",
    "filed",
    "issued",
    "confirmed",
]);
static SEEN: Lexicon = Lexicon::new(&["you", "page", "result", "results", "cache", "cached"]);
static DENIED: Lexicon = Lexicon::new(&["not", "never", "failed"]);
#[rustfmt::skip]
static READ: Lexicon = Lexicon::new(&[
    "generated", "updated", "fetched", "retrieved", "checked", "created", "modified", "finished", "started",
    "completed", "logged", "refreshed", "accessed", "exported", "printed", "queried", "cached", "date",
]);
#[rustfmt::skip]
static LEVELS: Lexicon = Lexicon::new(&[
    "info", "warn", "warning", "error", "debug", "trace", "fatal", "notice", "critical", "verbose", "i", "w", "e", "d",
]);
static CLOCKS: Lexicon = Lexicon::new(&["now", "time", "clock", "timestamp"]);
static PROCESSES: Lexicon = Lexicon::new(&["pid", "ppid", "tid", "process", "thread"]);
static POINTERS: Lexicon = Lexicon::new(&["address", "addr", "ptr", "pointer", "handle"]);

#[cfg(test)]
mod tests {
    use super::super::words::cut;
    use super::*;

    /// The line with volatile pieces as `~`, unique ones as `!`, identifiers as `#`, droppable ones left out.
    fn weighed(key: &str, line: &str) -> String {
        let (mut pieces, mut standings) = (Vec::new(), Vec::new());
        cut(line.as_bytes(), &mut pieces);
        weigh(line.as_bytes(), keys::role(key.as_bytes()), &pieces, &mut standings);
        let mut out = String::new();
        for (piece, standing) in pieces.iter().zip(&standings) {
            if *standing == Standing::Absent {
                continue;
            }
            if piece.spaced && !out.is_empty() {
                out.push(' ');
            }
            match standing {
                Standing::Volatile => out.push('~'),
                Standing::Unique => out.push('!'),
                Standing::Identifier => out.push('#'),
                _ => out.push_str(&String::from_utf8_lossy(piece.of(line.as_bytes()))),
            }
        }
        out
    }

    #[test]
    fn volatile_details_by_shape() {
        let table = [
            ("312 passed, 7 skipped in 41.22s", "312 passed, 7 skipped in ~"),
            ("finished at 2025-03-14T09:12:44Z in 41.7 s", "finished at ~ in ~"),
            ("2025-05-01 10:40:00 gate opened up", "~ gate opened up"),
            ("[2025-05-01 10:40] gate is up", "[~] gate is up"),
            ("INFO 2025-05-01T10:40:00Z gate is up", "INFO ~ gate is up"),
            ("report as of 2025-05-01 10:40", "report as of ~"),
            ("generated on 2025-05-01 10:40:00", "generated on ~"),
            ("-rw-r--r-- 1 ann crew 4096 Jun  4 14:40 chart.txt", "-rw-r--r-- 1 ann crew 4096 ~ chart.txt"),
            ("noted on 2025-05-01 at 10:41:07", "noted on ~"),
            ("created shared.js in 33ms", "created shared.js in ~"),
            ("PASS api.test.js (5.263 s)", "PASS api.test.js"),
            ("7 passing (1m)", "7 passing"),
            ("Time: 3.207 s, estimated 9 s", "Time: ~"),
            ("updated 11 minutes ago by Ann", "updated ~ ago by Ann"),
            ("<Parser object at 0x7f31c08ae590>", "<Parser object at ~>"),
            ("<Parser 0x7f31c08ae590>", "<Parser ~>"),
            ("#0  0x00007f31c08ae590 in main ()", "#0 ~ in main ()"),
            ("frame #0: 0x00007f31c08ae590 app`main", "frame #0: ~ app`main"),
            ("SEGV on unknown address 0x7f31c08ae590", "SEGV on unknown address ~"),
            ("java.lang.Object@1b6d3586", "java.lang.Object@~"),
            ("./proc/4096/task/4096/fd/0", "./proc/~/task/~/fd/0"),
            ("/bin/bash: line 3: foo: command not found", "/bin/bash: line ~: foo: command not found"),
            ("listening on 127.0.0.1:49152", "listening on 127.0.0.1:~"),
            ("shot 1746096067123 stored", "shot ~ stored"),
            ("sshd[4821]: closed", "sshd[~]: closed"),
            ("(node:4850) NOTE", "(node:~) NOTE"),
            ("started with pid 4821", "started with pid ~"),
            ("wrote /tmp/tmpq8wk2vne.txt", "wrote /tmp/~.txt"),
            ("[12:30:01] tick", "[~] tick"),
            ("request_id=ab12 done", "request_id=~ done"),
            ("You viewed this page 31 seconds ago.", ""),
            ("You previously visited this page 11 seconds ago.", ""),
            ("finished in 132 ms", "finished in ~"),
            ("took 3 s", "took ~"),
            ("Done in 4.1s", "Done in ~"),
            ("Job 7 completed in 12 seconds", "Job 7 completed in ~"),
            ("Ran 5 tests in 3s", "Ran 5 tests in ~"),
            ("BUILD SUCCESSFUL in 3s", "BUILD SUCCESSFUL in ~"),
            ("timed out after 30 seconds", "timed out after ~"),
            ("ready in 532 ms", "ready in ~"),
            ("should retry a failed call (12 ms)", "should retry a failed call"),
            ("retry.test.js passed in 33ms", "retry.test.js passed in ~"),
        ];
        for (line, expected) in table {
            assert_eq!(weighed("", line), expected, "{line}");
        }
    }

    #[test]
    fn what_counts_as_it_stands() {
        for line in [
            "Backup is running: 12%",
            "timeout 300ms",
            "free on 2024-05-01 at 11:00",
            "moved to 2024-05-01T10:00",
            "moved to 2024-05-01T10:00:00Z",
            "2024-05-01T10:00:00Z",
            "2024-05-01 11:00 free",
            "3 minutes remaining",
            "Bake for 10 minutes",
            "your appointment is at 2025-03-14 09:00",
            "error 0x80070005",
            "rax 0x7f31c08ae590",
            "x = 0x7f31c08ae590",
            "balance 0x2386f26fc10000 wei",
            "paid at 0x52908400098527886E0F7030069857D2E4169EE7",
            "found at 0x1f40",
            "-1 day, 23:23:45.123456",
            "the gap is wide by 0.4 cm",
            "commit 5e2d8f13bc6a",
            "page_100 of 240",
            "wrote /tmp/result.txt",
            "Network type: 5G",
            "HEAD is now at 5e2d8f1 Fix the gate",
            "the password is hunter2x9",
            "the bus leaves in 5 minutes",
            "Try again in 30 seconds",
            "Please try again in 1.198s.",
            "Rate limit reached, retry after 20s",
            "Retry-After: 30 seconds",
            "The job will finish in 30 minutes",
            "in 12 minutes your car is ready",
            "Order placed, in 12 minutes your car is ready",
            "Order placed and your driver is there in 12 minutes",
            "the link expires in 10 minutes",
            "it will be processed in 20 minutes",
            "the call failed and will be repeated in 30 seconds",
            "scheduled in 30 minutes",
            "Estimated time: 30 minutes",
            "Job submitted (results in 30 minutes)",
            "Your request was accepted and completes in 30 minutes",
            "cooldown (30s)",
            "Next train at 2024-05-01 10:17",
            "Locked out, unlocked in 30 minutes",
            "next run in 10 s",
            "Ticket #1041 is still open",
            "item 1041 of the queue",
        ] {
            assert_eq!(weighed("", line), line);
        }
    }

    #[test]
    fn the_key_decides_about_a_value() {
        let table = [
            ("now", "2025-05-01T10:41:07Z", "~"),
            ("timestamp", "1746096067", "~"),
            ("generated_at", "2025-05-01T11:00:00Z", "~"),
            ("next_available", "2025-05-01T11:17:00Z", "2025-05-01T11:17:00Z"),
            ("slot", "2025-05-01T11:00:00Z", "2025-05-01T11:00:00Z"),
            ("slot", "2025-05-01T11:17", "2025-05-01T11:17"),
            ("durationMs", "132", "~"),
            ("ptr", "0x7f31c08ae590", "~"),
            ("baseAddress", "0x7f31c08ae590", "~"),
            (
                "address",
                "0x52908400098527886E0F7030069857D2E4169EE7",
                "0x52908400098527886E0F7030069857D2E4169EE7",
            ),
            ("balance_wei", "0x2386f26fc10000", "0x2386f26fc10000"),
            ("pid", "48211", "~"),
            ("request_id", "ab-12-cd", "~~~~~"),
            ("id_", "35", "#"),
            ("start_time", "2025-03-14 09:00:00", "2025-03-14 09:00:00"),
            ("start_time", "2025-03-14 09:00:07.123", "~"),
            ("head", "5e2d8f13bc6a", "5e2d8f13bc6a"),
            ("departure", "2025-05-01 06:37", "2025-05-01 06:37"),
            ("time", "10:41:07", "~"),
            ("time", "08:00", "08:00"),
            ("date", "2025-05-01", "2025-05-01"),
            ("price", "24.98", "24.98"),
        ];
        for (key, value, expected) in table {
            assert_eq!(weighed(key, value), expected, "{key}");
        }
    }

    #[test]
    fn identifiers() {
        assert_eq!(weighed("", "Receipt receipt_5104771 sent to Ann"), "Receipt # sent to Ann");
        assert_eq!(weighed("", "stored as 9d41c7e2-06fb-4a58-83d9-f12e5b7c0a64"), "stored as !");
        assert_eq!(weighed("", "container 5e2d8f13bc6a started"), "container # started");
        assert_eq!(weighed("", "Ticket #1041 created for Ann"), "Ticket ## created for Ann");
    }
}
