//! A verifier that cannot fail verifies nothing: every promise is broken once, by hand, and must be missed.

mod worlds;

use scheduler::plan::{Awaiting, Eviction, EvictionCause, Grant, Release};
use scheduler::world::{At, DeviceId, JobFairness, NodeState, OrganisationId, RentalId, Rules, SharePolicy};
use scheduler::{Code, Misfit, Plan, Violation, Why, plan, verify};
use worlds::life::{applied, later};
use worlds::{World, at, bid, cents, class, job, rental, rules, uuid};

/// Two nodes of four, cheap and dear; a job, bids that win, one that loses, and a rental at the posted price.
fn market() -> (World, Rules) {
    let world = World::new()
        .node(1, "a100-80gb", 4, 100)
        .node(2, "a100-80gb", 4, 150)
        .job(1, 2, &[("a100-80gb", 2000)])
        .bid(11, &["a100-80gb"], 2, 300)
        .bid(12, &["a100-80gb"], 2, 280)
        .bid(13, &["a100-80gb"], 1, 200)
        .bid(14, &["a100-80gb"], 2, 160)
        .on_demand(21, 2, "a100-80gb", 1);
    // What is owed goes first only where there are deadlines.
    (world, Rules { share_policy: SharePolicy::MaxMin, ..rules() })
}

/// The violations of the market's own plan after it was tampered with.
fn found(tamper: impl FnOnce(&mut Plan)) -> Vec<Violation> {
    found_in(|_| {}, tamper)
}

fn found_in(change: impl FnOnce(&mut World), tamper: impl FnOnce(&mut Plan)) -> Vec<Violation> {
    let (mut world, rules) = market();
    change(&mut world);
    let mut plan = plan(&world.snapshot, &rules, world.snapshot.at, 0);
    assert_eq!(verify(&world.snapshot, &rules, &plan), Ok(()), "the plan itself is sound");
    tamper(&mut plan);
    verify(&world.snapshot, &rules, &plan).expect_err("a broken promise")
}

/// The market one round later: everybody runs; `tamper` gets the plan of the second round.
fn found_later(change: impl FnOnce(&mut World), tamper: impl FnOnce(&World, &mut Plan)) -> Vec<Violation> {
    let (world, rules) = market();
    let first = plan(&world.snapshot, &rules, world.snapshot.at, 0);
    let mut world = applied(&world, &first, &rules);
    later(&mut world, at(worlds::MINUTE));
    change(&mut world);
    let mut second = plan(&world.snapshot, &rules, world.snapshot.at, 0);
    assert_eq!(verify(&world.snapshot, &rules, &second), Ok(()), "the plan itself is sound");
    tamper(&world, &mut second);
    verify(&world.snapshot, &rules, &second).expect_err("a broken promise")
}

fn grant(plan: &mut Plan, demand: scheduler::world::DemandId) -> &mut Grant {
    plan.grants.iter_mut().find(|grant| grant.demand == demand).expect("granted")
}

fn device(number: u64) -> DeviceId {
    DeviceId::from_uuid(uuid(number))
}

#[test]
fn the_market_of_these_tests_is_what_it_is_taken_for() {
    let (world, rules) = market();
    let plan = plan(&world.snapshot, &rules, world.snapshot.at, 0);
    let winners: Vec<_> = plan.grants.iter().map(|grant| (grant.demand, grant.why, grant.price)).collect();
    assert_eq!(
        winners,
        [
            (rental(21), Why::OnDemand, cents(500)),
            (bid(11), Why::Market, cents(160)),
            (bid(12), Why::Market, cents(160)),
            (bid(13), Why::Market, cents(160)),
            (job(1), Why::Entitled, cents(100)),
        ]
    );
    assert_eq!(worlds::code(&plan, bid(14)), Code::Outbid);
}

#[test]
fn a_device_granted_twice() {
    let found = found(|plan| {
        let stolen = grant(plan, bid(11)).devices[0];
        grant(plan, bid(13)).devices[0] = stolen;
    });
    assert!(found.iter().any(|found| matches!(found, Violation::DeviceGrantedTwice { .. })), "{found:?}");
}

#[test]
fn a_gang_that_is_not_whole() {
    let found = found(|plan| grant(plan, bid(11)).devices.truncate(1));
    assert!(found.contains(&Violation::DoesNotFit { demand: bid(11), misfit: Misfit::NotWhole }), "{found:?}");
}

#[test]
fn a_gang_over_two_nodes() {
    let found = found(|plan| {
        let other = if grant(plan, bid(11)).devices[0] < device(2000) { device(2003) } else { device(1003) };
        grant(plan, bid(11)).devices[0] = other;
    });
    let elsewhere = |found: &Violation| matches!(found, Violation::DoesNotFit { misfit: Misfit::Elsewhere(_), .. });
    assert!(found.iter().any(elsewhere), "{found:?}");
}

