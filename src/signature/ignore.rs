//! Arguments that are left out of the identity: request ids, page tokens, times.

/// The entries of an ignore list. One without a dot is a key at any depth; one with dots is a path of keys from
/// the root, or a root key that holds the dots itself.
#[derive(Clone, Copy)]
pub(super) struct Ignore<'a>(pub(super) &'a [String]);

impl Ignore<'_> {
    pub(super) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Whether the member `key` is left out. `path` is the keys that lead to its object, from the root; arrays on
    /// the way do not show in it.
    pub(super) fn covers<'b>(self, path: impl Iterator<Item = &'b [u8]> + Clone, key: &'b [u8]) -> bool {
        self.0.iter().map(String::as_bytes).any(|entry| {
            if !entry.contains(&b'.') {
                return entry == key;
            }
            let at_root = path.clone().next().is_none();
            let named_so = at_root && entry == key;
            named_so || entry.split(|&byte| byte == b'.').eq(path.clone().chain([key]))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_a_key_anywhere_or_a_path_from_the_root() {
        let cases: &[(&str, &[&str], &str, bool)] = &[
            ("id", &[], "id", true),
            ("id", &["a", "b"], "id", true),
            ("id", &["id"], "other", false),
            ("a.id", &["a"], "id", true),
            ("a.id", &[], "id", false),
            ("a.id", &["b", "a"], "id", false),
            ("a.id", &["a", "b"], "id", false),
            ("a.id", &[], "a.id", true),
            ("a.id", &["b"], "a.id", false),
            ("a.b.c", &["a", "b"], "c", true),
            ("a.b.c", &["a.b"], "c", false),
            (".", &[""], "", true),
        ];
        for (entry, path, key, covered) in cases {
            let list = [entry.to_string()];
            let path = path.iter().map(|key| key.as_bytes());
            assert_eq!(Ignore(&list).covers(path, key.as_bytes()), *covered, "{entry} {key}");
        }
    }
}
