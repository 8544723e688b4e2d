//! Keeping to the server's rate limits before it has to refuse: when nothing is left, wait until there is.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use reqwest::header::HeaderMap;

/// The longest wait that a header can cause.
const WAIT_MAX: Duration = Duration::from_secs(90);

/// What is known about one caller's limit.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// Seconds until there is something left; 0 while there is.
    exhausted_for: AtomicU64,
}

impl Pace {
    /// Waits if the last answer said that nothing is left.
    pub(super) async fn wait(&self) {
        let seconds = self.exhausted_for.swap(0, Ordering::Relaxed);
        if seconds > 0 {
            tokio::time::sleep(Duration::from_secs(seconds).min(WAIT_MAX)).await;
        }
    }

    /// Reads `RateLimit: "default";r=0;t=12`.
    pub(super) fn learn(&self, headers: &HeaderMap) {
        let Some(limit) = headers.get("ratelimit").and_then(|value| value.to_str().ok()) else { return };
        if parameter(limit, "r") == Some(0) {
            self.exhausted_for.store(parameter(limit, "t").unwrap_or(1), Ordering::Relaxed);
        }
    }
}

fn parameter(header: &str, name: &str) -> Option<u64> {
    header.split(';').find_map(|part| part.trim().strip_prefix(name)?.strip_prefix('=')?.parse().ok())
}

/// A header that is a whole number.
pub(super) fn number(headers: &HeaderMap, name: &str) -> Option<u64> {
    headers.get(name)?.to_str().ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_allowance_is_read_from_the_header() {
        let pace = Pace::default();
        let header = |text: &'static str| HeaderMap::from_iter([("ratelimit".parse().unwrap(), text.parse().unwrap())]);
        pace.learn(&header("\"default\";r=3;t=12"));
        assert_eq!(pace.exhausted_for.load(Ordering::Relaxed), 0);
        pace.learn(&header("\"default\";r=0;t=12"));
        assert_eq!(pace.exhausted_for.load(Ordering::Relaxed), 12);
    }
}
