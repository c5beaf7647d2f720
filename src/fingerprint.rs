//! Keyed fingerprints: what stands for an argument or an id where it may not be read.
//!
//! A bare hash of a short argument can be guessed by trying all candidates; SipHash-2-4 under a secret cannot.

use siphasher::sip::SipHasher24;
use std::hash::Hasher;

/// The secret of one deployment.
#[derive(Clone)]
pub struct FingerprintKey([u8; 16]);

impl FingerprintKey {
    /// A key from its 16 secret bytes.
    pub fn new(secret: [u8; 16]) -> Self {
        FingerprintKey(secret)
    }

    /// The fingerprint of some bytes under this key.
    pub fn fingerprint(&self, bytes: &[u8]) -> u64 {
        let mut hasher = SipHasher24::new_with_key(&self.0);
        hasher.write(bytes);
        hasher.finish()
    }
}

impl std::fmt::Debug for FingerprintKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("FingerprintKey(secret)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_key_gives_another_fingerprint() {
        let one = FingerprintKey::new([1; 16]);
        let two = FingerprintKey::new([2; 16]);
        assert_eq!(one.fingerprint(b"x"), FingerprintKey::new([1; 16]).fingerprint(b"x"));
        assert_ne!(one.fingerprint(b"x"), two.fingerprint(b"x"));
        assert_ne!(one.fingerprint(b"x"), one.fingerprint(b"y"));
        assert_eq!(format!("{one:?}"), "FingerprintKey(secret)");
    }
}
