//! Asking before money is spent.

use std::io::{IsTerminal as _, Write as _};

/// Asks a person; a program has decided by calling.
pub(super) fn asked(yes: bool, verb: &str) -> std::io::Result<bool> {
    if yes || !std::io::stdin().is_terminal() {
        return Ok(true);
    }
    let mut out = std::io::stderr().lock();
    write!(out, "{verb}? [y/N] ")?;
    out.flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