#[test]
fn a_node_that_is_not_ready() {
    let (mut world, rules) = market();
    let plan = plan(&world.snapshot, &rules, world.snapshot.at, 0);
    world.snapshot.nodes[0].state = NodeState::Draining;
    let found = verify(&world.snapshot, &rules, &plan).expect_err("a node that takes nobody");
    let closed = |found: &Violation| matches!(found, Violation::DoesNotFit { misfit: Misfit::NodeNotReady, .. });
    assert!(found.iter().any(closed), "{found:?}");
}

#[test]
fn a_device_that_somebody_holds() {
    let found = found_later(
        |_| {},
        |_, plan| {
            let theirs = grant(plan, bid(11)).clone();
            let mine = grant(plan, bid(12));
            (mine.node, mine.devices, mine.continues) = (theirs.node, theirs.devices, false);
        },
    );
    let taken = |found: &Violation| matches!(found, Violation::DoesNotFit { misfit: Misfit::Taken(_), .. });
    assert!(found.iter().any(taken), "{found:?}");
}

#[test]
fn a_grant_that_nobody_asked_for() {
    let found = found(|plan| grant(plan, bid(11)).demand = bid(99));
    assert!(found.contains(&Violation::NotAskedFor { demand: bid(99) }), "{found:?}");
}

#[test]
fn two_seats_for_one_demand() {
    let found = found(|plan| {
        let again = grant(plan, bid(13)).clone();
        plan.grants.push(again);
    });
    assert!(found.contains(&Violation::TwoSeats { demand: bid(13) }), "{found:?}");
}

#[test]
fn a_gang_that_goes_on_where_it_never_was() {
    let found = found(|plan| grant(plan, bid(13)).continues = true);
    assert!(found.contains(&Violation::NotThere { demand: bid(13) }), "{found:?}");
}

#[test]
fn more_devices_promised_than_there_will_be() {
    let found = found(|plan| {
        let place = grant(plan, bid(11)).clone();
        plan.explanations.retain(|told| told.demand != bid(14));
        let until = at(worlds::MINUTE);
        let waiting =
            Awaiting { demand: bid(14), node: place.node, class: place.class, devices: 2, why: Why::Market, until };
        plan.awaiting.push(waiting);
    });
    assert!(found.iter().any(|found| matches!(found, Violation::PromisedTooMuch { .. })), "{found:?}");
}

#[test]
fn a_price_that_is_not_uniform() {
    let found = found(|plan| grant(plan, bid(11)).price = cents(170));
    assert!(found.contains(&Violation::NotUniform { demand: bid(11) }), "{found:?}");
}

#[test]
fn a_price_above_a_limit() {
    let found = found(|plan| {
        plan.prices[0].price = Some(cents(280));
        plan.grants.iter_mut().filter(|grant| grant.why == Why::Market).for_each(|grant| grant.price = cents(280));
    });
    assert!(found.contains(&Violation::AboveLimit { demand: bid(13) }), "{found:?}");
}

#[test]
fn a_charge_beyond_the_hold() {
    let (mut world, rules) = market();
    let plan = plan(&world.snapshot, &rules, world.snapshot.at, 0);
    for demand in &mut world.snapshot.demands {
        if let scheduler::world::Want::Bid(bid) = &mut demand.want {
            bid.funds = scheduler::world::Micros::new(1);
        }
    }
    let found = verify(&world.snapshot, &rules, &plan).expect_err("nothing is set aside");
    assert!(found.contains(&Violation::AboveLimit { demand: bid(11) }), "{found:?}");
}

#[test]
fn a_price_below_an_ask() {
    let found = found(|plan| {
        plan.prices[0].price = Some(cents(90));
        plan.grants.iter_mut().filter(|grant| grant.why == Why::Market).for_each(|grant| grant.price = cents(90));
    });
    assert!(found.contains(&Violation::BelowAsk { demand: bid(11) }), "{found:?}");
}

#[test]
fn a_price_that_nothing_explains() {
    let found = found(|plan| {
        plan.prices[0].price = Some(cents(165));
        plan.grants.iter_mut().filter(|grant| grant.why == Why::Market).for_each(|grant| grant.price = cents(165));
    });
    assert!(found.contains(&Violation::PriceUnfounded { class: class("a100-80gb") }), "{found:?}");
}

#[test]
fn an_entitled_gang_that_pays_too_much_and_a_rental_that_pays_too_little() {
    let found = found(|plan| {
        grant(plan, job(1)).price = cents(101);
        grant(plan, rental(21)).price = cents(499);
    });
    assert!(found.contains(&Violation::WrongPrice { demand: job(1) }), "{found:?}");
    assert!(found.contains(&Violation::WrongPrice { demand: rental(21) }), "{found:?}");
}

#[test]
fn a_fee_larger_than_the_charge() {
    let (world, rules) = market();
    let plan = plan(&world.snapshot, &rules, world.snapshot.at, 0);
    let greedy = Rules { fee_bps: 10_001, ..rules };
    let found = verify(&world.snapshot, &greedy, &plan).expect_err("providers would pay");
    assert!(found.contains(&Violation::Unbalanced { demand: bid(11) }), "{found:?}");
}

