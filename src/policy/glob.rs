//! Tool and agent patterns: `*` stands for any text, `?` for one character, the rest for itself.

use wildmatch::WildMatch;

/// A pattern that must match the whole name.
#[derive(Clone, Debug, PartialEq)]
pub struct Glob {
    pattern: String,
    matcher: WildMatch,
}

impl Glob {
    /// A glob from its pattern. Every text is a valid pattern.
    pub fn new(pattern: &str) -> Self {
        Glob { pattern: pattern.to_string(), matcher: WildMatch::new(pattern) }
    }

    /// Does the pattern match the whole of `name`?
    pub fn matches(&self, name: &str) -> bool {
        self.matcher.matches(name)
    }

    /// Greater is more specific: first an exact name, then more literal characters, then fewer `*`.
    pub fn specificity(&self) -> (bool, usize, std::cmp::Reverse<usize>) {
        let stars = self.pattern.chars().filter(|c| *c == '*').count();
        let marks = self.pattern.chars().filter(|c| *c == '?').count();
        let literal = self.pattern.chars().count() - stars - marks;
        (stars + marks == 0, literal, std::cmp::Reverse(stars))
    }
}

impl std::fmt::Display for Glob {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.pattern)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_the_whole_name() {
        assert!(Glob::new("poll_*").matches("poll_state"));
        assert!(!Glob::new("poll_*").matches("repoll_state"));
        assert!(Glob::new("?oll").matches("poll"));
        assert!(Glob::new("*").matches(""));
    }

    #[test]
    fn exact_names_and_longer_literals_are_more_specific() {
        let order = ["*", "p*", "poll_*", "poll_job"];
        for pair in order.windows(2) {
            assert!(Glob::new(pair[0]).specificity() < Glob::new(pair[1]).specificity(), "{pair:?}");
        }
    }
}
