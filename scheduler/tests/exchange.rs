//! The policy `exchange`: the economics of its fractional answer, and of whole rounds. `SOUK_CASES` says how many lives of rounds.

#![allow(clippy::print_stdout, reason = "figures are what the suite is for")]

mod worlds;

use scheduler::clearing::exchange::economy::{Bidder, Buyer, Economy};
use scheduler::plan::exchanged::{Exchanged, Outcome};
use scheduler::solve::{Answer, Step};
use scheduler::world::{DemandId, Micros, Millis, Rules, SharePolicy, Want};
use scheduler::{Code, Violation, Why, canonical, plan, verify};
use std::collections::BTreeMap;
use worlds::life::{applied, later};
use worlds::random::{Dice, Size, pass_time, random_rules, random_world, shuffled};
use worlds::{MINUTE, World, at, bid, job, rules};

const CLASSES: usize = 3;
const SEEDS: u64 = 200;
/// What the certificate leaves open, relative to all the money: each product of a price and a slack is at most that.
const OPEN: f64 = 2e-6;
/// A logarithm that is right to a millionth leaves a buyer's own numbers open to about the root of that.
const LOOSE: f64 = 0.01;

fn unit(dice: &mut Dice, low: f64, high: f64) -> f64 {
    let thousandths = i32::try_from(dice.range(0, 1001)).expect("small");
    low + (high - low) * f64::from(thousandths) / 1000.0
}

fn economy(dice: &mut Dice, floors: bool) -> Economy {
    let buyer = |dice: &mut Dice| {
        let gang = dice.pick(&[1.0, 2.0, 4.0]);
        let worth: Vec<f64> = (0..CLASSES).map(|_| gang * unit(dice, 0.2, 4.0)).collect();
        let rate = gang * unit(dice, 0.05, 1.0);
        let floor = if floors { worth.iter().copied().fold(0.0, f64::max) * 0.02 } else { 0.0 };
        Buyer { rate, worth, gang, floor }
    };
    let bidder = |dice: &mut Dice| Bidder {
        limit: unit(dice, 0.2, 4.0),
        accepts: (0..CLASSES).map(|_| dice.chance(60)).collect(),
        gang: dice.pick(&[1.0, 2.0, 4.0]),
    };
    let buyers = (0..dice.range(1, 25)).map(|_| buyer(dice)).collect();
    let bidders = (0..dice.range(0, 25)).map(|_| bidder(dice)).collect();
    let step = |dice: &mut Dice| Step { ask: unit(dice, 0.1, 1.5), devices: unit(dice, 1.0, 8.0) };
    let asks = (0..CLASSES).map(|_| (0..3).map(|_| step(dice)).collect()).collect();
    Economy { buyers, bidders, asks }
}

fn cleared(seed: u64, floors: bool) -> (Economy, Answer) {
    let economy = economy(&mut Dice::new(seed), floors);
    let answer = economy.clear().expect("a proof").answer;
    (economy, answer)
}

fn money(economy: &Economy, answer: &Answer) -> f64 {
    let bids: f64 = answer.rates[economy.buyers.len()..].iter().sum();
    1.0 + bids + economy.buyers.iter().map(|it| it.rate).sum::<f64>()
}

fn row(answer: &Answer, row: usize) -> &[f64] {
    &answer.x[row * CLASSES..(row + 1) * CLASSES]
}

fn time(answer: &Answer, of: usize) -> f64 {
    row(answer, of).iter().sum()
}

#[test]
fn sellers_below_the_price_are_sold_out_and_none_sells_below_its_ask() {
    for seed in 0..SEEDS {
        let (economy, answer) = cleared(seed, seed % 2 == 0);
        let open = OPEN * money(&economy, &answer);
        for (class, steps) in economy.asks.iter().enumerate() {
            for (step, sold) in steps.iter().zip(&answer.sold[class]) {
                let over = answer.prices[class] - step.ask;
                assert!(over.max(0.0) * (step.devices - sold) <= open, "seed {seed}: unsold at {over} below the price");
                assert!((-over).max(0.0) * sold <= open, "seed {seed}: sold {sold} at {over} below its ask");
            }
        }
    }
}

