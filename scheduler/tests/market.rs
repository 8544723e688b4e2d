//! The market's rules on worlds small enough to check by hand, each with its literal numbers.

mod worlds;

use scheduler::plan::EvictionCause;
use scheduler::world::{At, Bid, BidId, Demand, Micros, Millis, NodeState, OrganisationId, Rules, Want};
use scheduler::{Code, Plan, Why, dry_run, on_demand_room, plan, verify};
use worlds::life::{applied, later};
use worlds::{MINUTE, World, at, bid, cents, class, code, explanation, job, price, rental, rules, uuid};

const A100: &str = "a100-80gb";
const H100: &str = "h100-80gb";

/// A plan that passes the verifier.
fn sound(world: &World, rules: &Rules) -> Plan {
    let plan = plan(&world.snapshot, rules, world.snapshot.at, 0);
    assert_eq!(verify(&world.snapshot, rules, &plan), Ok(()));
    plan
}

/// The world after a sound plan was applied and a minute has passed, and that plan.
fn lived(world: World, rules: &Rules) -> (World, Plan) {
    let plan = sound(&world, rules);
    let mut world = applied(&world, &plan, rules);
    let next = at(world.snapshot.at.millis() + MINUTE);
    later(&mut world, next);
    (world, plan)
}

fn granted(plan: &Plan, demand: scheduler::world::DemandId) -> Option<(u128, Why, i64)> {
    let grant = plan.grants.iter().find(|grant| grant.demand == demand)?;
    Some((grant.node.uuid().as_u128(), grant.why, grant.price.micros() / 10_000))
}

// ---------------------------------------------------------------- prices

#[test]
fn without_contention_the_price_is_the_lowest_floor_that_is_sold() {
    let world = World::new().node(1, A100, 4, 120).node(2, A100, 4, 90).bid(1, &[A100], 2, 400);
    let plan = sound(&world, &rules());
    assert_eq!(granted(&plan, bid(1)), Some((2, Why::Market, 90)));
    assert_eq!(price(&plan, A100), Some(900_000));
}

#[test]
fn under_contention_it_is_the_highest_limit_that_lost() {
    let world =
        World::new().node(1, A100, 2, 90).bid(1, &[A100], 1, 400).bid(2, &[A100], 1, 300).bid(3, &[A100], 1, 210);
    let plan = sound(&world, &rules());
    assert_eq!(granted(&plan, bid(1)), Some((1, Why::Market, 210)));
    assert_eq!(granted(&plan, bid(2)), Some((1, Why::Market, 210)));
    let told = explanation(&plan, bid(3));
    assert_eq!(told.code, Code::Outbid);
    assert_eq!((told.numbers.price, told.numbers.limit), (Some(cents(210)), Some(cents(210))));
    assert_eq!(told.numbers.limit_to_win.map(|price| price.micros()), Some(3_000_001));
}

#[test]
fn the_dearest_ask_that_is_sold_is_the_least_price_for_all() {
    let world = World::new().node(1, A100, 1, 90).node(2, A100, 1, 150).bid(1, &[A100], 1, 400).bid(2, &[A100], 1, 300);
    let plan = sound(&world, &rules());
    assert_eq!(price(&plan, A100), Some(1_500_000));
    assert_eq!(plan.prices[0].marginal_ask, Some(cents(150)));
    assert_eq!(plan.prices[0].marginal_limit, Some(cents(300)));
}

#[test]
fn an_ask_above_a_limit_is_not_sold_to_it() {
    let world = World::new().node(1, A100, 4, 150).bid(1, &[A100], 1, 149);
    let plan = sound(&world, &rules());
    assert_eq!(code(&plan, bid(1)), Code::Outbid);
    assert_eq!(explanation(&plan, bid(1)).numbers.limit_to_win, Some(cents(150)));
    assert_eq!(price(&plan, A100), Some(1_500_000), "what the next gang would pay");
}

