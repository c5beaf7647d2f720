//! Options and tool rules: plain data that every front fills and every part of the engine reads.

#[cfg(feature = "serde")]
mod file;
mod glob;

#[cfg(feature = "serde")]
pub use file::OptionsFile;
pub use glob::Glob;

/// The fewest passes that can be asked for: one pass is no repetition.
pub const SMALLEST_MIN_REPEATS: u32 = 2;
/// The longest unit that can be asked for, in symbols.
pub const LARGEST_MAX_UNIT: u32 = 1024;

/// Which positions of a unit must stand still.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Positions {
    /// One stagnant position is enough.
    #[default]
    Any,
    /// Every position that has evidence must be stagnant.
    All,
}

/// What is looked for. The field names are the names in a policy file and in a trace's `config`.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Passes that make a run, and equal passes that make a position stagnant.
    pub min_repeats: u32,
    /// Longest unit, in symbols.
    pub max_unit: u32,
    /// Which positions must stand still.
    pub positions: Positions,
    /// Cosine from which running text counts as the same.
    pub similarity: f32,
    /// Symbols of history that a session keeps.
    pub window: u32,
    /// Counted steps that a session may have.
    pub max_steps: Option<u64>,
    /// Tokens that a session may use.
    pub max_tokens: Option<u64>,
    /// When coming back counts as recurrence.
    pub recurrence: Recurrence,
    /// When one result for different arguments counts as stagnation.
    pub stagnation: Stagnation,
    /// Bytes from which a result is large: what an agent was told at such length it need not be told again.
    pub large_output: u32,
    /// Bytes of output that a session keeps to compare with. The oldest texts are given up first; from then on
    /// they can still be found equal, but no longer looked at.
    pub output_memory: u32,
    /// Bytes up to which an output is read. A longer one is compared by its bytes alone: what is not read cannot
    /// be found the same.
    pub read_limit: u32,
    /// Rules by tool glob.
    pub tools: Vec<(Glob, ToolRule)>,
}

/// When coming back counts as recurrence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recurrence {
    /// Times that the same call must have the same result.
    pub min: u32,
    /// The same, where the results are errors.
    pub min_errors: u32,
    /// The same, where the result is large.
    pub min_large: u32,
    /// Counted steps within which they must fall.
    pub within: u32,
}

/// When one result for different arguments counts as stagnation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stagnation {
    /// Calls of one tool in a row.
    pub min: u32,
    /// The same, where the result is large.
    pub min_large: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            min_repeats: 3,
            max_unit: 32,
            positions: Positions::Any,
            similarity: 0.95,
            window: 1024,
            max_steps: None,
            max_tokens: None,
            recurrence: Recurrence { min: 5, min_errors: 3, min_large: 3, within: 32 },
            stagnation: Stagnation { min: 5, min_large: 3 },
            large_output: 1_000,
            output_memory: 16 << 20,
            read_limit: 1 << 20,
            tools: Vec::new(),
        }
    }
}

/// What is different for some tools. `None`: not said here, so a less specific rule or the default decides.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(deny_unknown_fields, default))]
pub struct ToolRule {
    /// Never stagnant, however often it is called.
    pub exempt: Option<bool>,
    /// This tool's own number of passes.
    pub min_repeats: Option<u32>,
    /// Arguments that are left out of the signature: a key (at any depth) or a dotted path from the root.
    pub ignore_args: Option<Vec<String>>,
    /// Fields of the output that are left out of the evidence, in the same spelling.
    pub ignore_fields: Option<Vec<String>>,
    /// A constant result of this tool proves nothing.
    pub stable: Option<bool>,
}

/// The rules that hold for one tool, resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolOptions {
    /// Never stagnant.
    pub exempt: bool,
    /// A constant result proves nothing.
    pub stable: bool,
    /// Passes that make one of its positions stagnant.
    pub min_repeats: u32,
    /// The tool's own `min_repeats`, where one is set.
    pub own_min_repeats: Option<u32>,
    /// Arguments left out of the signature.
    pub ignore_args: Vec<String>,
    /// Output fields left out of the evidence.
    pub ignore_fields: Vec<String>,
}

/// Why options cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub struct InvalidOptions {
    /// The option.
    pub key: String,
    /// What it was and what was expected.
    pub problem: String,
}

impl std::fmt::Display for InvalidOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.key, self.problem)
    }
}

impl std::error::Error for InvalidOptions {}