#[test]
fn bids_run_where_they_offer_the_price_and_are_out_where_they_do_not() {
    let mut out = 0;
    for seed in 0..SEEDS {
        let (economy, answer) = cleared(seed, seed % 2 == 0);
        let open = OPEN * money(&economy, &answer);
        for (at, it) in economy.bidders.iter().enumerate() {
            let of = economy.buyers.len() + at;
            for (class, x) in row(&answer, of).iter().enumerate() {
                let short = (answer.prices[class] - it.limit).max(0.0);
                assert!(short * it.gang * x <= open, "seed {seed}: bid {at} runs {x} at {short} above its limit");
                let spare = if it.accepts[class] { (it.limit - answer.prices[class]).max(0.0) } else { 0.0 };
                assert!(spare * it.gang * (1.0 - time(&answer, of)) <= open, "seed {seed}: bid {at} is out by {spare}");
            }
            out += usize::from(time(&answer, of) < 1e-3);
        }
    }
    assert!(out > 100, "{out} bids lost: nothing was looked at");
}

#[test]
fn buyers_spend_their_rate_unless_their_time_is_full_or_their_limit_stops_them() {
    let mut spent = 0;
    for seed in 0..SEEDS {
        let (economy, answer) = cleared(seed, false);
        for (of, it) in economy.buyers.iter().enumerate() {
            let paid: f64 = row(&answer, of).iter().zip(&answer.prices).map(|(x, price)| it.gang * price * x).sum();
            let dearest = it.worth.iter().zip(&answer.prices).map(|(worth, price)| it.gang * price / worth);
            let stopped = dearest.fold(f64::INFINITY, f64::min) >= 1.0 - LOOSE;
            let full = time(&answer, of) >= 1.0 - LOOSE;
            let all = (paid - it.rate).abs() <= LOOSE * it.rate;
            assert!(all || full || stopped, "seed {seed}: buyer {of} pays {paid} of {}", it.rate);
            assert!(paid <= it.rate * (1.0 + LOOSE), "seed {seed}: buyer {of} pays {paid} of {}", it.rate);
            spent += usize::from(all && !full && !stopped);
        }
    }
    assert!(spent > 100, "{spent} spent all: nothing was looked at");
}

#[test]
fn floors_are_kept_whatever_others_pay() {
    let mut subsidised = 0;
    for seed in 0..SEEDS {
        let (economy, answer) = cleared(seed, true);
        for (of, it) in economy.buyers.iter().enumerate() {
            assert!(answer.rates[of] >= it.floor * (1.0 - 1e-6), "seed {seed}: buyer {of} has {}", answer.rates[of]);
            subsidised += usize::from(answer.subsidies[of] > LOOSE);
        }
    }
    assert!(subsidised > 10, "{subsidised} subsidies: nothing was looked at");
}