#[test]
fn equal_limits_go_to_who_came_first() {
    let world = World::new().node(1, A100, 1, 90).bid(8, &[A100], 1, 200).bid(5, &[A100], 1, 200);
    let plan = sound(&world, &rules());
    assert!(granted(&plan, bid(5)).is_some());
    assert_eq!(code(&plan, bid(8)), Code::Outbid);
    assert_eq!(price(&plan, A100), Some(2_000_000));
}

#[test]
fn a_bid_on_several_classes_runs_on_the_cheapest() {
    let world = World::new().node(1, A100, 4, 90).node(2, H100, 4, 200).bid(1, &[A100, H100], 2, 400);
    assert_eq!(granted(&sound(&world, &rules()), bid(1)), Some((1, Why::Market, 90)));
}

#[test]
fn who_accepts_another_class_makes_room_for_who_does_not() {
    let world =
        World::new().node(1, A100, 1, 90).node(2, H100, 1, 120).bid(1, &[A100, H100], 1, 400).bid(2, &[A100], 1, 300);
    let plan = sound(&world, &rules());
    assert_eq!(granted(&plan, bid(1)), Some((2, Why::Market, 120)));
    assert_eq!(granted(&plan, bid(2)), Some((1, Why::Market, 90)));
}

#[test]
fn limits_above_the_cap_count_as_the_cap() {
    let rules = Rules { limit_cap: cents(250), ..rules() };
    let world = World::new().node(1, A100, 1, 90).bid(1, &[A100], 1, 900).bid(2, &[A100], 1, 300);
    assert_eq!(price(&sound(&world, &rules), A100), Some(2_500_000));
}

// ---------------------------------------------------------------- gangs

#[test]
fn two_halves_on_two_nodes_are_no_gang() {
    let world = World::new().node(1, A100, 2, 90).node(2, A100, 2, 90).bid(1, &[A100], 4, 400);
    let plan = sound(&world, &rules());
    let told = explanation(&plan, bid(1));
    assert_eq!((told.code, told.numbers.largest_free_block), (Code::GangDoesNotFit, Some(2)));
    assert!(plan.grants.is_empty());
}

#[test]
fn a_gang_that_does_not_fit_does_not_make_the_price() {
    let world =
        World::new().node(1, A100, 3, 90).bid(1, &[A100], 4, 500).bid(2, &[A100], 2, 300).bid(3, &[A100], 1, 200);
    let plan = sound(&world, &rules());
    assert_eq!(code(&plan, bid(1)), Code::GangDoesNotFit);
    assert_eq!(price(&plan, A100), Some(900_000));
}

#[test]
fn a_gang_takes_the_tightest_block_among_equal_asks() {
    let world = World::new().node(1, A100, 8, 90).node(2, A100, 3, 90).bid(1, &[A100], 2, 400);
    assert_eq!(granted(&sound(&world, &rules()), bid(1)), Some((2, Why::Market, 90)));
}

#[test]
fn a_provider_that_lets_in_large_gangs_only_is_left_alone_by_small_ones() {
    let world = World::new().node(1, A100, 8, 50).node(2, A100, 4, 90).bid(1, &[A100], 2, 400);
    let world = world.change(|snapshot| snapshot.nodes[0].asks[0].min_chunk = 4);
    assert_eq!(granted(&sound(&world, &rules()), bid(1)), Some((2, Why::Market, 90)));
}

// ---------------------------------------------------------------- notices

