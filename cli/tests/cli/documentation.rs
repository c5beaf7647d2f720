//! What the documentation shows is what happens.

use std::path::Path;
use std::process::Command;

use crate::run::{Said, said, wheelspin};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).expect(path)
}

/// Runs a documented command in the project's folder.
fn documented(command: &str) -> Said {
    let arguments = command.split_whitespace().skip_while(|word| *word != "audit");
    said(wheelspin().args(arguments).current_dir(root()), b"")
}

#[test]
fn the_first_command_of_the_readme_prints_a_true_finding() {
    let readme = read("README.md");
    let command = readme.lines().find(|line| line.starts_with("cargo run")).expect("a first command");
    let said = documented(command.split('#').next().unwrap());
    assert_eq!(said.status, 1, "{}", said.err);
    assert!(said.out.starts_with("✗ unproductive"), "{}", said.out);
}

#[test]
fn the_picture_is_a_real_run() {
    let mut draw = Command::new("python3");
    draw.args(["docs/picture.py", env!("CARGO_BIN_EXE_wheelspin")]).current_dir(root());
    let drawn = said(&mut draw, b"");
    assert_eq!(drawn.status, 0, "{}", drawn.err);
    assert!(drawn.out == read("docs/audit.svg"), "`make picture` draws docs/audit.svg anew");
}

#[test]
fn each_example_says_what_its_table_says() {
    let table = read("examples/README.md");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .filter(|line| line.starts_with("| ["))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert!(rows.len() >= 6, "{rows:?}");
    for row in rows {
        let command = row.iter().find_map(|cell| cell.strip_prefix("`wheelspin ")).expect("a command");
        let verdict = row.last().unwrap().split(' ').next().unwrap();
        let said = documented(command.trim_end_matches('`'));
        assert!(said.out.contains(&format!(" {verdict}  ")), "{command}: {}", said.out);
        assert_eq!(said.status, i32::from(verdict != "clean"), "{command}: {}", said.err);
    }
}

#[test]
fn the_reports_in_the_reference_are_real() {
    let reference = read("docs/AUDIT.md");
    let block = |language: &str| {
        let (_, after) = reference.split_once(&format!("```{language}\n")).expect("a block");
        after.split("```").next().unwrap().to_string()
    };
    let shown: serde_json::Value = serde_json::from_str(&block("json")).unwrap();
    let real = documented("wheelspin audit --json examples/stuck-search.json").json().remove(0);
    assert_eq!(shown, real);

    let session = block("sh");
    let (command, answer) = session.split_once('\n').unwrap();
    let pair = command.split('\'').nth(1).unwrap();
    let compared = said(wheelspin().args(["compare", "--json", "-"]), pair.as_bytes());
    assert_eq!(compared.out, answer);
}

#[test]
fn the_policy_page_shows_the_defaults_and_rules_that_can_be_used() {
    let page = read("docs/POLICY.md");
    let folder = crate::run::folder();
    for block in page.split("```toml\n").skip(1) {
        let policy = crate::run::file(&folder, "policy.toml", block.split("```").next().unwrap());
        let said =
            documented(&format!("wheelspin audit --json --policy {policy} examples/stuck-search.json"));
        assert_eq!((said.status, said.err.as_str()), (1, ""));
    }
}
