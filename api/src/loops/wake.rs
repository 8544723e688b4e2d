//! Signals to loops. They coalesce: many signals while a loop is busy make one more run. A signal is a hint that
//! saves waiting for the period; losing one loses nothing else.

use std::sync::Arc;

use tokio::sync::Notify;

use super::LoopName;

/// Wakes loops of this process.
#[derive(Debug, Clone)]
pub struct Wake(Arc<[Notify; LoopName::ALL.len()]>);

impl Default for Wake {
    fn default() -> Self {
        Self(Arc::new(std::array::from_fn(|_| Notify::new())))
    }
}

impl Wake {
    /// Tells the loop to run soon. Never blocks; call it after the commit.
    pub fn signal(&self, name: LoopName) {
        self.of(name).notify_one();
    }

    /// Waits for a signal. One given while nobody waited is kept.
    pub async fn signalled(&self, name: LoopName) {
        self.of(name).notified().await;
    }

    fn of(&self, name: LoopName) -> &Notify {
        let at = LoopName::ALL.iter().position(|known| *known == name);
        &self.0[at.expect("every loop is listed")]
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn signals_coalesce_and_are_kept_while_nobody_waits() {
        let wake = Wake::default();
        wake.signal(LoopName::Round);
        wake.signal(LoopName::Round);
        wake.signalled(LoopName::Round).await;
        let second = tokio::time::timeout(Duration::from_millis(20), wake.signalled(LoopName::Round)).await;
        assert!(second.is_err(), "two signals made two runs");
    }

    #[tokio::test]
    async fn a_signal_wakes_only_its_own_loop() {
        let wake = Wake::default();
        wake.signal(LoopName::Metering);
        let other = tokio::time::timeout(Duration::from_millis(20), wake.signalled(LoopName::Round)).await;
        assert!(other.is_err());
    }
}