#[test]
fn a_notice_to_who_must_not_get_one() {
    let mut told = RentalId::from_uuid(uuid(0));
    let found = found_later(
        |world| {
            let mut holdings = world.snapshot.holdings.iter_mut();
            let inside_minimum_run = holdings.find(|holding| holding.demand == bid(13)).expect("runs");
            inside_minimum_run.protected_until = At::from_millis(10_000_000);
        },
        |world, plan| {
            plan.grants.retain(|grant| grant.demand != bid(13));
            told = worlds::holding_of(&world.snapshot, bid(13)).expect("runs").rental;
            let notice_until = at(worlds::MINUTE + 30_000);
            let because = EvictionCause::Outbid;
            plan.evictions.push(Eviction { rental: told, demand: bid(13), notice_until, because });
        },
    );
    assert!(found.contains(&Violation::MayNotLeave { rental: told }), "{found:?}");
}

#[test]
fn a_notice_that_is_too_short() {
    let dearer = |world: &mut World| {
        // Everybody on the dear node is now below its floor.
        world.snapshot.nodes[1].asks[0].floor = cents(900);
    };
    let found = found_later(dearer, |_, plan| {
        let eviction = plan.evictions.first_mut().expect("somebody has to leave");
        eviction.notice_until = at(worlds::MINUTE + 1);
    });
    assert!(found.iter().any(|found| matches!(found, Violation::WrongNotice { .. })), "{found:?}");
}

#[test]
fn a_release_before_its_time() {
    let mut released = RentalId::from_uuid(uuid(0));
    let found = found_later(
        |_| {},
        |world, plan| {
            released = world.snapshot.holdings[0].rental;
            plan.releases.push(Release { rental: released, demand: bid(11) });
        },
    );
    assert!(found.contains(&Violation::WrongRelease { rental: released }), "{found:?}");
}

#[test]
fn a_higher_limit_that_is_passed_over() {
    let found = found(|plan| {
        // The place of the lowest winner goes to the loser below it.
        let place = grant(plan, bid(12));
        place.demand = bid(14);
        for told in &mut plan.explanations {
            if told.demand == bid(12) {
                told.code = Code::Outbid;
            } else if told.demand == bid(14) {
                told.code = Code::GrantedMarket;
            }
        }
    });
    assert!(found.contains(&Violation::PassedOver { demand: bid(12), winner: bid(14) }), "{found:?}");
}

#[test]
fn an_owed_job_that_is_passed_over_for_the_market() {
    let found = found(|plan| {
        plan.grants.retain(|grant| grant.demand != job(1));
        for told in &mut plan.explanations {
            if told.demand == job(1) {
                told.code = Code::NoCapacity;
            }
        }
    });
    let passed_over = |found: &Violation| matches!(found, Violation::PassedOver { demand, .. } if *demand == job(1));
    assert!(found.iter().any(passed_over), "{found:?}");
}

#[test]
fn entitled_gangs_beyond_what_the_jobs_own() {
    let none = |world: &mut World| world.snapshot.nodes.truncate(2);
    let found = found_in(none, |plan| {
        for grant in plan.grants.iter_mut().filter(|grant| grant.why == Why::Market) {
            grant.why = Why::Entitled;
        }
    });
    assert!(found.contains(&Violation::BeyondShare { class: class("a100-80gb") }), "{found:?}");
}

#[test]
fn shares_that_add_up_to_more_than_there_is() {
    let found = found(|plan| {
        let standing = plan.fairness.first_mut().expect("a job");
        standing.state = JobFairness { share: standing.state.share * 4, ..standing.state.clone() };
    });
    assert!(found.contains(&Violation::SharesTooLarge), "{found:?}");
}

#[test]
fn a_quota_that_is_exceeded() {
    let (mut world, rules) = market();
    let plan = plan(&world.snapshot, &rules, world.snapshot.at, 0);
    world = world.quota(11, 1);
    let found = verify(&world.snapshot, &rules, &plan).expect_err("two devices on a quota of one");
    let organisation = OrganisationId::from_uuid(uuid(11));
    assert!(found.contains(&Violation::OverQuota { organisation }), "{found:?}");
}

#[test]
fn devices_left_idle() {
    let found = found(|plan| {
        plan.grants.retain(|grant| grant.demand != bid(13));
        for told in &mut plan.explanations {
            if told.demand == bid(13) {
                told.code = Code::NoCapacity;
            }
        }
    });
    assert!(found.iter().any(|found| matches!(found, Violation::LeftIdle { .. })), "{found:?}");
}

#[test]
fn a_demand_that_is_not_told() {
    let found = found(|plan| plan.explanations.retain(|told| told.demand != bid(14)));
    assert!(found.contains(&Violation::NotExplainedOnce { demand: bid(14), count: 0 }), "{found:?}");
}

#[test]
fn a_demand_that_is_told_a_tale() {
    let found = found(|plan| {
        for told in plan.explanations.iter_mut().filter(|told| told.demand == bid(11)) {
            told.code = Code::Outbid;
        }
    });
    assert!(found.contains(&Violation::WrongStory { demand: bid(11) }), "{found:?}");
}
