//! `souk openapi`

use std::io::Write as _;

/// Prints the API's description, as committed in `openapi/openapi.json`.
pub fn run() -> anyhow::Result<()> {
    let description = crate::http::openapi::description();
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string_pretty(&description)?)?;
    Ok(())
}
