//! A line of text as pieces: words, numbers, punctuation, and the shapes that machines print.
//!
//! The lexer knows shapes only (this looks like a point in time, that like a UUID). What a shape means where it
//! stands is decided in [`super::standing`].

/// How fine a time is: people agree on round ones, clocks show any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Grain {
    /// A multiple of five minutes.
    Round,
    /// Another minute, without seconds.
    Minute,
    /// With seconds that are not zero.
    Second,
}

/// What a piece looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Letters, digits and underscores, not led by a digit; also versions and addresses (`1.2.3`).
    Word,
    /// A decimal number.
    Number,
    /// One other ASCII character.
    Punctuation,
    /// A date with a time.
    Time(Grain),
    /// A date alone.
    Date,
    /// A time of day alone.
    Clock(Grain),
    /// A number with a unit of time. `fine`: in fractions of seconds or less, so that it was measured.
    Duration { fine: bool },
    /// `0x` and hexadecimal digits.
    Address,
    /// UUID or ULID.
    Unique,
    /// Seven or more hexadecimal digits.
    Hex,
    /// A token that mixes letters and digits, or `word_123`.
    Mixed,
}

/// One piece of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// First byte.
    pub start: u32,
    /// Behind the last byte.
    pub end: u32,
    /// What it looks like.
    pub shape: Shape,
    /// White space stands before it.
    pub spaced: bool,
}

impl Piece {
    /// The bytes of the piece.
    pub fn of(self, line: &[u8]) -> &[u8] {
        &line[self.start as usize..self.end as usize]
    }
}

/// Cuts a line into pieces. White space and terminal colours are left out; other control characters are pieces.
pub(super) fn cut(line: &[u8], pieces: &mut Vec<Piece>) {
    pieces.clear();
    let mut at = 0;
    let mut spaced = false;
    while let Some(&byte) = line.get(at) {
        if byte == 0x1b {
            at = after_escape(line, at);
            continue;
        }
        if matches!(byte, b' ' | b'\t'..=b'\r') {
            spaced = true;
            at += 1;
            continue;
        }
        let (end, shape) = piece_at(line, at);
        pieces.push(Piece { start: at as u32, end: end as u32, shape, spaced });
        spaced = false;
        at = end;
    }
}

/// Is the line a row of a board (`#P  #`, `. X O`, `XX.O`): cells of one character each? Words are none, numbers are
/// none, and neither is a line of fewer than three cells.
pub(super) fn is_board(line: &[u8]) -> bool {
    let cells = line.iter().filter(|b| !b.is_ascii_whitespace()).count();
    if !(3..=256).contains(&cells) {
        return false;
    }
    if !line.is_ascii() {
        let symbols = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count() >= 3;
        return std::str::from_utf8(line)
            .is_ok_and(|text| symbols(text) && !text.contains(char::is_alphanumeric));
    }
    let digits = line.iter().all(|&b| b.is_ascii_digit() || b == b'.');
    if digits && memchr::memmem::find(line, b"..").is_some() {
        return true;
    }
    line.chunk_by(|a, b| is_token(*a) && is_token(*b)).all(|run| {
        let other = run.iter().find(|b| **b != run[0]).unwrap_or(&run[0]);
        let two = run.iter().all(|b| b == other || *b == run[0]);
        let capitals = run.iter().all(u8::is_ascii_uppercase);
        let long_digits = run.len() >= 4 && run.iter().all(u8::is_ascii_digit);
        run.len() == 1
            || run.iter().all(|b| b == other) && !run[0].is_ascii_digit()
            || two && (capitals || long_digits)
    })
}

/// Behind a terminal's control sequence (ECMA-48 CSI), or behind the lone escape character.
fn after_escape(line: &[u8], at: usize) -> usize {
    if line.get(at + 1) != Some(&b'[') {
        return at + 1;
    }
    let mut end = at + 2;
    while line.get(end).is_some_and(|b| (0x20..0x40).contains(b)) {
        end += 1;
    }
    (end + 1).min(line.len())
}

