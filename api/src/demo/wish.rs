//! From arrivals to the requests of tenants: who wants what, for how long, and what it is worth to them. Pure; the same
//! seed and the same arrivals give the same requests.

use std::collections::BTreeMap;

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use scheduler::world::PricePerHour;
use serde_json::{Value, json};

use super::arrival::{Arrival, Kind, Work};
use super::model::{DeviceClass, Speeds};
use super::pace::Pace;
use super::phrase::{Wanted, wanted, words_for};
use super::population;
use super::supply::OfClass;

/// Wishes in a row draw from generators this far apart, so that one can be made without those before it.
const STRIDE: u64 = 0x9e37_79b9_7f4a_7c15;
/// Most of the bids come back after they lost their devices.
const REENTER_PERCENT: u32 = 80;
/// A job's budget, over what its work would cost at the price it expects.
const BUDGET_FACTOR: f64 = 3.0;

/// A request that is going to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    /// Counted from 0.
    pub ordinal: u64,
    /// The place of the tenant in the population.
    pub tenant: usize,
    /// What is asked for.
    pub order: Order,
}

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// The cheapest offer that has this many devices free.
    Rent {
        /// Which devices.
        gpu: String,
        /// How many.
        devices: u32,
        /// The rest of the body of `POST /v1/rentals`.
        terms: Value,
    },
    /// The body of `POST /v1/bids`.
    Bid(Value),
    /// The body of `POST /v1/jobs`, but for the profile, which is known by its name.
    Job {
        /// Without the profile's id.
        body: Value,
        /// The profile's name.
        workload: Option<String>,
    },
}

/// Makes wishes out of arrivals.
#[derive(Debug)]
pub struct Wishes<'a> {
    offered: Vec<&'a DeviceClass>,
    supply: BTreeMap<String, OfClass>,
    speeds: &'a Speeds,
    pace: Pace,
    seed: u64,
}

impl<'a> Wishes<'a> {
    /// `supply` says what is on offer.
    #[must_use]
    pub fn new(
        devices: &'a [DeviceClass],
        supply: BTreeMap<String, OfClass>,
        speeds: &'a Speeds,
        pace: Pace,
        seed: u64,
    ) -> Self {
        let offered = devices.iter().filter(|device| supply.contains_key(&device.class)).collect();
        Self { offered, supply, speeds, pace, seed }
    }

    /// The wish of an arrival; `None` when nothing on offer would do, or no node of it has room for the gang: the traces
    /// draw models and gangs from nodes that may be missing here.
    #[must_use]
    pub fn wish(&self, ordinal: u64, arrival: &Arrival) -> Option<Wish> {
        let mut random = StdRng::seed_from_u64(self.seed ^ ordinal.wrapping_add(1).wrapping_mul(STRIDE));
        let tenant = population::somebody(&mut random);
        let roomy = |device: &&DeviceClass| self.supply[&device.class].largest >= arrival.gang;
        let roomy: Vec<&DeviceClass> = self.offered.iter().copied().filter(roomy).collect();
        let wanted = wanted(arrival, &roomy)?;
        let favourite = self.favourite(&wanted, &mut random)?;
        let order = match arrival.kind {
            Kind::OnDemand => self.rent(arrival, favourite, ordinal)?,
            Kind::Bid => self.bid(arrival, &wanted, favourite, &mut random)?,
            Kind::Job => self.job(arrival, &wanted, favourite, ordinal),
        };
        Some(Wish { ordinal, tenant, order })
    }