impl Options {
    /// Checks every value.
    ///
    /// # Errors
    /// Names the first option that cannot be used, what it is and what was expected.
    pub fn validate(&self) -> Result<(), InvalidOptions> {
        let check = |good: bool, key: &str, problem: String| {
            if good { Ok(()) } else { Err(InvalidOptions { key: key.to_string(), problem }) }
        };
        let repeats = |key: &str, value: u32| {
            check(
                value >= SMALLEST_MIN_REPEATS,
                key,
                format!("is {value}, expected at least {SMALLEST_MIN_REPEATS}"),
            )
        };
        repeats("min_repeats", self.min_repeats)?;
        check(
            (1..=LARGEST_MAX_UNIT).contains(&self.max_unit),
            "max_unit",
            format!("is {}, expected 1 to {LARGEST_MAX_UNIT}", self.max_unit),
        )?;
        check(
            self.similarity > 0.0 && self.similarity <= 1.0,
            "similarity",
            format!("is {}, expected more than 0 and at most 1", self.similarity),
        )?;
        repeats("recurrence.min", self.recurrence.min)?;
        repeats("recurrence.min_errors", self.recurrence.min_errors)?;
        repeats("recurrence.min_large", self.recurrence.min_large)?;
        check(
            self.recurrence.within >= self.recurrence.min.max(self.recurrence.min_errors)
                && self.recurrence.within <= self.window,
            "recurrence.within",
            format!(
                "is {}, expected at least recurrence.min and at most window ({})",
                self.recurrence.within, self.window
            ),
        )?;
        repeats("stagnation.min", self.stagnation.min)?;
        repeats("stagnation.min_large", self.stagnation.min_large)?;
        let mut most = self.min_repeats;
        for (glob, rule) in &self.tools {
            if let Some(value) = rule.min_repeats {
                repeats(&format!("tools.\"{glob}\".min_repeats"), value)?;
                most = most.max(value);
            }
        }
        let needed = u64::from(most) * u64::from(self.max_unit);
        check(
            needed <= u64::from(self.window),
            "window",
            format!(
                "is {}, expected at least {needed}: the largest min_repeats ({most}) times max_unit ({})",
                self.window, self.max_unit
            ),
        )
    }

    /// The rules for one tool: of every setting, the most specific glob that says something about it.
    pub fn for_tool(&self, tool: &str) -> ToolOptions {
        let mut matching: Vec<&(Glob, ToolRule)> =
            self.tools.iter().filter(|(glob, _)| glob.matches(tool)).collect();
        matching.sort_by_key(|(glob, _)| std::cmp::Reverse(glob.specificity()));
        let rules = || matching.iter().map(|(_, rule)| rule);
        let own_min_repeats = rules().find_map(|rule| rule.min_repeats);
        ToolOptions {
            exempt: rules().find_map(|rule| rule.exempt).unwrap_or(false),
            stable: rules().find_map(|rule| rule.stable).unwrap_or(false),
            min_repeats: own_min_repeats.unwrap_or(self.min_repeats),
            own_min_repeats,
            ignore_args: rules().find_map(|rule| rule.ignore_args.clone()).unwrap_or_default(),
            ignore_fields: rules().find_map(|rule| rule.ignore_fields.clone()).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(min_repeats: u32) -> ToolRule {
        ToolRule { min_repeats: Some(min_repeats), ..ToolRule::default() }
    }

    #[test]
    fn the_most_specific_glob_wins_setting_by_setting() {
        let options = Options {
            tools: vec![
                (Glob::new("*"), ToolRule { stable: Some(true), ..rule(4) }),
                (Glob::new("poll_*"), rule(20)),
                (Glob::new("poll_job"), ToolRule { exempt: Some(true), ..ToolRule::default() }),
            ],
            ..Options::default()
        };
        let job = options.for_tool("poll_job");
        assert_eq!((job.exempt, job.stable, job.min_repeats), (true, true, 20));
        assert_eq!(options.for_tool("repoll_job").min_repeats, 4);
    }

    #[test]
    fn the_defaults_can_be_used() {
        Options::default().validate().unwrap();
    }

    #[test]
    fn a_value_out_of_range_is_named_with_what_was_expected() {
        let cases = [
            (Options { min_repeats: 1, ..Options::default() }, "min_repeats: is 1, expected at least 2"),
            (Options { max_unit: 0, ..Options::default() }, "max_unit: is 0, expected 1 to 1024"),
            (
                Options { similarity: 1.5, ..Options::default() },
                "similarity: is 1.5, expected more than 0 and at most 1",
            ),
            (
                Options { window: 64, ..Options::default() },
                "window: is 64, expected at least 96: the largest min_repeats (3) times max_unit (32)",
            ),
            (
                Options { tools: vec![(Glob::new("poll_*"), rule(1))], ..Options::default() },
                "tools.\"poll_*\".min_repeats: is 1, expected at least 2",
            ),
        ];
        for (options, message) in cases {
            assert_eq!(options.validate().unwrap_err().to_string(), message);
        }
    }
}
