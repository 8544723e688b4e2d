//! Structured logs: one line per event, with the ids of the request, the round and the rental that it belongs to.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;

/// What is logged unless `SOUK_LOG` says otherwise: everything but chatter of libraries.
pub const USUAL: &str = "info,sqlx=warn,actix_server=warn";
/// The same without a line per request and round: for a terminal that somebody looks at.
pub const QUIET: &str = "info,sqlx=warn,actix_server=warn,souk::access=off,souk::loops=warn";

/// Starts logging to standard error; `SOUK_LOG` takes filters such as `info,souk::loops=debug`.
pub fn start(unless_told: &str) {
    let filter = EnvFilter::try_from_env("SOUK_LOG").unwrap_or_else(|_| EnvFilter::new(unless_told));
    let colours = std::io::stderr().is_terminal();
    tracing_subscriber::fmt().with_env_filter(filter).with_ansi(colours).with_writer(std::io::stderr).init();
}