#[test]
fn a_higher_limit_takes_over_after_the_notice() {
    let world = World::new().node(1, A100, 1, 90).bid(1, &[A100], 1, 200);
    let (world, _) = lived(world, &rules());
    let (world, plan) = lived(world.bid(2, &[A100], 1, 300), &rules());
    assert_eq!(plan.evictions.len(), 1);
    assert_eq!(plan.evictions[0].notice_until, at(MINUTE + 30_000));
    assert_eq!(plan.evictions[0].because, EvictionCause::Outbid);
    assert_eq!(code(&plan, bid(1)), Code::Outbid);
    let told = explanation(&plan, bid(2));
    assert_eq!((told.code, told.numbers.until), (Code::AwaitingNotice, Some(at(MINUTE + 30_000))));

    let plan = sound(&world, &rules());
    assert_eq!(plan.releases.len(), 1, "the notice has run out");
    assert_eq!(granted(&plan, bid(2)), Some((1, Why::Market, 200)));
    assert_eq!(code(&plan, bid(1)), Code::Outbid, "and the bid is back in the book");
}

#[test]
fn a_gang_that_waits_keeps_its_place_over_early_rounds() {
    let world = World::new().node(1, A100, 1, 90).node(2, A100, 1, 90).bid(1, &[A100], 1, 200).bid(2, &[A100], 1, 210);
    let (world, _) = lived(world, &rules());
    let first = sound(&world.clone().bid(3, &[A100], 1, 300), &rules());
    let mut world = applied(&world.bid(3, &[A100], 1, 300), &first, &rules());
    for second in 61..90 {
        later(&mut world, at(second * 1000));
        let plan = sound(&world, &rules());
        assert_eq!(plan.awaiting, first.awaiting, "second {second}");
        assert!(plan.evictions.is_empty());
        world = applied(&world, &plan, &rules());
    }
}

#[test]
fn nobody_is_sent_away_inside_the_minimum_run() {
    let rules = Rules { min_run: Millis::new(10 * MINUTE), ..rules() };
    let world = World::new().node(1, A100, 1, 90).bid(1, &[A100], 1, 200);
    let (world, _) = lived(world, &rules);
    let plan = sound(&world.bid(2, &[A100], 1, 300), &rules);
    assert!(plan.evictions.is_empty());
    let told = explanation(&plan, bid(2));
    assert_eq!((told.code, told.numbers.until), (Code::MinRunProtected, Some(at(10 * MINUTE))));
    assert_eq!(code(&plan, bid(1)), Code::MinRunProtected, "it stays at the price it has, which is below the round's");
}

#[test]
fn a_running_gang_stays_where_it_is() {
    let world = World::new().node(1, A100, 4, 90).node(2, A100, 4, 90).bid(1, &[A100], 2, 200);
    let (world, first) = lived(world, &rules());
    let (_, second) = lived(world.bid(2, &[A100], 4, 200), &rules());
    assert!(second.grants.iter().any(|grant| grant.demand == bid(1) && grant.continues));
    assert_eq!(first.grants[0].devices, second.grants[0].devices);
}

#[test]
fn a_gang_leaves_the_dearest_ask_for_a_much_cheaper_one() {
    let world = World::new().node(1, A100, 4, 150).bid(1, &[A100], 2, 400);
    let (world, _) = lived(world, &rules());
    let (world, plan) = lived(world.node(2, A100, 4, 80), &rules());
    assert_eq!(plan.evictions[0].because, EvictionCause::Moved);
    assert_eq!(code(&plan, bid(1)), Code::AwaitingNotice);
    assert_eq!(granted(&sound(&world, &rules()), bid(1)), Some((2, Why::Market, 80)));
}

#[test]
fn a_small_saving_is_not_worth_a_restart() {
    let world = World::new().node(1, A100, 4, 100).bid(1, &[A100], 2, 400);
    let (world, _) = lived(world, &rules());
    let plan = sound(&world.node(2, A100, 4, 85), &rules());
    assert_eq!(granted(&plan, bid(1)), Some((1, Why::Market, 100)));
}

#[test]
fn a_draining_node_gives_notice_and_takes_nobody() {
    let world = World::new().node(1, A100, 4, 90).node(2, A100, 4, 120).bid(1, &[A100], 2, 200);
    let (world, _) = lived(world, &rules());
    let world = world.change(|snapshot| snapshot.nodes[0].state = NodeState::Draining);
    let plan = sound(&world.bid(2, &[A100], 1, 300), &rules());
    assert_eq!(plan.evictions[0].because, EvictionCause::Withdrawn);
    assert_eq!(granted(&plan, bid(2)).map(|(node, ..)| node), Some(2));
    assert_eq!(plan.awaiting[0].node.uuid().as_u128(), 2);
}

