//! From seats and prices to a plan.

use super::{Awaiting, ClassPrice, Eviction, Grant, Plan, Release, Standing, Why, depth};
use crate::clearing::uniform_price::Pricing;
use crate::explain::reasons;
use crate::fairness::Assessment;
use crate::gang::claim::Target;
use crate::gang::queue::entitlement_price;
use crate::gang::seating::Seating;
use crate::placement::board::Seat;
use crate::world::{ClassTarget, PricePerHour, Want};

/// Writes the plan down. `targets` are the share policy's, by member and class.
#[must_use]
pub fn write(seating: &Seating<'_>, fair: &Assessment<'_>, prices: &[Pricing], targets: &[Vec<i64>]) -> Plan {
    let mut plan = Plan {
        at: seating.board.now,
        prices: class_prices(seating, fair, prices),
        explanations: reasons::explain(seating, fair, prices),
        depth: depth::depths(seating),
        ..Plan::default()
    };
    let world = seating.board.world;
    for (demand, target) in seating.targets.iter().enumerate() {
        let Some(target) = target.as_ref().filter(|target| runs(seating, target, prices)) else { continue };
        let here = &seating.board.buckets[target.bucket];
        let (id, node, class) = (world.demands[demand].id(), here.node.id, seating.board.classes[here.class].clone());
        if target.starts_at > seating.board.now {
            let devices = i32::try_from(target.gang).unwrap_or(i32::MAX);
            plan.awaiting.push(Awaiting {
                demand: id,
                node,
                class,
                devices,
                why: target.right,
                until: target.starts_at,
            });
            continue;
        }
        let Some(price) = price_of(seating, demand, target, prices) else { continue };
        let mut devices = target.devices.clone();
        devices.sort();
        plan.grants.push(Grant {
            demand: id,
            node,
            class,
            devices,
            price,
            why: target.right,
            continues: target.continues,
        });
    }
    for (demand, cause) in seating.evicted.iter().enumerate() {
        let (Some(because), Seat::Leaves { holding, until }) = (cause, seating.board.seats[demand]) else { continue };
        let rental = world.holdings[holding].rental;
        plan.evictions.push(Eviction {
            rental,
            demand: world.demands[demand].id(),
            notice_until: until,
            because: *because,
        });
    }
    plan.evictions.sort_by_key(|eviction| eviction.rental);
    let released = seating.board.released.iter().map(|holding| &world.holdings[*holding]);
    plan.releases = released.map(|holding| Release { rental: holding.rental, demand: holding.demand }).collect();
    plan.fairness = standings(seating, fair, prices, targets);
    plan
}

/// Whether a seat is used: a gang that is only kept by its minimum run pays the round's price if it can bear it, and
/// otherwise stays at the price it has, which is not for this plan to mention.
pub(crate) fn runs(seating: &Seating<'_>, target: &Target, prices: &[Pricing]) -> bool {
    let here = &seating.board.buckets[target.bucket];
    let price = prices[here.class].price;
    let bearable = price.is_some_and(|price| price <= target.limit && seating.board.floor(target.bucket) <= price);
    target.right != Why::Market || !target.sheltered || bearable
}

/// What a seat costs per device and hour.
pub(crate) fn price_of(
    seating: &Seating<'_>,
    demand: usize,
    target: &Target,
    prices: &[Pricing],
) -> Option<PricePerHour> {
    let class = seating.board.buckets[target.bucket].class;
    let micros = match (target.right, &seating.board.world.demands[demand].want) {
        (Why::OnDemand, Want::OnDemand(claim)) => claim.price.micros(),
        (Why::Market, _) => prices[class].price?,
        _ => entitlement_price(&seating.board, class, seating.board.floor(target.bucket)),
    };
    PricePerHour::from_micros(micros).ok()
}

fn class_prices(seating: &Seating<'_>, fair: &Assessment<'_>, prices: &[Pricing]) -> Vec<ClassPrice> {
    let count = |devices: usize| i32::try_from(devices).unwrap_or(i32::MAX);
    let price = |micros: Option<i64>| micros.and_then(|micros| PricePerHour::from_micros(micros).ok());
    let mut granted = vec![0; prices.len()];
    for target in seating.targets.iter().flatten().filter(|target| target.starts_at <= seating.board.now) {
        granted[seating.board.buckets[target.bucket].class] += target.gang;
    }
    let mut demanded = vec![0_i32; prices.len()];
    for demand in &seating.board.world.demands {
        for (class, id) in seating.board.classes.iter().enumerate() {
            if demand.accepts(id) {
                demanded[class] = demanded[class].saturating_add(demand.gang());
            }
        }
    }
    let rows = seating.board.classes.iter().zip(prices).enumerate().map(|(class, (id, pricing))| ClassPrice {
        class: (*id).clone(),
        price: price(pricing.price),
        supply: fair.capacity.devices(id),
        granted: count(granted[class]),
        demanded: demanded[class],
        marginal_limit: price(pricing.marginal_limit),
        marginal_ask: price(pricing.marginal_ask),
        losing_limit: price(pricing.losing_limit),
    });
    rows.collect()
}

fn standings(seating: &Seating<'_>, fair: &Assessment<'_>, prices: &[Pricing], targets: &[Vec<i64>]) -> Vec<Standing> {
    let now = seating.board.now;
    let standings = fair.members.iter().enumerate().map(|(place, member)| {
        let target = seating.targets[member.demand].as_ref().filter(|target| runs(seating, target, prices));
        let entitled = target.filter(|target| target.right == Why::Entitled && target.starts_at <= now);
        let class = entitled.map(|target| seating.board.classes[seating.board.buckets[target.bucket].class]);
        let leaving = matches!(seating.board.seats[member.demand], Seat::Leaves { .. });
        let mut standing = member.standing(class, leaving, seating.board.rules, now);
        let before = std::mem::take(&mut standing.state.targets);
        let wanted = targets.get(place).map_or(&[][..], Vec::as_slice);
        let classes = seating.board.classes.iter().zip(wanted);
        let next = classes.map(|(class, share)| {
            let credit = before.iter().find(|target| target.class == **class).map_or(0, |target| target.credit);
            ClassTarget { class: (*class).clone(), share: *share, credit }
        });
        standing.state.targets = next.filter(|target| target.share != 0 || target.credit != 0).collect();
        standing
    });
    let mut standings: Vec<Standing> = standings.chain(fair.departed.iter().cloned()).collect();
    standings.sort_by_key(|standing| standing.job);
    standings
}
