//! Points in time and durations in the spellings that programs print.
//!
//! ISO 8601 and RFC 3339, RFC 9110 and 5322 dates, `ctime`, syslog, `ls -l`, Apache logs, `10:41:07`, and
//! durations such as `41.22s`, `33ms`, `1m 3s`, `11 seconds`.

use super::words::{Grain, Shape, is_token};

/// Three letters of a name, lower case, as one number.
const fn three(letters: &[u8; 3]) -> u32 {
    (letters[0] as u32) << 16 | (letters[1] as u32) << 8 | letters[2] as u32
}

const MONTHS: [u32; 12] = [
    three(b"jan"),
    three(b"feb"),
    three(b"mar"),
    three(b"apr"),
    three(b"may"),
    three(b"jun"),
    three(b"jul"),
    three(b"aug"),
    three(b"sep"),
    three(b"oct"),
    three(b"nov"),
    three(b"dec"),
];
const DAYS: [u32; 7] =
    [three(b"mon"), three(b"tue"), three(b"wed"), three(b"thu"), three(b"fri"), three(b"sat"), three(b"sun")];

/// What a unit of time is: `None` when the word is none; `true` when it is finer than a second, so that the value was
/// measured.
fn unit(name: &[u8]) -> Option<bool> {
    match std::str::from_utf8(name).ok()? {
        "ns" | "us" | "µs" | "μs" | "ms" | "msec" | "msecs" | "nanoseconds" | "microseconds"
        | "milliseconds" | "millisecond" => Some(true),
        "s" | "sec" | "secs" | "second" | "seconds" | "m" | "min" | "mins" | "minute" | "minutes" | "h"
        | "hr" | "hrs" | "hour" | "hours" | "d" | "day" | "days" | "week" | "weeks" | "month" | "months" => {
            Some(false)
        }
        _ => None,
    }
}

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
        let found = month_first(line, after).or_else(|| day_first(line, after));
        return found.filter(|(_, shape)| matches!(shape, Shape::Time(_)));
    }
    if name(line, at, &MONTHS).is_some() {
        return month_first(line, at);
    }
    if !matches!(line[at], b'T' | b't' | b'Y' | b'y') {
        return None;
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
    let grain = grain(&line[at + 11..at + 13], &line[at + 13..at + 15]);
    let end = skip(line, at + 15, b"Z");
    boundary(line, end).then_some((end, Shape::Time(grain)))
}

/// How fine the time is that has these digits as its minutes and its seconds.
fn grain(minutes: &[u8], seconds: &[u8]) -> Grain {
    if seconds.iter().any(|&b| b != b'0') {
        return Grain::Second;
    }
    if matches!(minutes.last(), Some(b'0' | b'5')) { Grain::Round } else { Grain::Minute }
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
    let Some((end, Shape::Clock(grain))) = clock(line, at) else { return None };
    Some((zone(line, end), Shape::Time(grain)))
}

/// `10:41`, `10:41:07`, `10:41:07.114`, `7:29 AM`
fn clock(line: &[u8], at: usize) -> Option<Found> {
    let minutes = at + digits_in(line, at, 1, 2)? + 1;
    if line.get(minutes - 1) != Some(&b':') || digits_at(line, minutes) != 2 || line[minutes] > b'5' {
        return None;
    }
    let mut end = minutes + 2;
    let mut fine = grain(&line[minutes..minutes + 2], b"");
    if line.get(end) == Some(&b':') && digits_at(line, end + 1) == 2 {
        fine = fine.max(grain(b"0", &line[end + 1..end + 3]));
        end += 3;
        if matches!(line.get(end), Some(b'.' | b',')) && digits_at(line, end + 1) > 0 {
            let fraction = digits_at(line, end + 1);
            fine = fine.max(grain(b"0", &line[end + 1..end + 1 + fraction]));
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
    (!open).then_some((end, Shape::Clock(fine)))
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
    let start = number + usize::from(spaced);
    let letters = line[start..].iter().take_while(|b| b.is_ascii_alphabetic() || **b >= 0x80).count();
    let name = &line[start..start + letters];
    let fine = unit(name)?;
    if spaced && name.len() == 1 && name != b"s" {
        return None;
    }
    let end = start + letters;
    let closed = line.get(end).is_none_or(|&b| !is_token(b) || (b.is_ascii_digit() && !spaced));
    let seconds = name.starts_with(b"s");
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
fn name(line: &[u8], at: usize, names: &[u32]) -> Option<usize> {
    let start = line.get(at..at + 3)?;
    let start = three(&[start[0] | 0x20, start[1] | 0x20, start[2] | 0x20]);
    if !names.contains(&start) {
        return None;
    }
    let rest = line[at + 3..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
    (rest <= 6).then_some(skip(line, at + 3 + rest, b"."))
}

#[cfg(test)]
mod tests {
    use super::super::words::{Grain, Shape, cut};

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
            assert!(end == text.len() && matches!(shape, Shape::Time(_)), "{text}: {end} {shape:?}");
        }
    }

    #[test]
    fn dates_times_of_day_and_durations() {
        assert_eq!(first("2025-05-01"), (10, Shape::Date));
        assert_eq!(first("10:40"), (5, Shape::Clock(Grain::Round)));
        assert_eq!(first("10:41"), (5, Shape::Clock(Grain::Minute)));
        assert_eq!(first("10:41:07"), (8, Shape::Clock(Grain::Second)));
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