// ---------------------------------------------------------------- rights

#[test]
fn the_posted_price_sends_the_lowest_limit_away() {
    let world = World::new().node(1, A100, 2, 90).bid(1, &[A100], 1, 200).bid(2, &[A100], 1, 300);
    let (world, _) = lived(world, &rules());
    let plan = sound(&world.on_demand(9, 1, A100, 1), &rules());
    assert_eq!(plan.evictions.len(), 1);
    assert_eq!((plan.evictions[0].demand, plan.evictions[0].because), (bid(1), EvictionCause::OnDemand));
    assert_eq!(code(&plan, rental(9)), Code::AwaitingNotice);
}

#[test]
fn the_posted_price_does_not_eat_into_what_jobs_own() {
    let world = World::new().node(1, A100, 8, 90).job(1, 4, &[(A100, 4000)]);
    let room = on_demand_room(&world.snapshot, &rules(), at(0));
    assert_eq!(room.get(&class(A100)), Some(&4), "half of eight is the jobs'");
    let plan = sound(&world.clone().on_demand(9, 1, A100, 5), &rules());
    assert_eq!(code(&plan, rental(9)), Code::GangDoesNotFit);
    let plan = sound(&world.on_demand(9, 1, A100, 4), &rules());
    assert_eq!(granted(&plan, rental(9)), Some((1, Why::OnDemand, 500)));
    assert_eq!(granted(&plan, job(1)), Some((1, Why::Entitled, 90)));
}

#[test]
fn what_is_owed_goes_before_the_market() {
    let rules = Rules { phi_ppm: 1_000_000, ..rules() };
    let world = World::new().node(1, A100, 4, 90).bid(1, &[A100], 4, 300);
    let (world, _) = lived(world, &rules);
    let plan = sound(&world.job(2, 4, &[(A100, 4000)]), &rules);
    assert_eq!((plan.evictions[0].demand, plan.evictions[0].because), (bid(1), EvictionCause::Entitled));
    assert_eq!(code(&plan, job(2)), Code::AwaitingNotice);
}

#[test]
fn idle_devices_run_jobs_at_the_entitlement_price() {
    let rules = Rules { phi_ppm: 0, ..rules() };
    let world = World::new().node(1, A100, 4, 90).job(2, 4, &[(A100, 4000)]);
    let plan = sound(&world, &rules);
    assert_eq!(granted(&plan, job(2)), Some((1, Why::Idle, 90)));
}

#[test]
fn a_job_beyond_its_share_buys_on_the_market_what_its_budget_can_bear() {
    let rules = Rules { phi_ppm: 0, ..rules() };
    let world = World::new().node(1, A100, 4, 90).job(1, 4, &[(A100, 4000)]).bid(2, &[A100], 4, 200);
    let rich = sound(&world, &rules);
    assert_eq!(granted(&rich, job(1)), Some((1, Why::Market, 200)), "the bid's limit is the price");
    // 100 hours of work on 4 devices for 700: 1.75 an hour and device.
    let poor = world.change(|snapshot| {
        for demand in &mut snapshot.demands {
            if let Want::Job(job) = &mut demand.want {
                job.budget_left = Micros::new(700_000_000);
            }
        }
    });
    let poor = sound(&poor, &rules);
    assert_eq!(granted(&poor, bid(2)), Some((1, Why::Market, 175)));
    let told = explanation(&poor, job(1));
    assert_eq!((told.code, told.numbers.limit), (Code::Outbid, Some(cents(175))));
}

