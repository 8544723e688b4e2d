//! Structured logs: one line per event, with the ids of the request, the round and the rental that it belongs to.

use tracing_subscriber::EnvFilter;

/// Starts logging to standard error; `SOUK_LOG` takes filters such as `info,souk::loops=debug`.
pub fn start() {
    let filter =
        EnvFilter::try_from_env("SOUK_LOG").unwrap_or_else(|_| EnvFilter::new("info,sqlx=warn,actix_server=warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
}