/// Equal rates, no bids, free devices: nobody prefers another's time, unless its own is full.
#[test]
fn equal_rates_are_an_equilibrium_from_equal_incomes() {
    let (mut looked, mut envy_of_full) = (0, 0.0_f64);
    for seed in 0..SEEDS {
        let dice = &mut Dice::new(seed);
        let count = usize::try_from(dice.range(4, 16)).expect("few");
        let worth = |dice: &mut Dice| (0..CLASSES).map(|_| 100.0 * unit(dice, 0.2, 4.0)).collect();
        let buyers: Vec<Buyer> =
            (0..count).map(|_| Buyer { rate: 1.0, worth: worth(dice), gang: 1.0, floor: 0.0 }).collect();
        let asks: Vec<Vec<Step>> =
            (0..CLASSES).map(|_| vec![Step { ask: 0.0, devices: unit(dice, 0.2, 2.0) }]).collect();
        let economy = Economy { buyers, bidders: Vec::new(), asks };
        let cleared = economy.clear().expect("a proof");
        let answer = &cleared.answer;
        let any_full = (0..count).any(|of| time(answer, of) >= 1.0 - 1e-3);
        for (of, it) in economy.buyers.iter().enumerate() {
            let of_row = |x: &[f64]| x.iter().zip(&it.worth).map(|(x, worth)| x * worth).sum::<f64>();
            let own = of_row(row(answer, of));
            let envy = (0..count).map(|other| of_row(row(answer, other)) / own - 1.0).fold(0.0, f64::max);
            // With equal rates what another's devices would do is what as much spending on them does, or more.
            assert!(cleared.envy(&economy, of) >= envy - LOOSE, "seed {seed}: {of}");
            if time(answer, of) >= 1.0 - 1e-3 {
                envy_of_full = envy_of_full.max(envy);
                continue;
            }
            assert!(envy <= LOOSE, "seed {seed}: {of} envies by {envy}");
            if !any_full {
                looked += 1;
                let parts: Vec<f64> = economy
                    .asks
                    .iter()
                    .map(|steps| steps[0].devices / f64::from(u32::try_from(count).unwrap()))
                    .collect();
                let alone = of_row(&parts);
                assert!(own >= alone * (1.0 - LOOSE), "seed {seed}: {of} has {own}, an equal part is {alone}");
            }
        }
    }
    println!("the most that a job whose time is full envies another: {envy_of_full:.3}");
    assert!(looked > 100, "{looked}: nothing was looked at");
}

fn under_exchange(phi_ppm: i32) -> Rules {
    Rules { share_policy: SharePolicy::Exchange, phi_ppm, notice: Millis::ZERO, restart: Millis::ZERO, ..rules() }
}

fn with_budgets(world: World, budgets: [i64; 2]) -> World {
    world.change(|snapshot| {
        let jobs = snapshot.demands.iter_mut().filter_map(|demand| match &mut demand.want {
            Want::Job(job) => Some(job),
            Want::Bid(_) | Want::OnDemand(_) => None,
        });
        jobs.zip(budgets).for_each(|(job, units)| job.budget_left = Micros::new(units * 1_000_000));
    })
}

/// Rounds of a hundred by demand and right.
fn hundred(mut world: World, rules: &Rules) -> BTreeMap<(DemandId, Why), u32> {
    let mut rounds = BTreeMap::new();
    for round in 0..100 {
        later(&mut world, at(round * MINUTE));
        let planned = plan(&world.snapshot, rules, world.snapshot.at, 0);
        assert_eq!(verify(&world.snapshot, rules, &planned), Ok(()), "round {round}");
        planned.grants.iter().for_each(|grant| *rounds.entry((grant.demand, grant.why)).or_insert(0) += 1);
        world = applied(&world, &planned, rules);
    }
    rounds
}

fn near(found: u32, expected: u32) -> bool {
    found.abs_diff(expected) <= 2
}

#[test]
fn a_larger_budget_buys_what_a_smaller_one_is_not_guaranteed() {
    // Limits of 30 and 10 per hour; at 20 per hour the second is priced out, and keeps nine tenths of its half.
    let world = World::new().node(1, "a100-80gb", 1, 100);
    let world = world.job(101, 1, &[("a100-80gb", 1000)]).job(102, 1, &[("a100-80gb", 1000)]);
    let rounds = hundred(with_budgets(world, [3000, 1000]), &under_exchange(1_000_000));
    let of = |number| rounds.get(&(job(number), Why::Entitled)).copied().unwrap_or(0);
    assert!(near(of(101), 55) && near(of(102), 45), "{rounds:?}");
}

