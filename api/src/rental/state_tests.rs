//! The whole table of states, written out: this is the specification.

use time::OffsetDateTime;
use time::macros::datetime;

use super::*;

const NOW: OffsetDateTime = datetime!(2030-01-01 00:00 UTC);
const LATER: OffsetDateTime = datetime!(2030-01-01 00:05 UTC);

const PENDING: RentalState = RentalState::Pending;
const PROVISIONING: RentalState = RentalState::Provisioning;
const PULLING: RentalState = RentalState::Pulling;
const STARTING: RentalState = RentalState::Starting;
const RUNNING: RentalState = RentalState::Running { usable_at: NOW };
const NOTICE: RentalState = RentalState::Notice { until: LATER, usable_at: Some(NOW) };
const EARLY: RentalState = RentalState::Notice { until: LATER, usable_at: None };
const STOPPING: RentalState = RentalState::Stopping;
const STOPPED: RentalState = RentalState::Stopped;
const ENDED: RentalState = RentalState::Ended { reason: EndReason::Tenant, at: NOW };

const ALL: [RentalState; 10] =
    [PENDING, PROVISIONING, PULLING, STARTING, RUNNING, NOTICE, EARLY, STOPPING, STOPPED, ENDED];

#[test]
fn every_state_has_one_billing_class_and_knows_its_devices() {
    use BillingClass::{Compute, Free, StorageOnly};
    let table = [
        (PENDING, Free, false, false),
        (PROVISIONING, Free, true, true),
        (PULLING, Free, true, true),
        (STARTING, Free, true, true),
        (RUNNING, Compute, true, true),
        (NOTICE, Compute, true, true),
        (EARLY, Free, true, true),
        (STOPPING, StorageOnly, true, false),
        (STOPPED, StorageOnly, false, false),
        (ENDED, Free, false, false),
    ];
    for (state, billing, devices, workload) in table {
        assert_eq!(state.billing_class(), billing, "{state:?}");
        assert_eq!(state.has_devices(), devices, "{state:?}");
        assert_eq!(state.wants_workload(), workload, "{state:?}");
    }
}

#[test]
fn only_the_drawn_transitions_exist() {
    type Transition = fn(RentalState) -> Result<RentalState, Refused>;
    type Drawn = (&'static str, Transition, &'static [(RentalState, RentalState)]);
    let table: [Drawn; 9] = [
        ("place", |s| s.place(), &[(PENDING, PROVISIONING), (STOPPED, PROVISIONING)]),
        ("wait", |s| s.wait(), &[(STOPPED, PENDING)]),
        (
            "pulling",
            |s| s.observe(Observation::Pulling, NOW),
            &[
                (PROVISIONING, PULLING),
                (PULLING, PULLING),
                (STARTING, STARTING),
                (RUNNING, RUNNING),
                (NOTICE, NOTICE),
                (EARLY, EARLY),
            ],
        ),
        (
            "starting",
            |s| s.observe(Observation::Starting, NOW),
            &[
                (PROVISIONING, STARTING),
                (PULLING, STARTING),
                (STARTING, STARTING),
                (RUNNING, RUNNING),
                (NOTICE, NOTICE),
                (EARLY, EARLY),
            ],
        ),
        (
            "usable",
            |s| s.observe(Observation::Usable, NOW),
            &[
                (PROVISIONING, RUNNING),
                (PULLING, RUNNING),
                (STARTING, RUNNING),
                (RUNNING, RUNNING),
                (NOTICE, NOTICE),
                (EARLY, EARLY),
            ],
        ),
        (
            "give_notice",
            |s| s.give_notice(LATER),
            &[(PROVISIONING, EARLY), (PULLING, EARLY), (STARTING, EARLY), (RUNNING, NOTICE)],
        ),
        ("stop", |s| s.stop(), &[(RUNNING, STOPPING)]),
        ("stopped", |s| s.stopped(), &[(STOPPING, STOPPED)]),
        (
            "end",
            |s| s.end(EndReason::Tenant, NOW),
            &[
                (PENDING, ENDED),
                (PROVISIONING, ENDED),
                (PULLING, ENDED),
                (STARTING, ENDED),
                (RUNNING, ENDED),
                (NOTICE, ENDED),
                (EARLY, ENDED),
                (STOPPING, ENDED),
                (STOPPED, ENDED),
            ],
        ),
    ];
    for (name, transition, allowed) in table {
        for from in ALL {
            let expected = allowed.iter().find(|(known, _)| *known == from).map(|(_, to)| *to);
            assert_eq!(transition(from).ok(), expected, "{name} from {from:?}");
        }
    }
}

#[test]
fn actions_are_what_would_succeed() {
    use Action::{End, OpenShell, Start, Stop};
    use RentalKind::{Bid, OnDemand};
    let table: [(RentalState, RentalKind, &[Action]); 9] = [
        (PENDING, OnDemand, &[End]),
        (PROVISIONING, OnDemand, &[End]),
        (RUNNING, OnDemand, &[OpenShell, Stop, End]),
        (RUNNING, Bid, &[OpenShell, End]),
        (NOTICE, Bid, &[OpenShell, End]),
        (EARLY, Bid, &[End]),
        (STOPPING, OnDemand, &[End]),
        (STOPPED, OnDemand, &[Start, End]),
        (ENDED, OnDemand, &[]),
    ];
    for (state, kind, expected) in table {
        assert_eq!(state.actions(kind), expected, "{state:?} {kind:?}");
    }
}

#[test]
fn a_refusal_says_where_the_rental_stands() {
    assert_eq!(
        STOPPED.give_notice(LATER).unwrap_err().to_string(),
        "a rental that is `stopped` cannot be given notice"
    );
}

#[test]
fn names_are_read_back() {
    for name in StateName::ALL {
        assert_eq!(StateName::parse(name.as_str()), Some(name));
    }
    for reason in EndReason::ALL {
        assert_eq!(EndReason::parse(reason.as_str()), Some(reason));
    }
    assert_eq!(StateName::parse("Running"), None);
}
