//! The policy file, with errors that name the line, the key, what was found and what was expected.

use std::path::Path;

use wheelspin::policy::{InvalidOptions, Options, OptionsFile};

/// The options of the policy file, or the defaults where none is given.
///
/// # Errors
/// One sentence that begins with the file's name.
pub fn load(path: Option<&Path>) -> Result<Options, String> {
    let Some(path) = path else { return Ok(Options::default()) };
    let name = path.display();
    let bytes = std::fs::read(path).map_err(|error| format!("{name}: {error}, expected a policy file"))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = line_of(&String::from_utf8_lossy(&error.as_bytes()[..at]), at);
        format!("{name}:{line}: found byte 0x{:02x}, expected UTF-8 text", error.as_bytes()[at])
    })?;
    parse(&text).map_err(|fault| match fault.line {
        Some(line) => format!("{name}:{line}: {}", fault.problem),
        None => format!("{name}: {}", fault.problem),
    })
}

/// `base` under a trace's own `config` (JSON).
///
/// # Errors
/// One sentence.
pub fn with_config(base: &Options, config: &str) -> Result<Options, String> {
    let said: OptionsFile = serde_json::from_str(config).map_err(|error| explain(&error.to_string()))?;
    let options = said.apply(base);
    options.validate().map_err(|invalid| invalid.to_string())?;
    Ok(options)
}

#[derive(Debug, PartialEq, Eq)]
struct PolicyFault {
    line: Option<usize>,
    problem: String,
}

fn parse(text: &str) -> Result<Options, PolicyFault> {
    let said: OptionsFile = toml::from_str(text).map_err(|error| unreadable(text, &error))?;
    let options = said.apply(&Options::default());
    options.validate().map_err(|invalid| out_of_range(text, &invalid))?;
    Ok(options)
}

fn unreadable(text: &str, error: &toml::de::Error) -> PolicyFault {
    let span = error.span();
    let line = span.as_ref().map(|span| line_of(text, span.start));
    let key = span.and_then(|span| key_before(text, span.start));
    let problem = explain(error.message());
    match key {
        Some(key) if !problem.contains(&format!("`{key}`")) => {
            PolicyFault { line, problem: format!("`{key}`: {problem}") }
        }
        _ => PolicyFault { line, problem },
    }
}

/// The key of the line on which a value starts.
fn key_before(text: &str, at: usize) -> Option<&str> {
    let line = text.get(..at)?.rsplit('\n').next()?;
    let (key, _) = line.split_once('=')?;
    Some(key.trim())
}

fn out_of_range(text: &str, invalid: &InvalidOptions) -> PolicyFault {
    PolicyFault { line: line_of_key(text, &invalid.key), problem: invalid.to_string() }
}

/// The line of a key such as `max_unit` or `tools."poll_*".min_repeats`, where the file says it.
fn line_of_key(text: &str, key: &str) -> Option<usize> {
    let table = toml::de::DeTable::parse(text).ok()?;
    let path = format!("{key} = 0");
    let path = toml::de::DeTable::parse(&path).ok()?.into_inner();
    let mut at = None;
    let (mut table, mut path) = (table.get_ref(), &path);
    loop {
        let (name, rest) = path.iter().next()?;
        let (found, value) = table.iter().find(|(known, _)| known.get_ref() == name.get_ref())?;
        at = Some(found.span().start).or(at);
        match (rest.get_ref(), value.get_ref()) {
            (toml::de::DeValue::Table(deeper), toml::de::DeValue::Table(inner)) => {
                (path, table) = (deeper, inner);
            }
            _ => return at.map(|at| line_of(text, at)),
        }
    }
}

fn line_of(text: &str, at: usize) -> usize {
    1 + text.as_bytes()[..at.min(text.len())].iter().filter(|byte| **byte == b'\n').count()
}

/// What a deserializer calls a type, and what a reader calls it.
const TYPES: [(&str, &str); 8] = [
    ("expected u32", "expected a whole number"),
    ("expected u64", "expected a whole number"),
    ("expected f32", "expected a number"),
    ("expected struct OptionsFile", "expected a table of options"),
    ("expected struct RecurrenceFile", "expected a table"),
    ("expected struct StagnationFile", "expected a table"),
    ("expected struct ToolRule", "expected a table of a tool's rules"),
    (" as i128", ""),
];

/// A deserializer's message in words, with the nearest known name where a name is unknown.
fn explain(message: &str) -> String {
    let message = &TYPES.iter().fold(message.to_string(), |text, (theirs, ours)| text.replace(theirs, ours));
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let Some((unknown, known)) = quoted.split_first() else { return message.to_string() };
    if !message.starts_with("unknown ") {
        return message.to_string();
    }
    let nearest = known
        .iter()
        .map(|name| (strsim::damerau_levenshtein(unknown, name), name))
        .min()
        .filter(|(distance, _)| *distance <= 3.max(unknown.len() / 3));
    match nearest {
        Some((_, name)) => format!("{message} (did you mean `{name}`?)"),
        None => message.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_names_the_line_the_key_what_was_found_and_what_was_expected() {
        let cases = [
            ("min_repeats = 3\nmin_repeat = 4\n", 2, "`min_repeats`?)"),
            (
                "\nmin_repeats = \"three\"\n",
                2,
                "`min_repeats`: invalid type: string \"three\", expected a whole number",
            ),
            ("[tools.\"a\"]\nexempted = true\n", 2, "did you mean `exempt`?"),
            ("max_unit = 0", 1, "max_unit: is 0, expected 1 to 1024"),
            (
                "[tools]\n\"poll_*\".stable = true\n\"x\".min_repeats = 1\n",
                3,
                "tools.\"x\".min_repeats: is 1",
            ),
            ("positions = \"some\"", 1, "unknown variant `some`, expected `any` or `all`"),
            ("min_repeats = \n", 1, "`min_repeats`"),
        ];
        for (text, line, problem) in cases {
            let fault = parse(text).unwrap_err();
            assert_eq!(fault.line, Some(line), "{text:?}: {fault:?}");
            assert!(fault.problem.contains(problem), "{text:?}: {fault:?}");
        }
    }

    #[test]
    fn a_fault_of_an_option_that_the_file_does_not_say_has_no_line() {
        let fault = parse("min_repeats = 100").unwrap_err();
        assert_eq!(fault.line, None);
        assert!(fault.problem.starts_with("window: is 1024, expected at least 3200"), "{fault:?}");
    }

    #[test]
    fn the_policy_page_shows_the_defaults() {
        let page = include_str!("../../docs/POLICY.md");
        let defaults = page.split("```toml\n").nth(1).and_then(|block| block.split("```").next()).unwrap();
        assert_eq!(parse(defaults), Ok(Options::default()));
    }

    #[test]
    fn a_config_lies_over_the_policy() {
        let base = parse("min_repeats = 4\nmax_unit = 8").unwrap();
        let options = with_config(&base, r#"{"min_repeats": 5}"#).unwrap();
        assert_eq!((options.min_repeats, options.max_unit), (5, 8));
        let fault = with_config(&base, r#"{"min_repeets": 5}"#).unwrap_err();
        assert!(fault.contains("did you mean `min_repeats`?"), "{fault}");
        assert!(with_config(&base, r#"{"max_unit": 0}"#).is_err());
    }
}