fn piece_at(line: &[u8], at: usize) -> (usize, Shape) {
    let byte = line[at];
    if !is_token(byte) {
        return (at + 1, Shape::Punctuation);
    }
    if let Some(end) = uuid(line, at) {
        return (end, Shape::Unique);
    }
    if let Some(end) = memory_range(line, at) {
        return (end, Shape::Address);
    }
    if byte.is_ascii_digit() {
        if let Some(found) = super::times::at_digit(line, at) {
            return found;
        }
    } else if byte.is_ascii_alphabetic()
        && let Some(found) = super::times::at_letter(line, at)
    {
        return found;
    }
    token(line, at)
}

/// Letters, digits, underscores, and everything beyond ASCII.
pub(super) fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn token(line: &[u8], at: usize) -> (usize, Shape) {
    let mut end = at;
    while line.get(end).is_some_and(|&b| is_token(b)) {
        end += 1;
    }
    let text = &line[at..end];
    if text.iter().all(u8::is_ascii_digit) {
        return number(line, end);
    }
    if let Some(behind) = dashed_number(line, at, end) {
        return (behind, Shape::Mixed);
    }
    (end, token_shape(text))
}

/// A number whose first digits end at `end`: goes on over `.5` and `,000`.
fn number(line: &[u8], mut end: usize) -> (usize, Shape) {
    let mut points = 0;
    while matches!(line.get(end), Some(b'.' | b',')) && line.get(end + 1).is_some_and(u8::is_ascii_digit) {
        let mut behind = end + 1;
        while line.get(behind).is_some_and(u8::is_ascii_digit) {
            behind += 1;
        }
        if line.get(behind).is_some_and(|&b| is_token(b)) {
            break;
        }
        points += usize::from(line[end] == b'.');
        end = behind;
    }
    (end, if points > 1 { Shape::Word } else { Shape::Number })
}

/// `word-123`: letters, a dash, three or more digits and nothing else.
fn dashed_number(line: &[u8], at: usize, end: usize) -> Option<usize> {
    if end - at > 12 || line.get(end) != Some(&b'-') || !line[at..end].iter().all(u8::is_ascii_alphabetic) {
        return None;
    }
    let digits = line[end + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
    let behind = end + 1 + digits;
    let open = line.get(behind).is_some_and(|&b| is_token(b) || b == b'-');
    (digits >= 3 && !open).then_some(behind)
}

/// The shape of one token that is no number.
fn token_shape(token: &[u8]) -> Shape {
    if let [b'0', b'x' | b'X', digits @ ..] = token
        && digits.len() >= 4
        && digits.iter().all(u8::is_ascii_hexdigit)
    {
        return Shape::Address;
    }
    let digits = token.iter().filter(|b| b.is_ascii_digit()).count();
    if digits == 0 || token.len() > 128 {
        return Shape::Word;
    }
    if is_ulid(token) {
        return Shape::Unique;
    }
    if token.len() >= 7 && token.iter().all(u8::is_ascii_hexdigit) {
        return Shape::Hex;
    }
    if numbered(token) || mixed(token, digits) { Shape::Mixed } else { Shape::Word }
}

/// `word_123`: three or more digits behind the last underscore.
fn numbered(token: &[u8]) -> bool {
    let Some(at) = token.iter().rposition(|&b| b == b'_') else { return false };
    let tail = &token[at + 1..];
    at > 0 && tail.len() >= 3 && tail.iter().all(u8::is_ascii_digit)
}

/// Letters and digits in turns, as random ids have them; `float64`, `5G`, `1920x1080` and `page2` are none.
fn mixed(token: &[u8], digits: usize) -> bool {
    if token.len() < 6 || !token.is_ascii() {
        return false;
    }
    let changes = token
        .windows(2)
        .filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit() && !pair.contains(&b'_'))
        .count();
    let letters = token.iter().filter(|b| b.is_ascii_alphabetic()).count();
    let dimensions = letters == 1 && token.iter().any(|b| matches!(b, b'x' | b'X'));
    let long_number = token[0].is_ascii_alphabetic() && letters <= 3 && digits >= 5;
    !dimensions && (changes >= 2 && digits >= 2 || long_number)
}

