//! Waiting without a clock: a bounded number of short sleeps.

use std::thread::sleep;
use std::time::Duration;

const STEP: Duration = Duration::from_millis(10);
const STEPS_PER_SECOND: u64 = 100;

/// Asks again until there is an answer or the time is over.
pub(super) fn poll<T>(seconds_max: u64, mut ask: impl FnMut() -> Option<T>) -> Option<T> {
    for _ in 0..seconds_max * STEPS_PER_SECOND {
        if let Some(answer) = ask() {
            return Some(answer);
        }
        sleep(STEP);
    }
    ask()
}