#[test]
fn a_bid_above_the_limits_of_jobs_has_what_is_not_guaranteed_to_them() {
    let world = World::new().node(1, "a100-80gb", 1, 100);
    let world = world.job(101, 1, &[("a100-80gb", 1000)]).job(102, 1, &[("a100-80gb", 1000)]);
    let world = with_budgets(world, [1000, 1000]).bid(7, &["a100-80gb"], 1, 5000);
    let rounds = hundred(world, &under_exchange(1_000_000));
    assert!(near(rounds.get(&(bid(7), Why::Market)).copied().unwrap_or(0), 10), "{rounds:?}");
}

/// A life of rounds: each is verified, does not depend on the order of its snapshot, and is looked at by `each`, with whether it
/// settles.
fn life(seed: u64, mut each: impl FnMut(&World, &scheduler::Plan, bool)) {
    let dice = &mut Dice::new(seed);
    let size = Size { nodes: dice.range(1, 10), demands: dice.range(1, 40), odd: 0 };
    let rules = Rules { share_policy: SharePolicy::Exchange, ..random_rules(dice) };
    let mut world = random_world(dice, size);
    for round in 0..6 {
        let now = world.snapshot.at;
        let planned = plan(&world.snapshot, &rules, now, seed);
        assert_eq!(verify(&world.snapshot, &rules, &planned), Ok(()), "seed {seed}, round {round}");
        let other = plan(&shuffled(&world, dice).snapshot, &rules, now, seed);
        assert_eq!(canonical(&planned).expect("json"), canonical(&other).expect("json"), "seed {seed}, round {round}");
        let settled = applied(&world, &planned, &rules);
        let again = plan(&settled.snapshot, &rules, now, seed);
        assert_eq!(verify(&settled.snapshot, &rules, &again), Ok(()), "seed {seed}, round {round}, again");
        each(&world, &planned, again.evictions.is_empty() && again.grants.iter().all(|grant| grant.continues));
        world = pass_time(settled, dice, size);
    }
}

#[test]
fn whole_rounds_are_verified_ordered_settled_and_explained() {
    let (mut losers, mut outcomes, mut subsidised, mut envy) = (0, BTreeMap::new(), 0, 0);
    let (mut rounds, mut unsettled) = (0_u64, 0_u64);
    for seed in 0..cases(100) {
        life(seed, |world, planned, settles| {
            losers += losing_bids(world, planned);
            if let Some(told) = &planned.exchange {
                *outcomes.entry(told.outcome).or_insert(0) += 1;
                subsidised += usize::from(!told.subsidies.is_empty());
                envy = envy.max(told.envy_ppm);
            }
            (rounds, unsettled) = (rounds + 1, unsettled + u64::from(!settles));
        });
    }
    println!(
        "{rounds} rounds, {unsettled} unsettled; {outcomes:?}, {subsidised} with subsidies; the most envy is {envy} millionths"
    );
    // Nothing proves it: decisions can chase each other for longer than they are looked at (`steady.rs`).
    assert!(unsettled <= rounds / 100_000, "{unsettled} of {rounds} rounds");
    assert!(losers > 100 && subsidised > 100, "{losers} lost, {subsidised} subsidised: nothing was looked at");
}

#[test]
fn lives_that_once_did_not_settle_do() {
    for seed in [5234, 5432, 8722, 10_506, 12_010, 14_167, 16_328] {
        life(seed, |_, _, settles| assert!(settles, "seed {seed}"));
    }
}

/// How many random lives: `SOUK_CASES`, or so many.
#[expect(clippy::disallowed_methods, reason = "how long to search is not a setting of the market")]
fn cases(usual: u64) -> u64 {
    let asked = std::env::var("SOUK_CASES").ok();
    asked.map_or(usual, |count| count.parse().expect("SOUK_CASES is a number of random lives"))
}

/// Bids that have nothing: none is told that it was outbid while its limit is above every price that it accepts.
fn losing_bids(world: &World, planned: &scheduler::Plan) -> usize {
    let mut losers = 0;
    for demand in &world.snapshot.demands {
        let Want::Bid(listed) = &demand.want else { continue };
        let told = planned.explanations.iter().find(|it| it.demand == demand.id()).expect("one explanation");
        let outbid = planned.prices.iter().filter(|row| listed.classes.contains(&row.class));
        let outbid = outbid.filter_map(|row| row.price).any(|price| price >= listed.limit);
        assert!(told.code != Code::Outbid || outbid, "{told:?}");
        losers += usize::from(matches!(told.code, Code::Outbid | Code::GangDoesNotFit));
    }
    losers
}

