//! Reading and writing files, with their names in every error.

use std::fmt::Display;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use anyhow::Context as _;
use serde::Serialize;

/// A file as text.
pub(super) fn text(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))
}

/// What a reader made of a file's text.
pub(super) fn read<T, E: Display>(path: &Path, result: Result<T, E>) -> anyhow::Result<T> {
    result.map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))
}

/// Prints the summary, and writes it and the tables to a folder if there is one.
pub(super) fn write(out: Option<&Path>, summary: &impl Serialize, tables: &[(&str, String)]) -> anyhow::Result<()> {
    let mut json = serde_json::to_string_pretty(summary)?;
    json.push('\n');
    if let Some(folder) = out {
        std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        for (name, table) in tables.iter().map(|(name, table)| (*name, table)).chain([("summary.json", &json)]) {
            let path = folder.join(name);
            std::fs::write(&path, table).with_context(|| format!("{} cannot be written", path.display()))?;
        }
    }
    std::io::stdout().lock().write_all(json.as_bytes())?;
    Ok(())
}

/// Writes a file that is not there yet: a slip of the name overwrites nothing.
pub(super) fn write_new(path: &Path, text: &str) -> anyhow::Result<()> {
    let opened = std::fs::File::create_new(path);
    if opened.as_ref().is_err_and(|error| error.kind() == ErrorKind::AlreadyExists) {
        anyhow::bail!("{} is there already; remove it or name another file", path.display());
    }
    let written = opened.and_then(|mut file| file.write_all(text.as_bytes()));
    written.with_context(|| format!("{} cannot be written", path.display()))
}
