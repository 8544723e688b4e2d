//! What the sources promise about themselves: which way they depend, what they depend on, how they are cut.
//!
//! Nothing here starts a server; it reads the repository and asks cargo, without a network.

mod dependencies;
mod direction;
mod licence;
mod shape;

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
