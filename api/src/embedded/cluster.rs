//! Making the cluster: `initdb` and the database, in a folder that gets its real name only once it is complete.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use super::account::Account;
use super::layout::Layout;
use super::{Binaries, Durability, EmbeddedError, spawn};

/// The major version that made the cluster, if there is one.
pub(super) fn major_version(data: &Path) -> Result<Option<u32>, EmbeddedError> {
    let file = data.join("PG_VERSION");
    match fs::read_to_string(&file) {
        Ok(text) => Ok(text.trim().split('.').next().and_then(|major| major.parse().ok())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(EmbeddedError::io(format!("read {}", file.display()))(error)),
    }
}

/// Makes the cluster unless it is there. A start that was cut short leaves `data.tmp`, which is made anew.
pub(super) fn ensure(
    layout: &Layout,
    binaries: &Binaries,
    account: &Account,
    durability: Durability,
) -> Result<(), EmbeddedError> {
    if layout.data.exists() {
        return Ok(());
    }
    if layout.data_tmp.exists() {
        fs::remove_dir_all(&layout.data_tmp)
            .map_err(EmbeddedError::io(format!("remove {}", layout.data_tmp.display())))?;
    }
    let mut initdb = spawn::as_account(&binaries.program("initdb"), account);
    initdb.arg("-D").arg(&layout.data_tmp);
    initdb.args(["-U", "souk", "--auth-local=trust", "--auth-host=scram-sha-256"]);
    initdb.args(["--encoding=UTF8", "--locale=C.UTF-8"]);
    initdb.arg(match durability {
        Durability::Durable => "--data-checksums",
        Durability::Throwaway => "--no-sync",
    });
    spawn::tie_to_this_thread(&mut initdb);
    spawn::output("initdb", &mut initdb)?;
    create_database(layout, binaries, account)?;
    fs::rename(&layout.data_tmp, &layout.data)
        .map_err(EmbeddedError::io(format!("rename {} to `data`", layout.data_tmp.display())))
}

/// In single-user mode: needs no client program, and keeps "cluster with its database" one atomic step.
fn create_database(layout: &Layout, binaries: &Binaries, account: &Account) -> Result<(), EmbeddedError> {
    let mut single = spawn::as_account(&binaries.program("postgres"), account);
    single.arg("--single").arg("-D").arg(&layout.data_tmp).arg("postgres");
    single.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    spawn::tie_to_this_thread(&mut single);
    let mut run = || -> std::io::Result<std::process::Output> {
        let mut child = single.spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(b"CREATE DATABASE souk;\n")?;
        }
        child.wait_with_output()
    };
    let done = run().map_err(EmbeddedError::io("run `postgres --single`"))?;
    let said = String::from_utf8_lossy(&done.stderr);
    // Single-user mode exits with 0 even when a statement failed.
    if done.status.success() && !said.contains("ERROR:") {
        return Ok(());
    }
    Err(EmbeddedError::Program {
        program: "postgres --single",
        status: done.status.to_string(),
        output: spawn::tail(&said, 600),
    })
}
