//! When a new weight counts: so late that nobody can profit from the change, so early that nobody waits for long.
//!
//! A window of [`super::deadline`] is a promise made with the entitlement of its time. A job that took its quantum
//! early and then leaves, or lowers its weight, would keep time that the others were about to get back; a job that
//! raises its weight in the middle of a window would need its next quantum at once, together with everybody else who
//! did the same. So a job that is *ahead* keeps its weight until its share has caught up, even when it is gone, and a
//! job that is *owed* keeps its weight until it has been served: the leaving, joining and reweighting rules of
//! Srinivasan and Anderson (2005). Either takes less than one window. Arrivals and departures of others need no such
//! care: they stretch or shorten every window alike.

use crate::world::Snapshot;

/// The weight with which a job counts in the coming quantum, in thousandths. `counted` is the one it had, 0 for a new
/// job; `wanted` the one it asks for, 0 for a closed one; `credit` what it is owed, in any unit.
#[must_use]
pub fn counting(counted: i32, wanted: i32, credit: i64) -> i32 {
    let held_back = match wanted.cmp(&counted) {
        _ if counted == 0 => false,
        std::cmp::Ordering::Greater => credit > 0,
        std::cmp::Ordering::Less => credit < 0,
        std::cmp::Ordering::Equal => false,
    };
    if held_back { counted } else { wanted }
}

/// The weights that count in a pool, or will: of live jobs the larger of the one that counts and the one that is asked for, of closed
/// ones what still counts. In thousandths.
#[must_use]
pub fn taken(world: &Snapshot) -> i64 {
    let live = world.jobs().map(|job| job.weight_milli.max(job.fairness.weight_milli));
    live.chain(world.departed.iter().map(|gone| gone.fairness.weight_milli)).map(i64::from).sum()
}
