//! Proportionate progress: which of the owed gangs goes first, so that nobody ever falls a whole quantum behind.
//!
//! A job that is entitled to the fraction `u` of its time should have received `u * t` quanta by time `t`. Time is
//! given out in whole quanta, so it cannot be exact; it can be *never wrong by one*. Cut the fluid line into quanta:
//! the one numbered `q` becomes due while the line climbs from `q` to `q + 1`, and has to be served inside the window
//! in which it does.
//!
//! ```text
//!   due
//!    3 ┤                  ╱        u = 2/5, in quanta of time from 0
//!    2 ┤            ╱ ┄┄┄┄┄┄┄
//!    1 ┤      ╱ ┄┄┄┄┄┄┄
//!    0 ┼──┬──┬──┬──┬──┬──┬──┬──    quantum 0: window [0, 3)
//!      0  1  2  3  4  5  6  7      quantum 1: window [2, 5)    quantum 2: window [5, 8)
//! ```
//!
//! Serving eligible quanta by earliest deadline, with the two tie-breaks below, meets every deadline on `M` identical
//! places whenever the entitlements sum to at most `M`: the rule PD2 of Anderson and Srinivasan (2001), after Baruah,
//! Cohen, Plaxton and Varvel (1996). Every deadline met is the same as `-1 < lag < 1` at the end of every quantum.
//!
//! Nothing here counts windows from a job's start. A window follows from two numbers, what is owed *now* and the
//! entitlement *from now on*, so that arrivals, departures and new weights bend the line and the rest follows. What
//! may bend it, and when, is in [`super::weight`].

use std::cmp::{Ordering, Reverse};

/// One quantum in the unit of this module: trillionths.
pub const QUANTUM: i64 = 1_000_000_000_000;

/// Shares are rounded to trillionths, so a third three times is not quite one. Within a millionth of a quantum a sum
/// counts as whole: far above what rounding adds up to in a job's life, far below what anybody can notice.
const TOLERANCE: i64 = 1_000_000;

/// What a job is owed now, and what it is entitled to from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entitlement {
    /// Quanta due minus quanta received, in trillionths.
    pub credit: i64,
    /// Quanta that become due per quantum of time, in trillionths; at most [`QUANTUM`].
    pub share: i64,
}

/// Where the next quantum of a job must be served, in quanta of time from now.
///
/// The order of two windows is the order in which they are served: the lesser first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// It must be served before this many quanta of time have passed; at least 1 unless the job is late.
    pub deadline: i64,
    /// Whether the next window begins before this one ends. Such a quantum goes first: served late in its window,
    /// it squeezes its successor.
    pub overlaps: bool,
    /// When a chain of forced decisions ends: for a share of one half and more, serving a quantum in the last place of its window
    /// can leave the next one no choice either, and so on, up to this time. The longer chain goes first.
    pub chain_ends: i64,
}

impl Entitlement {
    /// The window of the next quantum, or `None` while none of it becomes due in the quantum that now begins.
    #[must_use]
    pub fn window(self) -> Option<Window> {
        if self.share <= 0 || self.credit + self.share <= TOLERANCE {
            return None;
        }
        let missing = QUANTUM - self.credit;
        let deadline = ceil_div(missing, self.share);
        let overlaps = self.credit + deadline * self.share - QUANTUM > TOLERANCE;
        let chain_ends = self.chain_end(deadline);
        Some(Window { deadline, overlaps, chain_ends })
    }

    /// The group deadline of the literature. The places that a heavy job leaves free are themselves evenly spread, as
    /// the quanta of a job of the complementary share; the chain ends with the first of those not before `deadline`.
    fn chain_end(self, deadline: i64) -> i64 {
        let gap = QUANTUM - self.share;
        if self.share * 2 < QUANTUM {
            return 0;
        }
        if gap <= TOLERANCE {
            return i64::MAX;
        }
        let gaps_by_deadline = ceil_div(gap * deadline - self.credit, QUANTUM);
        ceil_div(gaps_by_deadline * QUANTUM + self.credit, gap)
    }
}

impl Ord for Window {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |window: &Self| {
            (window.deadline, Reverse(window.overlaps), Reverse(if window.overlaps { window.chain_ends } else { 0 }))
        };
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Window {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The least whole number not below `a / b`, forgiving [`TOLERANCE`] in `a`; `b` is positive.
fn ceil_div(a: i64, b: i64) -> i64 {
    let a = a - TOLERANCE;
    a.div_euclid(b) + i64::from(a.rem_euclid(b) != 0)
}

#[cfg(test)]
#[path = "deadline_tests.rs"]
mod tests;