/// The end of a UUID (RFC 9562) that starts at `at`.
fn uuid(line: &[u8], at: usize) -> Option<usize> {
    if line.get(at + 8) != Some(&b'-') {
        return None;
    }
    let text = line.get(at..at + 36)?;
    let fits = text.iter().enumerate().all(|(i, b)| match i {
        8 | 13 | 18 | 23 => *b == b'-',
        _ => b.is_ascii_hexdigit(),
    });
    let open = line.get(at + 36).is_some_and(|&b| is_token(b));
    (fits && !open).then_some(at + 36)
}

/// The end of a range of memory, as `/proc` shows it: two addresses of 12 to 16 hexadecimal digits.
fn memory_range(line: &[u8], at: usize) -> Option<usize> {
    let near = line.get(at + 12..line.len().min(at + 17))?;
    if !near.contains(&b'-') {
        return None;
    }
    let digits = |from: usize| line[from..].iter().take(17).take_while(|b| b.is_ascii_hexdigit()).count();
    let length = digits(at);
    if !(12..=16).contains(&length) || line.get(at + length) != Some(&b'-') {
        return None;
    }
    let end = at + 2 * length + 1;
    let range = line.get(at..end)?;
    let open = line.get(end).is_some_and(|&b| is_token(b) || b == b'-');
    let letters = range.iter().any(u8::is_ascii_alphabetic);
    (digits(at + length + 1) == length && letters && !open).then_some(end)
}

/// 26 characters of Crockford's base 32 (the ULID specification), in one letter case.
fn is_ulid(token: &[u8]) -> bool {
    let set =
        |b: &u8| b.is_ascii_digit() || (b.is_ascii_uppercase() && !matches!(b, b'I' | b'L' | b'O' | b'U'));
    token.len() == 26 && matches!(token[0], b'0'..=b'7') && token.iter().all(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes(line: &str) -> Vec<(String, Shape)> {
        let mut pieces = Vec::new();
        cut(line.as_bytes(), &mut pieces);
        pieces
            .iter()
            .map(|p| (String::from_utf8_lossy(p.of(line.as_bytes())).into_owned(), p.shape))
            .collect()
    }

    #[test]
    fn single_shapes() {
        let table = [
            ("word", Shape::Word),
            ("größer", Shape::Word),
            ("41.22", Shape::Number),
            ("1,234,567.5", Shape::Number),
            ("127.0.0.1", Shape::Word),
            ("0x7f31c08ae590", Shape::Address),
            ("9d41c7e2-06fb-4a58-83d9-f12e5b7c0a64", Shape::Unique),
            ("01ARZ3NDEKTSV4RRFFQ69G5FAV", Shape::Unique),
            ("7f75a1e00000-7f75a1e80000", Shape::Address),
            ("5e2d8f13bc6a", Shape::Hex),
            ("receipt_4711", Shape::Mixed),
            ("ORD-48213", Shape::Mixed),
            ("Q7GX2K", Shape::Mixed),
            ("float64", Shape::Word),
            ("5G", Shape::Word),
            ("1920x1080", Shape::Word),
            ("stage_2", Shape::Word),
            ("deadbeef", Shape::Word),
        ];
        for (text, shape) in table {
            assert_eq!(shapes(text), [(text.to_string(), shape)]);
        }
    }

    #[test]
    fn rows_of_a_board() {
        for row in [
            "#P   #",
            "# . X O",
            "XX.O",
            "XOX",
            "| X | O |",
            "0 1 1",
            "[0 1 1]",
            "S..#",
            "0110",
            "53..7.",
            "⬛⬜⬛",
        ] {
            assert!(is_board(row.as_bytes()), "{row}");
        }
        for line in
            ["lion", "PASS", "12.5", "a = 10", "PO", "row 1", "42", "[12 1 1]", "x", "127.0.0.1", "größer"]
        {
            assert!(!is_board(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn colours_and_white_space_are_left_out() {
        let plain: Vec<String> = shapes("WARNING: a b").into_iter().map(|p| p.0).collect();
        let dressed: Vec<String> =
            shapes("\x1b[0;33mWARNING\x1b[0m:  a\t b").into_iter().map(|p| p.0).collect();
        assert_eq!(plain, dressed);
        assert_ne!(plain, shapes("WARNING: a b\0").into_iter().map(|p| p.0).collect::<Vec<_>>());
    }
}
