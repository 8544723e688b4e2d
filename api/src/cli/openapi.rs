//! `souk openapi`

use std::io::Write as _;

/// Prints the API's description, as committed in `openapi/openapi.json`.
pub fn run() -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(crate::http::openapi::text().as_bytes())?;
    Ok(())
}
