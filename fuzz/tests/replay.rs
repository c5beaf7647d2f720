//! Replays the committed inputs without a fuzzer: the seeds, and every input that once failed.

use std::path::{Path, PathBuf};
use wheelspin_fuzz::TARGETS;

fn inputs(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.sort();
    paths
}

#[test]
fn every_committed_input_holds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, target) in TARGETS {
        let seeds = inputs(&root.join("corpus").join(name));
        assert!(!seeds.is_empty(), "{name} has no seeds in corpus/{name}");
        for path in seeds.into_iter().chain(inputs(&root.join("regressions").join(name))) {
            println!("{name}: {}", path.display());
            target(&std::fs::read(&path).expect("a readable input"));
        }
    }
}

#[test]
fn every_target_has_a_fuzzer() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let fuzzers: Vec<String> = inputs(&root.join("fuzz_targets"))
        .iter()
        .map(|path| path.file_stem().expect("a file").to_string_lossy().into_owned())
        .collect();
    let mut names: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    assert_eq!(names, fuzzers);
}