#[test]
fn the_posted_entitlement_price_is_paid_and_never_less_than_the_floor() {
    let rules = Rules { phi_ppm: 1_000_000, ..rules() };
    let world = World::new().node(1, A100, 2, 90).node(2, A100, 2, 130).job(1, 2, &[(A100, 1)]).job(2, 2, &[(A100, 1)]);
    let world = world.change(|snapshot| snapshot.classes[0].entitlement_price = Some(cents(100)));
    let plan = sound(&world, &rules);
    let prices: Vec<i64> =
        [job(1), job(2)].into_iter().filter_map(|job| granted(&plan, job)).map(|(.., price)| price).collect();
    assert_eq!(prices, [100, 130]);
}

#[test]
fn who_cannot_pay_pauses_and_who_is_over_quota_waits() {
    let world = World::new().node(1, A100, 8, 90).bid(1, &[A100], 1, 200).bid(2, &[A100], 2, 300).quota(2, 1);
    let world = world.change(|snapshot| {
        if let Want::Bid(bid) = &mut snapshot.demands[0].want {
            bid.funds = Micros::new(33_333); // a minute at 2.00 costs 33,333.3
        }
    });
    let plan = sound(&world, &rules());
    assert_eq!(code(&plan, bid(1)), Code::BudgetPaused);
    let told = explanation(&plan, bid(2));
    assert_eq!(told.code, Code::OverQuota);
    assert_eq!(told.numbers.quota.map(|quota| (quota.held, quota.allowed)), Some((0, 1)));
}

#[test]
fn a_rental_that_nobody_lists_keeps_its_devices() {
    let world = World::new().node(1, A100, 2, 90).on_demand(9, 1, A100, 2);
    let (world, plan) = lived(world, &rules());
    assert_eq!(code(&plan, rental(9)), Code::GrantedOnDemand);
    let plan = sound(&world.bid(1, &[A100], 1, 900), &rules());
    assert_eq!(code(&plan, bid(1)), Code::NoCapacity);
    assert!(plan.evictions.is_empty());
}

// ---------------------------------------------------------------- dry run

#[test]
fn the_limit_that_would_win_wins_and_one_micro_less_does_not() {
    let world =
        World::new().node(1, A100, 4, 90).bid(1, &[A100], 2, 200).bid(2, &[A100], 2, 300).bid(3, &[A100], 2, 150);
    let ask = |micros: i64| {
        let bid = Bid {
            bid: BidId::from_uuid(uuid(7)),
            classes: vec![class(A100)],
            gang: 2,
            limit: scheduler::world::PricePerHour::from_micros(micros).expect("positive"),
            funds: Micros::new(1_000_000_000),
            ends_at: None,
        };
        let owner = OrganisationId::from_uuid(uuid(7));
        let demand = Demand { owner, arrived_at: At::from_millis(100), want: Want::Bid(bid) };
        dry_run(&world.snapshot, &rules(), at(0), 0, demand)
    };
    let low = ask(1_000_000);
    assert!(!low.would_win);
    assert_eq!((low.price, low.limit_to_win.map(|limit| limit.micros())), (Some(cents(150)), Some(2_000_001)));
    assert!(!ask(2_000_000).would_win, "the other came first");
    let high = ask(2_000_001);
    assert!(high.would_win);
    assert_eq!((high.price, high.starts_at), (Some(cents(200)), Some(at(0))));
}

#[test]
fn the_book_is_told_in_bands() {
    let world = (1..=100).fold(World::new().node(1, A100, 4, 90), |world, number| {
        let limit = 100 + i64::try_from(number).expect("small") * 3;
        world.bid(number, &[A100], 1, limit)
    });
    let plan = sound(&world, &rules());
    let depth = &plan.depth[0];
    assert_eq!((depth.bids.len(), depth.step), (20, 160_000));
    assert_eq!(depth.bids.iter().map(|band| band.devices).sum::<i32>(), 100);
    assert!(depth.bids.is_sorted_by_key(|band| std::cmp::Reverse(band.price)));
    assert_eq!(depth.asks.len(), 1);
}
