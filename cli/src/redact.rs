//! What stands for a signature or an id where a bare hash may not be read.

use std::path::Path;

use wheelspin::fingerprint::FingerprintKey;

/// A key of its own for this run: fingerprints of one report can be compared with each other only.
///
/// # Errors
/// When the system has no random source.
pub fn random_key() -> Result<FingerprintKey, String> {
    let mut secret = [0; 16];
    getrandom::fill(&mut secret).map_err(|error| format!("--redact needs a random key: {error}"))?;
    Ok(FingerprintKey::new(secret))
}

/// The key of a deployment, from a file that holds 32 hexadecimal digits.
///
/// # Errors
/// Says what was expected. Never quotes the file.
pub fn key_from(path: &Path) -> Result<FingerprintKey, String> {
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    parse(text.trim()).map(FingerprintKey::new).ok_or_else(|| {
        format!(
            "{name}: expected 32 hexadecimal digits, found {} characters of another kind; \
             `openssl rand -hex 16` makes a key",
            text.trim().chars().count()
        )
    })
}

fn parse(digits: &str) -> Option<[u8; 16]> {
    let well_formed = digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let value = well_formed.then(|| u128::from_str_radix(digits, 16).ok()).flatten()?;
    Some(value.to_be_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_32_hexadecimal_digits() {
        assert_eq!(parse("000102030405060708090a0b0c0d0e0f").unwrap()[15], 15);
        for wrong in ["", "00", "+00102030405060708090a0b0c0d0e0f", "000102030405060708090a0b0c0d0e0g"] {
            assert_eq!(parse(wrong), None, "{wrong:?}");
        }
    }
}
