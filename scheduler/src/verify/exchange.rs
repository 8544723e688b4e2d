//! The record of an exchange against the snapshot: asks, limits and budgets must bear out its prices.
//!
//! A price is right if nobody wants to trade at it who does not: complementary slackness. The record tells what jobs and bids
//! bought together, not who bought what, so the least slack is looked for that any division among them could have: sales go to
//! the lowest asks, purchases to the highest limits. What remains is money that somebody leaves on the table at these prices, and of that the
//! programme's proof allows a few millionths of all the money.

use super::Violation;
use super::case::Case;
use crate::plan::Why;
use crate::plan::exchanged::{ClassExchanged, Exchanged, Outcome};
use crate::world::{Bid, ClassId, Demand, DemandId, DeviceId, Job, JobId, SharePolicy, Want};
use std::collections::{BTreeMap, BTreeSet};

/// What may be left on the table, in millionths of all the money: four times the certificate's gap.
const OPEN_PPM: i128 = 4;
/// What jobs may pay beyond their rates and subsidies: logarithms are right to a millionth, single payments to the root of it.
const LOOSE_PERCENT: i128 = 1;
/// Thousandths of a device.
const MILLI: i128 = 1000;
/// Thousandths by which a sum of rounded purchases may be off.
const ROUNDED: i128 = 2;

pub(super) fn check(case: &Case<'_>, found: &mut Vec<Violation>) {
    let exchange = case.rules.share_policy == SharePolicy::Exchange;
    let wrong = match &case.plan.exchange {
        Some(_) if !exchange => vec!["the pool has none"],
        Some(exchanged) if exchanged.outcome == Outcome::EqualParts => {
            let silent = exchanged.classes.is_empty() && exchanged.subsidies.is_empty();
            Vec::from_iter((!silent).then_some("nothing was proved, and prices or subsidies are told"))
        }
        Some(exchanged) => {
            let money = Money::of(case);
            prices(case, exchanged, &money).into_iter().chain(payments(case, exchanged, &money)).collect()
        }
        None => Vec::from_iter((exchange && is_divided(case)).then_some("time is divided, and nothing is told")),
    };
    found.extend(wrong.into_iter().map(|what| Violation::ExchangeUnfounded { what }));
}

/// Whether jobs bought time.
fn is_divided(case: &Case<'_>) -> bool {
    let live = case.plan.fairness.iter().filter(|standing| case.demands.contains_key(&DemandId::Job(standing.job)));
    live.flat_map(|standing| &standing.state.targets).any(|target| target.share > 0)
}

fn prices(case: &Case<'_>, exchanged: &Exchanged, money: &Money<'_>) -> Vec<&'static str> {
    let (asks, mut wrong) = (Asks::of(case), Vec::new());
    let open = money.open();
    if !asks.with_posted.keys().all(|class| exchanged.classes.iter().any(|row| row.class == **class)) {
        wrong.push("a class is missing");
    }
    for row in &exchanged.classes {
        // A price is right to half a micro.
        let open = open + asks.devices(&row.class) * MILLI;
        if asks.unsold(row) > open || asks.undersold(row) > open {
            wrong.push("sales are not those of the prices and the asks");
        }
        if money.overpaid(row) > open + money.demanded * MILLI {
            wrong.push("bids below a price run");
        }
    }
    if money.left_out(exchanged, &asks) > open + money.demanded * MILLI {
        wrong.push("bids above the prices are left out");
    }
    wrong
}

fn payments(case: &Case<'_>, exchanged: &Exchanged, money: &Money<'_>) -> Vec<&'static str> {
    let mut wrong = Vec::new();
    let subsidised: i128 = exchanged.subsidies.iter().map(|it| i128::from(it.micros)).sum();
    let spent: i128 = exchanged.classes.iter().map(|row| i128::from(row.price) * (i128::from(row.to_jobs) - 1)).sum();
    let most = (money.rates + subsidised) * MILLI;
    if spent > most + most * LOOSE_PERCENT / 100 + money.open() {
        wrong.push("jobs pay more than their rates and subsidies");
    }
    let known = |job: JobId| case.demands.contains_key(&DemandId::Job(job));
    let without = exchanged.outcome == Outcome::WithoutFloors && !exchanged.subsidies.is_empty();
    if without || exchanged.subsidies.iter().any(|it| it.micros <= 0 || !known(it.job)) {
        wrong.push("a subsidy is for nobody, for nothing, or for a floor that was left out");
    }
    wrong
}

/// Devices that the round could give out, by class and ask: with those that are let at the posted price at its very instant, by
/// it or just before, and without. The programme may have been solved before or after that was decided.
struct Asks<'a> {
    with_posted: BTreeMap<&'a ClassId, BTreeMap<i64, i128>>,
    without: BTreeMap<&'a ClassId, BTreeMap<i64, i128>>,
}

impl<'a> Asks<'a> {
    fn of(case: &Case<'a>) -> Self {
        let posted = case.plan.grants.iter().filter(|grant| grant.why == Why::OnDemand && !grant.continues);
        let posted: BTreeSet<DeviceId> = posted.flat_map(|grant| grant.devices.iter().copied()).collect();
        let mut asks = Self { with_posted: BTreeMap::new(), without: BTreeMap::new() };
        for (device, class, ask) in case.divided() {
            *asks.with_posted.entry(class).or_default().entry(ask).or_insert(0) += 1;
            if !posted.contains(&device) && !case.is_fixed(device) {
                *asks.without.entry(class).or_default().entry(ask).or_insert(0) += 1;
            }
        }
        asks
    }

