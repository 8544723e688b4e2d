//! Whether a pool is due for a round, and why: by the timer, or early, when something changed that a round could answer.

use scheduler::world::{At, Millis};

use crate::config::limits;
use crate::records::Cause;
use crate::store::rounds::{Pulse, Waiting};

/// After an early round, changes are gathered for this part of the time between rounds.
const GATHERED_PART: i64 = 2;
/// One quantum of entitlement.
const QUANTUM_NANOS: i128 = 1_000_000_000;

/// The cause to clear the pool now, if there is one.
#[must_use]
pub fn due(pulse: &Pulse, now: At) -> Option<Cause> {
    let after = |instant: Option<At>, last: Option<At>| instant.is_some_and(|at| last.is_none_or(|last| at > last));
    let last = pulse.cleared_at.max(pulse.refused_at);
    if pulse.requested {
        return Some(Cause::Operator);
    }
    let Some(last) = last else {
        // The first round waits until there is something to trade.
        let something = pulse.demand_at.or(pulse.claimed_at).or(pulse.freed_at);
        return something.is_some().then_some(Cause::Timer);
    };
    // A clock that was set back far must not stop the market until it has caught up.
    let since = Millis::new(now.since(last).get().abs());
    let round = Millis::new(pulse.round_millis);
    if since >= round {
        return Some(Cause::Timer);
    }
    let refused = pulse.refused_at == Some(last);
    if refused || since < apart().min(round) {
        return None;
    }
    if pulse.waiting.iter().any(|job| falls_behind(job, pulse.quantum_millis, last, now)) {
        return Some(Cause::Starved);
    }
    if after(pulse.claimed_at, Some(last)) {
        return Some(Cause::Demand);
    }
    // After a quiet time the first change is answered at once. Where something changes all the time, changes are gathered:
    // a record of the whole pool for each of them would cost more than it tells.
    if pulse.early && since.get() < round.get() / GATHERED_PART {
        return None;
    }
    if after(pulse.freed_at, Some(last)) {
        return Some(Cause::DeviceFreed);
    }
    // A demand that won and was dropped has not had its round yet.
    (pulse.dropped || after(pulse.demand_at, Some(last))).then_some(Cause::Demand)
}

/// Whether the job's due time passed a whole quantum between the two instants: told once, not as long as it lasts.
fn falls_behind(job: &Waiting, quantum_millis: i64, last: At, now: At) -> bool {
    let due = |at: At| {
        let waited = i128::from(at.since(job.advanced_at).get().max(0));
        i128::from(job.credit_nanos) + i128::from(job.share_nanos) * waited / i128::from(quantum_millis.max(1))
    };
    due(last) < QUANTUM_NANOS && due(now) >= QUANTUM_NANOS
}

fn apart() -> Millis {
    Millis::new(i64::try_from(limits::EARLY_ROUNDS_APART.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> At {
        At::from_millis(seconds * 1000)
    }

    fn pulse() -> Pulse {
        Pulse {
            round_millis: 60_000,
            quantum_millis: 60_000,
            cleared_at: Some(at(1000)),
            freed_at: Some(at(900)),
            demand_at: Some(at(900)),
            ..Pulse::default()
        }
    }

    #[test]
    fn the_timer_clears_a_pool_when_nothing_happens() {
        assert_eq!(due(&pulse(), at(1059)), None);
        assert_eq!(due(&pulse(), at(1060)), Some(Cause::Timer));
    }

    #[test]
    fn early_rounds_keep_a_distance() {
        let freed = Pulse { freed_at: Some(at(1001)), ..pulse() };
        assert_eq!(due(&freed, at(1004)), None);
        assert_eq!(due(&freed, at(1005)), Some(Cause::DeviceFreed));
        let wanted = Pulse { demand_at: Some(at(1001)), ..pulse() };
        assert_eq!(due(&wanted, at(1005)), Some(Cause::Demand));
    }

    #[test]
    fn where_something_changes_all_the_time_changes_are_gathered() {
        let busy = Pulse { early: true, demand_at: Some(at(1001)), freed_at: Some(at(1001)), dropped: true, ..pulse() };
        assert_eq!(due(&busy, at(1029)), None);
        assert_eq!(due(&busy, at(1030)), Some(Cause::DeviceFreed));
        let starved = Waiting { advanced_at: at(1000), credit_nanos: 950_000_000, share_nanos: 1_000_000_000 };
        assert_eq!(due(&Pulse { waiting: vec![starved], ..busy.clone() }, at(1005)), Some(Cause::Starved));
        assert_eq!(due(&Pulse { claimed_at: Some(at(1001)), ..busy }, at(1005)), Some(Cause::Demand));
    }

    #[test]
    fn what_a_round_dropped_is_planned_again_before_the_timer() {
        let dropped = Pulse { dropped: true, ..pulse() };
        assert_eq!(due(&dropped, at(1004)), None);
        assert_eq!(due(&dropped, at(1005)), Some(Cause::Demand));
    }

    #[test]
    fn a_pool_that_was_never_cleared_waits_for_something_to_trade() {
        let empty = Pulse { round_millis: 60_000, ..Pulse::default() };
        assert_eq!(due(&empty, at(1)), None);
        let offered = Pulse { freed_at: Some(at(0)), ..empty };
        assert_eq!(due(&offered, at(1)), Some(Cause::Timer));
    }

    #[test]
    fn a_refused_round_is_tried_at_the_pace_of_the_timer_or_when_an_operator_asks() {
        let refused = Pulse { refused_at: Some(at(1100)), freed_at: Some(at(1101)), ..pulse() };
        assert_eq!(due(&refused, at(1120)), None);
        assert_eq!(due(&refused, at(1160)), Some(Cause::Timer));
        let asked = Pulse { requested: true, ..refused };
        assert_eq!(due(&asked, at(1120)), Some(Cause::Operator));
    }

    #[test]
    fn a_clock_set_back_does_not_stop_the_market() {
        assert_eq!(due(&pulse(), at(500)), Some(Cause::Timer));
        assert_eq!(due(&pulse(), at(990)), None);
    }

    #[test]
    fn a_job_that_falls_a_quantum_behind_is_heard_once() {
        let job = Waiting { advanced_at: at(1000), credit_nanos: 500_000_000, share_nanos: 1_000_000_000 };
        let pulse = Pulse { waiting: vec![job], ..pulse() };
        assert_eq!(due(&pulse, at(1029)), None);
        assert_eq!(due(&pulse, at(1030)), Some(Cause::Starved));
        let heard = Pulse { cleared_at: Some(at(1030)), ..pulse };
        assert_eq!(due(&heard, at(1040)), None);
    }
}
