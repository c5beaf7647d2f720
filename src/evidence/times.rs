//! Points in time and durations in the spellings that programs print.
//!
//! ISO 8601 and RFC 3339, RFC 9110 and 5322 dates, `ctime`, syslog, `ls -l`, Apache logs, `10:41:07`, and
//! durations such as `41.22s`, `33ms`, `1m 3s`, `11 seconds`.

use super::words::{Shape, is_token};

const MONTHS: [&[u8; 3]; 12] =
    [b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec"];
const DAYS: [&[u8; 3]; 7] = [b"mon", b"tue", b"wed", b"thu", b"fri", b"sat", b"sun"];
/// Units of time; `true`: finer than a second, so that the value was measured.
const UNITS: [(&str, bool); 33] = [
    ("ns", true),
    ("us", true),
    ("µs", true),
    ("μs", true),
    ("ms", true),
    ("nanoseconds", true),
    ("microseconds", true),
    ("milliseconds", true),
    ("millisecond", true),
    ("msec", true),
    ("msecs", true),
    ("s", false),
    ("sec", false),
    ("secs", false),
    ("second", false),
    ("seconds", false),
    ("m", false),
    ("min", false),
    ("mins", false),
    ("minute", false),
    ("minutes", false),
    ("h", false),
    ("hr", false),
    ("hrs", false),
    ("hour", false),
    ("hours", false),
    ("d", false),
    ("day", false),
    ("days", false),
    ("week", false),
    ("weeks", false),
    ("month", false),
    ("months", false),
];

type Found = (usize, Shape);

/// A date, time of day or duration that starts with a digit at `at`.
pub(super) fn at_digit(line: &[u8], at: usize) -> Option<Found> {
    let digits = digits_at(line, at);
    let found = match digits {
        4 => year_first(line, at),
        8 => compact(line, at),
        1 | 2 => clock(line, at).or_else(|| day_first(line, at)),
        _ => None,
    };
    found.or_else(|| duration(line, at))
}

/// A date that starts with the name of a day or month at `at`.
pub(super) fn at_letter(line: &[u8], at: usize) -> Option<Found> {
    if let Some(after) = name(line, at, &DAYS) {
        let after = blanks(line, skip(line, after, b","));
        if let Some((end, Shape::Time { precise })) =
            month_first(line, after).or_else(|| day_first(line, after))
        {
            return Some((end, Shape::Time { precise }));
        }
        return None;
    }
    if name(line, at, &MONTHS).is_some() {
        return month_first(line, at);
    }
    for word in [b"today".as_slice(), b"yesterday"] {
        if line.len() > at + word.len() && line[at..at + word.len()].eq_ignore_ascii_case(word) {
            let after = blanks(line, at + word.len());
            let at_word = line.get(after..after + 3).is_some_and(|w| w.eq_ignore_ascii_case(b"at "));
            return with_clock(line, if at_word { after + 3 } else { after });
        }
    }
    None
}

/// `2025-05-01T10:41:07Z`, `2025/05/01 10:41`, or the date alone.
fn year_first(line: &[u8], at: usize) -> Option<Found> {
    let separator = *line.get(at + 4)?;
    if !matches!(separator, b'-' | b'/') || !matches!(line[at], b'1' | b'2') {
        return None;
    }
    let month = at + 5;
    let day = month + digits_in(line, month, 1, 2)? + 1;
    if line.get(day - 1) != Some(&separator) {
        return None;
    }
    let after = day + digits_in(line, day, 1, 2)?;
    date(line, after)
}

/// `20250501T104107Z`
fn compact(line: &[u8], at: usize) -> Option<Found> {
    if line.get(at + 8) != Some(&b'T') || digits_at(line, at + 9) != 6 {
        return None;
    }
    let precise = &line[at + 13..at + 15] != b"00";
    let end = skip(line, at + 15, b"Z");
    boundary(line, end).then_some((end, Shape::Time { precise }))
}

/// `1 May 2025 10:41:07`, `01/May/2025:10:41:07 +0000`, `01/05/2025 10:41`, `01.05.2025 10:41`
fn day_first(line: &[u8], at: usize) -> Option<Found> {
    let separator_at = at + digits_in(line, at, 1, 2)?;
    let separator = *line.get(separator_at)?;
    if !matches!(separator, b' ' | b'/' | b'-' | b'.') {
        return None;
    }
    let month = separator_at + 1;
    let year = match name(line, month, &MONTHS) {
        Some(after) => after,
        None if separator != b' ' => month + digits_in(line, month, 1, 2)?,
        None => return None,
    };
    if line.get(year) != Some(&separator) || digits_at(line, year + 1) != 4 {
        return None;
    }
    date(line, year + 5)
}

/// `May  1 10:41:07 2025`, `May 1, 2025 10:41 AM`, `Jun  4 14:40`
fn month_first(line: &[u8], at: usize) -> Option<Found> {
    let day = blanks(line, name(line, at, &MONTHS)?);
    let after_day = day + digits_in(line, day, 1, 2)?;
    let comma = skip(line, after_day, b",");
    let next = blanks(line, comma);
    if digits_at(line, next) == 4 {
        return date(line, next + 4);
    }
    let (end, shape) = with_clock(line, next)?;
    let year = blanks(line, end);
    if year > end && digits_at(line, year) == 4 && boundary(line, year + 4) {
        return Some((year + 4, shape));
    }
    Some((end, shape))
}

/// What follows a full date: a time of day, or nothing.
fn date(line: &[u8], after: usize) -> Option<Found> {
    let next = match line.get(after) {
        Some(b'T' | b':' | b'_') => after + 1,
        Some(b',') => blanks(line, after + 1),
        Some(b' ') => {
            let next = blanks(line, after);
            if line.get(next..next + 3) == Some(b"at ") { next + 3 } else { next }
        }
        _ => after,
    };
    if next > after
        && let Some(found) = with_clock(line, next)
    {
        return Some(found);
    }
    boundary(line, after).then_some((after, Shape::Date))
}

/// The time of day of a date, with its zone.
fn with_clock(line: &[u8], at: usize) -> Option<Found> {
    let Some((end, Shape::Clock { precise })) = clock(line, at) else { return None };
    Some((zone(line, end), Shape::Time { precise }))
}

/// `10:41`, `10:41:07`, `10:41:07.114`, `7:29 AM`
fn clock(line: &[u8], at: usize) -> Option<Found> {
    let minutes = at + digits_in(line, at, 1, 2)? + 1;
    if line.get(minutes - 1) != Some(&b':') || digits_at(line, minutes) != 2 || line[minutes] > b'5' {
        return None;
    }
    let mut end = minutes + 2;
    let mut precise = false;
    if line.get(end) == Some(&b':') && digits_at(line, end + 1) == 2 {
        precise = &line[end + 1..end + 3] != b"00";
        end += 3;
        if matches!(line.get(end), Some(b'.' | b',')) && digits_at(line, end + 1) > 0 {
            let fraction = digits_at(line, end + 1);
            precise |= line[end + 1..end + 1 + fraction].iter().any(|&b| b != b'0');
            end += 1 + fraction;
        }
    }
    let half = blanks(line, end);
    if let Some([a, b]) = line.get(half..half + 2)
        && matches!(a, b'A' | b'a' | b'P' | b'p')
        && matches!(b, b'M' | b'm')
        && boundary(line, half + 2)
    {
        end = half + 2;
    }
    // `Z` and `T…` belong to a longer spelling; another digit or colon does not belong to a time of day.
    let open = line
        .get(end)
        .is_some_and(|&b| (is_token(b) && b != b'Z') || b == b':' && digits_at(line, end + 1) > 0);
    (!open).then_some((end, Shape::Clock { precise }))
}

/// Behind `Z`, `UTC`, `GMT`, `+02:00` or ` +0000`.
fn zone(line: &[u8], at: usize) -> usize {
    if line.get(at) == Some(&b'Z') {
        return at + 1;
    }
    let next = blanks(line, at);
    for word in [b"UTC".as_slice(), b"GMT", b"CET", b"CEST", b"EST", b"EDT", b"PST", b"PDT"] {
        if line.len() >= next + word.len()
            && &line[next..next + word.len()] == word
            && boundary(line, next + word.len())
        {
            return next + word.len();
        }
    }
    if !matches!(line.get(next), Some(b'+' | b'-')) {
        return at;
    }
    match digits_at(line, next + 1) {
        4 if boundary(line, next + 5) => next + 5,
        2 if line.get(next + 3) == Some(&b':') && digits_at(line, next + 4) == 2 => next + 6,
        _ => at,
    }
}

/// A number and a unit of time, or several: `41.22s`, `1m 3s`, `11 seconds`.
fn duration(line: &[u8], at: usize) -> Option<Found> {
    let mut end = None;
    let mut fine = false;
    let mut parts = 0;
    let mut from = at;
    while let Some((after, part_fine)) = duration_part(line, from) {
        end = Some(after);
        fine |= part_fine;
        parts += 1;
        from = blanks(line, after);
        if !line.get(from).is_some_and(u8::is_ascii_digit) {
            break;
        }
    }
    let end = end.filter(|&end| boundary(line, end));
    Some((end?, Shape::Duration { fine: fine || (parts > 1 && end.is_some_and(|e| line[e - 1] == b's')) }))
}

fn duration_part(line: &[u8], at: usize) -> Option<(usize, bool)> {
    let mut number = at + digits_at(line, at);
    let mut fraction = false;
    if number > at && line.get(number) == Some(&b'.') && digits_at(line, number + 1) > 0 {
        fraction = true;
        number += 1 + digits_at(line, number + 1);
    }
    let spaced = line.get(number) == Some(&b' ');
    let unit = number + usize::from(spaced);
    let letters = line[unit..].iter().take_while(|b| b.is_ascii_alphabetic() || **b >= 0x80).count();
    let mut name = &line[unit..(unit + letters).min(line.len())];
    // In `1m3s` the unit is followed by the next number.
    if let Some(cut) = name.iter().position(|b| b.is_ascii_digit()) {
        name = &name[..cut];
    }
    let (text, fine) = *UNITS.iter().find(|(text, _)| text.as_bytes() == name)?;
    if spaced && text.len() == 1 && text != "s" {
        return None;
    }
    let end = unit + text.len();
    let closed = line.get(end).is_none_or(|&b| !is_token(b) || (b.is_ascii_digit() && !spaced));
    let seconds = text.starts_with('s');
    (number > at && closed).then_some((end, fine || (fraction && seconds)))
}

fn digits_at(line: &[u8], at: usize) -> usize {
    line.get(at..).unwrap_or(b"").iter().take(20).take_while(|b| b.is_ascii_digit()).count()
}

fn digits_in(line: &[u8], at: usize, least: usize, most: usize) -> Option<usize> {
    let count = digits_at(line, at);
    (least..=most).contains(&count).then_some(count)
}

fn blanks(line: &[u8], mut at: usize) -> usize {
    while line.get(at) == Some(&b' ') {
        at += 1;
    }
    at
}

fn skip(line: &[u8], at: usize, text: &[u8]) -> usize {
    if line.get(at..).is_some_and(|rest| rest.starts_with(text)) { at + text.len() } else { at }
}

fn boundary(line: &[u8], at: usize) -> bool {
    line.get(at).is_none_or(|&b| !is_token(b))
}

/// Behind a name of the list, short or in full, that starts at `at`.
fn name<const N: usize>(line: &[u8], at: usize, names: &[&[u8; 3]; N]) -> Option<usize> {
    let start = line.get(at..at + 3)?;
    if !names.iter().any(|name| start.eq_ignore_ascii_case(*name)) {
        return None;
    }
    let rest = line[at + 3..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
    (rest <= 6).then_some(skip(line, at + 3 + rest, b"."))
}

#[cfg(test)]
mod tests {
    use super::super::words::{Shape, cut};

    fn first(text: &str) -> (usize, Shape) {
        let mut pieces = Vec::new();
        cut(text.as_bytes(), &mut pieces);
        (pieces[0].end as usize, pieces[0].shape)
    }

    #[test]
    fn usual_spellings_of_a_point_in_time() {
        let table = [
            "2025-05-01T10:41:07Z",
            "2025-05-01T10:41:07.114+02:00",
            "2025-05-01 10:41:07.186035",
            "2025-05-01 10:41",
            "2025/05/01 10:41:07",
            "20250501T104107Z",
            "Thu, 01 May 2025 10:41:07 GMT",
            "Thu May  1 10:41:07 2025",
            "May  1 10:41:07",
            "May 1, 2025 10:41 AM",
            "Jun  4 14:40",
            "01/May/2025:10:41:07 +0000",
            "01.05.2025 10:41",
            "Today at 7:29 AM",
        ];
        for text in table {
            let (end, shape) = first(text);
            assert!(end == text.len() && matches!(shape, Shape::Time { .. }), "{text}: {end} {shape:?}");
        }
    }

    #[test]
    fn dates_times_of_day_and_durations() {
        assert_eq!(first("2025-05-01"), (10, Shape::Date));
        assert_eq!(first("10:41"), (5, Shape::Clock { precise: false }));
        assert_eq!(first("10:41:07"), (8, Shape::Clock { precise: true }));
        for (text, fine) in
            [("41.22s", true), ("33ms", true), ("1m 3s", true), ("11 seconds", false), ("6s", false)]
        {
            assert_eq!(first(text), (text.len(), Shape::Duration { fine }), "{text}");
        }
        for text in ["12 passed", "5 m", "0.4 mm", "12kg", "3d6x", "v1.2", "2025", "1:5", "16:9 wide"] {
            let (_, shape) = first(text);
            assert!(matches!(shape, Shape::Number | Shape::Word | Shape::Mixed), "{text}: {shape:?}");
        }
    }
}