    fn devices(&self, class: &ClassId) -> i128 {
        self.with_posted.get(class).into_iter().flat_map(BTreeMap::values).sum()
    }

    /// What sellers below the price would have earned beyond their asks with what they did not sell, in micros and thousandths.
    fn unsold(&self, row: &ClassExchanged) -> i128 {
        let gains = self.without.get(&row.class).into_iter().flatten();
        let mut sold = i128::from(row.to_jobs) + i128::from(row.to_bids) + ROUNDED;
        let left = gains.map(|(ask, devices)| {
            let here = (devices * MILLI).min(sold.max(0));
            sold -= here;
            i128::from(row.price - ask).max(0) * (devices * MILLI - here)
        });
        left.sum()
    }

    /// What sellers above the price lose by what they sold, in micros and thousandths; everything if there is not so much.
    fn undersold(&self, row: &ClassExchanged) -> i128 {
        let asks = self.with_posted.get(&row.class).into_iter().flatten();
        let mut sold = i128::from(row.to_jobs) + i128::from(row.to_bids) - ROUNDED;
        let mut lost = 0;
        for (ask, devices) in asks {
            let here = (devices * MILLI).min(sold.max(0));
            sold -= here;
            lost += i128::from(ask - row.price).max(0) * here;
        }
        if sold > 0 { i128::MAX } else { lost }
    }
}

/// Who could pay how much.
struct Money<'a> {
    /// What jobs spend in an hour, in micros.
    rates: i128,
    /// What bids would pay in an hour at their limits, in micros.
    bids: i128,
    /// Devices that anybody wants.
    demanded: i128,
    funded: Vec<(&'a Bid, i64)>,
}

impl<'a> Money<'a> {
    fn of(case: &Case<'a>) -> Self {
        let cap = case.rules.limit_cap.micros();
        let funded = case.snapshot.demands.iter().filter_map(|demand| match &demand.want {
            Want::Bid(bid) if case.is_funded(bid) => Some((bid, bid.limit.micros().min(cap))),
            _ => None,
        });
        let funded: Vec<(&Bid, i64)> = funded.collect();
        let jobs = case.snapshot.demands.iter().filter_map(|demand| match &demand.want {
            Want::Job(job) => Some((demand, job)),
            _ => None,
        });
        Self {
            rates: jobs.map(|(demand, job)| rate(case, demand, job)).sum(),
            bids: funded.iter().map(|(bid, limit)| i128::from(*limit) * i128::from(bid.gang)).sum(),
            demanded: case.snapshot.demands.iter().map(|demand| i128::from(demand.gang())).sum(),
            funded,
        }
    }

    /// What may be left on the table, in micros and thousandths.
    fn open(&self) -> i128 {
        (self.rates + self.bids) * MILLI * OPEN_PPM / 1_000_000
    }

    /// What bids pay above their limits on a class, if those with the highest limits run there.
    fn overpaid(&self, row: &ClassExchanged) -> i128 {
        let here = self.funded.iter().filter(|(bid, _)| bid.classes.contains(&row.class));
        let mut here: Vec<(i64, i128)> = here.map(|(bid, limit)| (*limit, i128::from(bid.gang) * MILLI)).collect();
        here.sort_by_key(|(limit, _)| std::cmp::Reverse(*limit));
        let (mut bought, mut over) = (i128::from(row.to_bids) - ROUNDED, 0);
        for (limit, wants) in here {
            let gets = wants.min(bought.max(0));
            bought -= gets;
            over += i128::from(row.price - limit).max(0) * gets;
        }
        if bought > 0 { i128::MAX } else { over }
    }

    /// What bids that do not run would have gained at these prices, if those that gain most run.
    fn left_out(&self, exchanged: &Exchanged, asks: &Asks<'_>) -> i128 {
        let gain = |(bid, limit): &(&Bid, i64)| {
            let sold = |class: &ClassId| bid.classes.contains(class) && asks.without.contains_key(class);
            let rows = exchanged.classes.iter().filter(|row| sold(&row.class));
            let least = rows.map(|row| row.price).min()?;
            Some(((limit - least).max(0), i128::from(bid.gang) * MILLI))
        };
        let mut gains: Vec<(i64, i128)> = self.funded.iter().filter_map(gain).collect();
        gains.sort_by_key(|(gain, _)| std::cmp::Reverse(*gain));
        let mut bought: i128 = exchanged.classes.iter().map(|row| i128::from(row.to_bids) + ROUNDED).sum();
        let mut left = 0;
        for (gain, wants) in gains {
            let gets = wants.min(bought.max(0));
            bought -= gets;
            left += i128::from(gain) * (wants - gets);
        }
        left
    }
}

/// What a job spends in an hour: at its limit, what its private share does.
fn rate(case: &Case<'_>, demand: &Demand, job: &Job) -> i128 {
    let here = |class: &ClassId| {
        let devices = case.nodes.values().flat_map(|node| &node.devices).map(|device| &device.class);
        case.snapshot.classes.iter().map(|listed| &listed.id).chain(devices).any(|known| known == class)
    };
    let fastest = job.speeds.iter().filter(|speed| here(&speed.class)).max_by_key(|speed| speed.milliunits_per_second);
    let (Some(fastest), Some(standing)) = (fastest, case.standings.get(&job.job)) else { return 0 };
    let Some(limit) = case.market_limit(demand, &fastest.class) else { return 0 };
    let (pace, whole) = (i128::from(standing.state.pace.max(1)), i128::from(fastest.milliunits_per_second) * 1_000_000);
    (i128::from(limit.max(1)) * i128::from(job.gang) * pace.min(whole) + whole - 1) / whole
}