/// A round of two jobs and two bids, one of which loses, on two asks; what the exchange found is recorded.
fn recorded(budgets: [i64; 2]) -> (World, Rules, scheduler::Plan) {
    let world = World::new().node(1, "a100-80gb", 2, 100).node(2, "a100-80gb", 1, 2000);
    let world = world.job(101, 1, &[("a100-80gb", 1000)]).job(102, 1, &[("a100-80gb", 1000)]);
    let world = with_budgets(world, budgets).bid(7, &["a100-80gb"], 1, 1500).bid(8, &["a100-80gb"], 1, 900);
    let rules = under_exchange(1_000_000);
    let planned = plan(&world.snapshot, &rules, at(0), 0);
    assert_eq!(verify(&world.snapshot, &rules, &planned), Ok(()));
    (world, rules, planned)
}

#[test]
fn what_the_programme_found_is_recorded() {
    let (_, _, planned) = recorded([3000, 500]);
    let told = planned.exchange.expect("an exchange");
    assert_eq!(told.outcome, Outcome::Cleared);
    let [row] = &told.classes[..] else { panic!("{told:?}") };
    // Two devices below 20 an hour. The bid at 15 makes the price: the poor job's floor leaves it a part of a device.
    assert!((row.price - 15_000_000).abs() <= 1, "{row:?}");
    assert!((row.to_jobs + row.to_bids - 2000).abs() <= 2 && row.to_bids > 0, "{row:?}");
    // The poor job, whose limit is 5, has nine tenths of its share, and others pay the 10 that it does not.
    let [subsidy] = &told.subsidies[..] else { panic!("{told:?}") };
    assert_eq!(DemandId::Job(subsidy.job), job(102));
}

type Change = fn(&mut Exchanged);

#[test]
fn a_record_that_asks_limits_and_budgets_do_not_bear_out_is_refused() {
    // Two poor jobs: what they do not pay themselves is all subsidy.
    let poor = || recorded([500, 500]);
    let changes: [(&str, Change); 9] = [
        ("a price above a bid that runs", |told| told.classes[0].price += 2_000_000),
        ("a price below a bid that does not", |told| told.classes[0].price -= 8_000_000),
        ("a seller below its ask", |told| told.classes[0].to_jobs += 500),
        ("a seller left out", |told| told.classes[0].to_jobs -= 500),
        ("more than there is", |told| told.classes[0].to_bids += 2000),
        ("a class left out", |told| told.classes.clear()),
        ("a subsidy left out", |told| told.subsidies.clear()),
        ("a subsidy for nobody", |told| told.subsidies[0].job = scheduler::world::JobId::from_uuid(worlds::uuid(7))),
        ("prices of nothing", |told| told.outcome = Outcome::EqualParts),
    ];
    for (what, change) in changes {
        let (world, rules, mut planned) = poor();
        change(planned.exchange.as_mut().expect("an exchange"));
        let found = verify(&world.snapshot, &rules, &planned).expect_err(what);
        assert!(found.iter().all(|it| matches!(it, Violation::ExchangeUnfounded { .. })), "{what}: {found:?}");
    }
    let (world, rules, mut planned) = poor();
    planned.exchange = None;
    assert!(verify(&world.snapshot, &rules, &planned).is_err(), "nothing told");
    let (world, rules, planned) = poor();
    let other = Rules { share_policy: SharePolicy::Nash, ..rules };
    let found = verify(&world.snapshot, &other, &planned).expect_err("no exchange");
    assert!(found.iter().any(|it| matches!(it, Violation::ExchangeUnfounded { .. })), "{found:?}");
}
