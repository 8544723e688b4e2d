//! The public data: `SOUK_DATA`, by default `../shared/data` beside the workspace; required when `CI=true`, elsewhere what
//! needs it is skipped with a word.

use std::path::PathBuf;

#[expect(
    clippy::disallowed_methods,
    reason = "where the data lies and how much of it to run is told by the environment"
)]
pub fn told(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// The text of a data file, or `None` if there is no data here.
#[expect(clippy::print_stdout, reason = "a skipped test says why")]
pub fn data(file: &str) -> Option<String> {
    let folder = told("SOUK_DATA").map(PathBuf::from);
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let path = folder.unwrap_or_else(beside).join(file);
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) if told("CI").as_deref() == Some("true") => panic!("{}: {error}", path.display()),
        Err(_) => {
            println!("skipped: no {file}; set SOUK_DATA to the folder of the public data");
            None
        }
    }
}