    /// The class a tenant has in mind: of those that will do, one in proportion to how common it is.
    fn favourite(&self, wanted: &Wanted, random: &mut StdRng) -> Option<&'a DeviceClass> {
        let devices = |class: &str| self.supply.get(class).map_or(0, |of| of.devices);
        let total = wanted.classes.iter().map(|class| devices(class)).sum::<u32>();
        let mut ticket = random.random_range(0..total.max(1));
        let class = wanted.classes.iter().find(|class| {
            let owns = ticket < devices(class);
            ticket = ticket.saturating_sub(devices(class));
            owns
        })?;
        self.offered.iter().find(|device| device.class == *class).copied()
    }

    fn rent(&self, arrival: &Arrival, favourite: &DeviceClass, ordinal: u64) -> Option<Order> {
        let words = words_for(&[favourite], &self.offered)?;
        let seconds = self.pace.held(arrival.work.seconds());
        // Every other tenant lets the market end the rental; the others end it themselves, and this is their belt.
        let bound = if ordinal.is_multiple_of(2) { seconds } else { seconds.saturating_mul(2) };
        let terms = json!({"devices": arrival.gang, "command": command(seconds), "max_duration_seconds": bound});
        Some(Order::Rent { gpu: format!("{words}:{}", arrival.gang), devices: arrival.gang, terms })
    }

    fn bid(&self, arrival: &Arrival, wanted: &Wanted, favourite: &DeviceClass, random: &mut StdRng) -> Option<Order> {
        let limit = self.limit(wanted, favourite, random)?;
        Some(Order::Bid(json!({
            "gpu": wanted.gpu,
            "limit_per_gpu_hour": limit.to_string(),
            "reenter": random.random_range(0..100) < REENTER_PERCENT,
            "command": command(self.pace.held(arrival.work.seconds())),
        })))
    }

    /// Most bid a little above the floor of the class they have in mind, some almost the posted price; never less than
    /// what anybody who would do asks for.
    fn limit(&self, wanted: &Wanted, favourite: &DeviceClass, random: &mut StdRng) -> Option<PricePerHour> {
        let floor = |class: &str| self.supply.get(class).map(|of| of.floor);
        let least = wanted.classes.iter().filter_map(|class| floor(class)).min()?;
        let times_milli = match random.random_range(0..100) {
            0..50 => random.random_range(1020..1400),
            50..85 => random.random_range(1400..2000),
            _ => random.random_range(2000..2700),
        };
        let micros = floor(&favourite.class)?.micros() * times_milli / 1000 / 1000 * 1000;
        PricePerHour::from_micros(micros.max(least.micros())).ok()
    }

    fn job(&self, arrival: &Arrival, wanted: &Wanted, favourite: &DeviceClass, ordinal: u64) -> Order {
        let (workload, work, seconds) = match &arrival.work {
            Work::Seconds(seconds) => {
                let seconds = self.pace.held(*seconds);
                (None, seconds * u64::from(arrival.gang), seconds)
            }
            Work::Steps { workload, steps, v100_seconds } => {
                let seconds = self.pace.held(*v100_seconds);
                let speed = self.speeds.steps_per_second(workload, arrival.gang, "v100-16gb").unwrap_or(1.0);
                let steps = (*steps).min(whole(float(seconds) * speed)).max(1);
                (Some(workload.clone()), steps, seconds)
            }
        };
        let price = self.supply.get(&favourite.class).map_or(1.0, |of| float_of(of.floor.micros()) / 1e6);
        let budget = (price * f64::from(arrival.gang) * float(seconds) / 3600.0 * BUDGET_FACTOR).max(1.0);
        let name = format!("{}-{ordinal}", workload.as_deref().unwrap_or("job"));
        let body = json!({
            "name": name,
            "gpu": wanted.gpu,
            "work": work.to_string(),
            "budget": format!("{budget:.2}"),
            "command": format!("train --workload {} --amount {work}", workload.as_deref().unwrap_or("any")),
        });
        Order::Job { body, workload }
    }
}

/// How long a tenant wants its devices is said by what it runs: nobody else needs to remember it.
fn command(seconds: u64) -> String {
    format!("sleep {seconds}")
}

