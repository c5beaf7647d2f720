//! The spelling of options in a policy file (TOML) and in a trace's `config` (JSON): the same names, every one
//! optional, unknown ones refused.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Glob, Options, Positions, ToolRule};

/// Options as written: only what is said. [`OptionsFile::apply`] lays it over others.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OptionsFile {
    min_repeats: Option<u32>,
    max_unit: Option<u32>,
    positions: Option<Positions>,
    similarity: Option<f32>,
    window: Option<u32>,
    max_steps: Option<u64>,
    max_tokens: Option<u64>,
    recurrence: Option<RecurrenceFile>,
    stagnation: Option<StagnationFile>,
    large_output: Option<u32>,
    output_memory: Option<u32>,
    read_limit: Option<u32>,
    tools: BTreeMap<String, ToolRule>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RecurrenceFile {
    min: Option<u32>,
    min_errors: Option<u32>,
    min_large: Option<u32>,
    within: Option<u32>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct StagnationFile {
    min: Option<u32>,
    min_large: Option<u32>,
}

impl OptionsFile {
    /// `base` with everything that is said here in place of what it said. A tool rule replaces the settings of
    /// the rule with the same glob and leaves other globs alone.
    pub fn apply(&self, base: &Options) -> Options {
        let mut options = base.clone();
        set(&mut options.min_repeats, self.min_repeats);
        set(&mut options.max_unit, self.max_unit);
        set(&mut options.positions, self.positions);
        set(&mut options.similarity, self.similarity);
        set(&mut options.window, self.window);
        options.max_steps = self.max_steps.or(options.max_steps);
        options.max_tokens = self.max_tokens.or(options.max_tokens);
        if let Some(recurrence) = &self.recurrence {
            set(&mut options.recurrence.min, recurrence.min);
            set(&mut options.recurrence.min_errors, recurrence.min_errors);
            set(&mut options.recurrence.min_large, recurrence.min_large);
            set(&mut options.recurrence.within, recurrence.within);
        }
        if let Some(stagnation) = &self.stagnation {
            set(&mut options.stagnation.min, stagnation.min);
            set(&mut options.stagnation.min_large, stagnation.min_large);
        }
        set(&mut options.large_output, self.large_output);
        set(&mut options.output_memory, self.output_memory);
        set(&mut options.read_limit, self.read_limit);
        for (pattern, rule) in &self.tools {
            let glob = Glob::new(pattern);
            match options.tools.iter_mut().find(|(known, _)| *known == glob) {
                Some((_, known)) => merge(known, rule),
                None => options.tools.push((glob, rule.clone())),
            }
        }
        options
    }
}

fn set<T: Copy>(target: &mut T, said: Option<T>) {
    if let Some(value) = said {
        *target = value;
    }
}

fn merge(known: &mut ToolRule, said: &ToolRule) {
    known.exempt = said.exempt.or(known.exempt);
    known.min_repeats = said.min_repeats.or(known.min_repeats);
    known.stable = said.stable.or(known.stable);
    if said.ignore_args.is_some() {
        known.ignore_args.clone_from(&said.ignore_args);
    }
    if said.ignore_fields.is_some() {
        known.ignore_fields.clone_from(&said.ignore_fields);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(json: &str) -> Result<OptionsFile, serde_json::Error> {
        serde_json::from_str(json)
    }

    #[test]
    fn what_is_said_replaces_what_was_said_before() {
        let base = parse(r#"{"min_repeats": 4, "tools": {"a": {"exempt": true}}}"#).unwrap();
        let over =
            parse(r#"{"max_unit": 5, "positions": "all", "tools": {"a": {"min_repeats": 9}}}"#).unwrap();
        let options = over.apply(&base.apply(&Options::default()));
        assert_eq!((options.min_repeats, options.max_unit, options.positions), (4, 5, Positions::All));
        let tool = options.for_tool("a");
        assert_eq!((tool.exempt, tool.min_repeats), (true, 9));
    }

    #[test]
    fn an_unknown_name_is_refused_and_the_known_ones_are_listed() {
        let error = parse(r#"{"min_repeat": 4}"#).unwrap_err().to_string();
        assert!(error.contains("min_repeat") && error.contains("`min_repeats`"), "{error}");
        assert!(parse(r#"{"tools": {"a": {"exmpt": true}}}"#).is_err());
    }
}
