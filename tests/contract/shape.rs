//! How the sources are cut: files that fit a head, and names that say what is inside.

use std::fs;
use std::path::{Path, PathBuf};

use crate::root;

const LINES_MAX: usize = 400;
const SOURCES: [&str; 9] = ["rs", "ts", "tsx", "js", "mjs", "css", "sql", "sh", "toml"];
/// Built, fetched, or generated.
const SKIPPED: [&str; 8] =
    ["target", "node_modules", "dist", ".git", ".souk", "frontend/src/api", "openapi", "Cargo.lock"];
const EMPTY_NAMES: [&str; 8] = ["utils", "util", "helpers", "helper", "common", "manager", "misc", "stuff"];

/// All source files below a folder; none if there is no such folder.
pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if SKIPPED.iter().any(|skipped| path == root().join(skipped) || path.file_name().is_some_and(|n| n == *skipped))
        {
            continue;
        }
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| SOURCES.iter().any(|known| e == *known)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

#[test]
fn no_source_file_is_longer_than_400_lines() {
    let mut long = Vec::new();
    for file in sources(&root()) {
        let lines = fs::read_to_string(&file).expect("sources are UTF-8").lines().count();
        if lines > LINES_MAX {
            long.push(format!("{}: {lines}", shown(&file)));
        }
    }
    assert!(long.is_empty(), "longer than {LINES_MAX} lines:\n{}", long.join("\n"));
}

#[test]
fn no_file_or_folder_has_a_name_that_says_nothing() {
    let named = |path: &Path| {
        let relative = path.strip_prefix(root()).unwrap_or(path).to_path_buf();
        relative.iter().any(|part| {
            let stem = part.to_str().unwrap_or_default().split('.').next().unwrap_or_default().to_lowercase();
            EMPTY_NAMES.contains(&stem.as_str())
        })
    };
    let empty: Vec<String> = sources(&root()).iter().filter(|path| named(path)).map(|path| shown(path)).collect();
    assert!(empty.is_empty(), "{empty:?}");
}

#[test]
fn no_source_puts_work_off() {
    let marks = [concat!("TO", "DO"), concat!("FIX", "ME")];
    let mut found = Vec::new();
    for file in sources(&root()) {
        let text = fs::read_to_string(&file).expect("sources are UTF-8");
        for (number, line) in text.lines().enumerate() {
            if marks.iter().any(|mark| line.contains(mark)) {
                found.push(format!("{}:{}", shown(&file), number + 1));
            }
        }
    }
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn every_module_opens_with_what_lives_there() {
    let crates = ["scheduler/src", "api/src", "api/agent/src", "tests"].map(|folder| root().join(folder));
    let silent: Vec<String> = crates
        .iter()
        .flat_map(|folder| sources(folder))
        // A file of tests beside its module says by its name what it is about.
        .filter(|file| file.to_str().is_some_and(|name| name.ends_with(".rs") && !name.ends_with("tests.rs")))
        .filter(|file| !fs::read_to_string(file).expect("sources are UTF-8").starts_with("//!"))
        .map(|file| shown(&file))
        .collect();
    assert!(silent.is_empty(), "without a `//!` line at the top: {silent:?}");
}
