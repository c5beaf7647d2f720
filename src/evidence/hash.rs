//! Small hash helpers: one 64-bit value for a piece of text, an ordered step and an unordered one.

use xxhash_rust::xxh3::xxh3_64_with_seed;

const SEED: u64 = 0x57a6_ce5e_1d0c_2b39;
const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash of some bytes.
pub(super) fn of_bytes(bytes: &[u8]) -> u64 {
    xxh3_64_with_seed(bytes, SEED)
}

/// Takes `next` after `state`: order counts.
pub(super) fn mix(state: u64, next: u64) -> u64 {
    let product = u128::from(state ^ ODD) * u128::from(next.rotate_left(23) ^ SEED);
    (product as u64 ^ (product >> 64) as u64).wrapping_add(next.wrapping_mul(ODD))
}

/// Takes `next` beside `state`: order does not count, the number of times does.
pub(super) fn join(state: u64, next: u64) -> u64 {
    state.wrapping_add(mix(0x1f, next))
}
