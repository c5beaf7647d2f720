//! Input of a size that nobody meant: the right answer, within a gigabyte.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::Command;

use tempfile::TempDir;

use crate::run::{Said, folder, said};

/// Kibibytes of address space, which is more than the memory in use: a gigabyte.
const LIMIT: u32 = 1_000_000_000 / 1024;

fn generated(folder: &TempDir, write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> String {
    let path = folder.path().join("large.json");
    let mut file = BufWriter::new(File::create(&path).unwrap());
    write(&mut file).unwrap();
    file.flush().unwrap();
    path.to_str().unwrap().to_string()
}

/// Runs an audit that may not use more than the limit.
fn limited(arguments: &[&str]) -> Said {
    let script = format!("ulimit -v {LIMIT} && exec \"$0\" \"$@\"");
    said(
        Command::new("sh").args(["-c", &script, env!("CARGO_BIN_EXE_wheelspin"), "audit"]).args(arguments),
        b"",
    )
}

#[test]
fn a_million_steps() {
    let folder = folder();
    let path = generated(&folder, |out| {
        write!(out, r#"{{"trace_id": "million", "steps": [{{"tool": "first"}}"#)?;
        for step in 0..999_999 {
            // Work for nine tenths of the way, then a loop.
            let page = step.min(900_000);
            write!(out, r#",{{"tool":"list","args":{{"page":{page}}},"output":"row {page}"}}"#)?;
        }
        write!(out, "]}}")
    });
    let said = limited(&["--json", &path]);
    let report = &said.json()[0];
    assert_eq!((said.status, &report["steps_used"]), (1, &1_000_000.into()), "{}", said.err);
    let finding = &report["findings"][0];
    assert_eq!((&finding["start"], &finding["end"]), (&900_001.into(), &999_999.into()));
    assert_eq!(finding["passes"], 99_999);
}

#[test]
fn a_line_of_300_megabytes() {
    const MEGABYTES: usize = 300;
    let folder = folder();
    let block = "y".repeat(1_000_000);
    let filled = |out: &mut dyn Write| (0..MEGABYTES).try_for_each(|_| out.write_all(block.as_bytes()));
    let trace = generated(&folder, |out| {
        write!(out, r#"{{"trace_id": "wide", "steps": [{{"tool": "read", "output": ""#)?;
        filled(out)?;
        write!(out, r#""}}]}}"#)
    });
    let said = limited(&["--json", &trace]);
    assert_eq!((said.status, &said.json()[0]["steps_used"]), (0, &1.into()), "{}", said.err);

    let junk = generated(&folder, filled);
    let said = limited(&[&junk]);
    assert_eq!((said.status, said.out.as_str()), (2, ""));
    assert!(said.err.starts_with("wheelspin: ") && said.err.len() < 500, "{}", said.err);
}
