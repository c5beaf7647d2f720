//! The identity of a unit, whichever of its rotations a run starts with.

use xxhash_rust::xxh3::Xxh3;

use super::Symbol;

/// Hash of the unit's symbols from their least rotation: a symbol is the number of its signatures (32 bits) and
/// the signatures themselves in ascending order (64 bits each), all little endian; XXH3-64, seed 0.
pub fn signature<'a, O: 'a>(symbols: impl Iterator<Item = &'a Symbol<O>>) -> u64 {
    let symbols: Vec<Vec<u64>> = symbols
        .map(|symbol| {
            let mut signatures: Vec<u64> = symbol.positions.iter().map(|p| p.signature).collect();
            signatures.sort_unstable();
            signatures
        })
        .collect();
    let first = least_rotation(&symbols);
    let mut hash = Xxh3::new();
    for i in 0..symbols.len() {
        let symbol = &symbols[(first + i) % symbols.len()];
        hash.update(&(symbol.len() as u32).to_le_bytes());
        for signature in symbol {
            hash.update(&signature.to_le_bytes());
        }
    }
    hash.digest()
}

/// Where the lexicographically least rotation starts (Duval-style two-pointer search, linear time).
pub fn least_rotation<T: Ord>(cycle: &[T]) -> usize {
    let n = cycle.len();
    let (mut i, mut j, mut k) = (0, 1, 0);
    while i < n && j < n && k < n {
        match cycle[(i + k) % n].cmp(&cycle[(j + k) % n]) {
            std::cmp::Ordering::Equal => k += 1,
            order => {
                if order.is_gt() {
                    i += k + 1;
                } else {
                    j += k + 1;
                }
                if i == j {
                    j += 1;
                }
                k = 0;
            }
        }
    }
    i.min(j)
}

/// Length of the smallest block that `cycle` is a power of (its own length when it is primitive; 0 when empty).
pub fn root_length<T: PartialEq>(cycle: &[T]) -> usize {
    (1..=cycle.len())
        .filter(|d| cycle.len().is_multiple_of(*d))
        .find(|d| cycle.iter().zip(&cycle[*d..]).all(|(a, b)| a == b))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_the_least_rotation(cycle in prop::collection::vec(0u8..3, 1..14)) {
            let rotated = |by: usize| [&cycle[by..], &cycle[..by]].concat();
            let least = (0..cycle.len()).map(rotated).min().unwrap();
            prop_assert_eq!(rotated(least_rotation(&cycle)), least);
        }

        #[test]
        fn the_root_is_the_smallest_block(block in prop::collection::vec(0u8..2, 1..6), times in 1usize..4) {
            let cycle = block.repeat(times);
            let root = root_length(&cycle);
            prop_assert_eq!(cycle[..root].repeat(cycle.len() / root), cycle);
            prop_assert!(root <= block.len());
        }
    }
}
