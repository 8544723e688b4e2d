//! What the parts promise each other: the description of the API and its routes, the routes and who may use them, the
//! schema and the code, and the sources about themselves (which way they depend, how they are cut).

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod authorisation;
mod dependencies;
mod direction;
mod licence;
mod migrations;
mod openapi;
mod shape;
mod statements;
mod states;

use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in the workspace").to_path_buf()
}

/// What cargo answers.
fn cargo(arguments: &[&str]) -> String {
    let done = Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--locked", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(done.status.success(), "cargo {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("cargo answers in UTF-8")
}