/// The seconds that a command of this demo asks for.
#[must_use]
pub fn seconds_of(command: &str) -> Option<u64> {
    command.strip_prefix("sleep ")?.parse().ok()
}

#[expect(clippy::cast_precision_loss, reason = "seconds stay far below 2^53")]
fn float(value: u64) -> f64 {
    value as f64
}

#[expect(clippy::cast_precision_loss, reason = "prices stay far below 2^53")]
fn float_of(value: i64) -> f64 {
    value as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float-to-int cast saturates, which is meant"
)]
fn whole(value: f64) -> u64 {
    value.round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::model::{Draw, Model};
    use crate::demo::supply::{by_class, listings};

    fn wishes(seed: u64, count: u64) -> Vec<Wish> {
        let model = Model::built_in().expect("the tables are part of the program");
        let supply = by_class(&listings(&model.nodes, &model.devices, seed, 1000));
        let wishes = Wishes::new(&model.devices, supply, &model.speeds, Pace::times(20), seed);
        let mut draw = Draw::new(&model, seed, 8000.0, 0.03);
        let mut next = || draw.next_arrival().expect("the tables are complete");
        (0..count).filter_map(|ordinal| wishes.wish(ordinal, &next())).collect()
    }

    #[test]
    fn the_same_seed_makes_the_same_requests_and_another_seed_others() {
        assert_eq!(wishes(1, 500), wishes(1, 500));
        assert_ne!(wishes(1, 500), wishes(2, 500));
    }

    #[test]
    fn no_gang_is_larger_than_the_largest_node_that_would_do() {
        let model = Model::built_in().expect("the tables are part of the program");
        let listed = listings(&model.nodes, &model.devices, 1, 1000);
        let largest = |gpu: &str| {
            let request: scheduler::world::GpuRequest = gpu.parse().expect("a request");
            let does = |class: &DeviceClass| request.matches(&class.as_class());
            let classes: Vec<&str> =
                model.devices.iter().filter(|one| does(one)).map(|one| one.class.as_str()).collect();
            listed.iter().filter(|one| classes.contains(&one.shape.class.as_str())).map(|one| one.shape.devices).max()
        };
        let gangs = wishes(1, 2000).into_iter().map(|wish| match wish.order {
            Order::Rent { gpu, .. } => gpu,
            Order::Bid(body) | Order::Job { body, .. } => body["gpu"].as_str().expect("a request").to_owned(),
        });
        for gpu in gangs {
            let gang: u32 = gpu.rsplit(':').next().and_then(|count| count.parse().ok()).expect("a count");
            assert!(largest(&gpu) >= Some(gang), "{gpu}");
        }
    }

    #[test]
    fn every_wish_can_be_asked_for_and_no_bid_is_below_every_floor() {
        let model = Model::built_in().expect("the tables are part of the program");
        let supply = by_class(&listings(&model.nodes, &model.devices, 1, 1000));
        let lowest = supply.values().map(|of| of.floor).min().expect("there is supply");
        let (mut bids, mut rentals, mut jobs) = (0, 0, 0);
        for wish in wishes(1, 2000) {
            match wish.order {
                Order::Bid(body) => {
                    bids += 1;
                    let limit: PricePerHour = body["limit_per_gpu_hour"].as_str().unwrap().parse().unwrap();
                    assert!(limit >= lowest, "{body}");
                    assert!(seconds_of(body["command"].as_str().unwrap()).is_some());
                }
                Order::Rent { terms, .. } => {
                    rentals += 1;
                    assert!(terms["max_duration_seconds"].as_u64().unwrap() >= 60);
                }
                Order::Job { body, .. } => {
                    jobs += 1;
                    assert!(body["budget"].as_str().unwrap().parse::<scheduler::world::Micros>().is_ok(), "{body}");
                }
            }
        }
        assert!(bids > 600 && rentals > 800 && jobs > 30, "{bids} bids, {rentals} rentals, {jobs} jobs");
    }
}
