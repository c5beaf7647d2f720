//! Outputs of any bytes: comparing never panics, does not depend on the side, and agrees with its explanation.

use wheelspin::evidence::{Evidence, Judge};
use wheelspin::finding::Level;
use wheelspin::policy::Options;
use wheelspin::step::{Payload, Step};

/// Stands between the two outputs of an input.
const SEPARATOR: &[u8] = b"\n--\n";

/// Two outputs with [`SEPARATOR`] in between; without one, two halves.
pub fn evidence(data: &[u8]) {
    let at = data.windows(SEPARATOR.len()).position(|window| window == SEPARATOR);
    let (a, b) = match at {
        Some(at) => (&data[..at], &data[at + SEPARATOR.len()..]),
        None => data.split_at(data.len() / 2),
    };
    let rules = Options::default().for_tool("tool");
    let mut judge = Judge::default();
    let evidence = |bytes| Evidence::of(&Step { output: Payload::Text(bytes), ..Step::default() });
    let (a, b) = (evidence(a), evidence(b));
    let answer = judge.compare(&a, &b, &rules);
    assert_eq!(answer, judge.compare(&b, &a, &rules), "the sides do not matter");
    assert_eq!(answer, judge.explain(&a, &b, &rules).comparison, "the explanation agrees");
    assert_eq!(judge.compare(&a, &a, &rules).level, Level::Identical);
}
