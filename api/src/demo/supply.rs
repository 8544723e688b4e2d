//! What the demo's providers list: which node is whose, and at which prices. Pure; the same seed gives the same lists.

use std::collections::BTreeMap;

use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use rand::{Rng as _, SeedableRng as _};
use scheduler::world::PricePerHour;
use serde_json::{Value, json};

use super::arrival::NodeShape;
use super::model::DeviceClass;
use super::population::PROVIDERS;

/// How far a node's price strays from its provider's level, in thousandths of the band.
const STRAY_MILLI: i64 = 120;
/// The floor of an interruptible bid, in thousandths of the posted price.
const FLOOR_MILLI: std::ops::RangeInclusive<i64> = 380..=520;
const MICROS_PER_CENT: i64 = 10_000;

/// A node to be listed, with its ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The place of its owner in [`PROVIDERS`].
    pub provider: usize,
    /// What it is called.
    pub name: String,
    /// What it is.
    pub shape: NodeShape,
    /// Posted price of on-demand use.
    pub price: PricePerHour,
    /// The least for interruptible use.
    pub floor: PricePerHour,
}

impl Listing {
    /// The body of `POST /v1/providers/{id}/nodes`.
    #[must_use]
    pub fn node(&self, pool: &str) -> Value {
        let NodeShape { class, devices, cpu_milli, memory_mib, nvlink, .. } = &self.shape;
        let vendor_driver = if class.starts_with("mi") { "6.3.1" } else { "550.54.15" };
        json!({
            "pool_id": pool,
            "name": self.name,
            "region": PROVIDERS[self.provider].region,
            "hardware": {
                "cpu_milli": cpu_milli,
                "memory_mib": memory_mib,
                "nvlink": nvlink,
                "inet_down_mbps": if *nvlink { 25_000 } else { 10_000 },
                "driver": vendor_driver,
                "devices": [{"class_id": class, "count": devices}],
            },
        })
    }

    /// The body of `POST /v1/asks`.
    #[must_use]
    pub fn ask(&self, node: &str) -> Value {
        json!({
            "node_id": node,
            "class_id": self.shape.class,
            "price_per_gpu_hour": self.price.to_string(),
            "floor_per_gpu_hour": self.floor.to_string(),
        })
    }
}

/// Divides the nodes among the providers and prices them. `most` nodes at the most, evenly picked. A shape of a class
/// that the table does not know is left out.
#[must_use]
pub fn listings(shapes: &[NodeShape], devices: &[DeviceClass], seed: u64, most: usize) -> Vec<Listing> {
    let mut random = StdRng::seed_from_u64(seed ^ 0x7375_7070_6c79);
    let bands: BTreeMap<&str, (u64, u64)> = devices.iter().map(|one| (one.class.as_str(), one.ask_cents)).collect();
    let each = shapes.iter().flat_map(|shape| (0..shape.nodes).map(move |_| NodeShape { nodes: 1, ..shape.clone() }));
    let all: Vec<NodeShape> = each.filter(|shape| bands.contains_key(shape.class.as_str())).collect();
    let mut owners: Vec<usize> = owners(all.len().min(most));
    owners.shuffle(&mut random);
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    let picked =
        owners.into_iter().enumerate().map(|(place, owner)| (owner, &all[place * all.len() / most.min(all.len())]));
    picked
        .filter_map(|(provider, shape)| {
            let number = numbers.entry(shape.class.clone()).or_default();
            *number += 1;
            let (price, floor) = prices(bands.get(shape.class.as_str()).copied()?, provider, &mut random)?;
            let name = format!("{}-{}-{number:03}", PROVIDERS[provider].slug, shape.class);
            Some(Listing { provider, name, shape: shape.clone(), price, floor })
        })
        .collect()
}

/// The owner of each node, in the order of the providers.
fn owners(nodes: usize) -> Vec<usize> {
    let mut owners = Vec::with_capacity(nodes);
    let mut upto = 0;
    for (place, provider) in PROVIDERS.iter().enumerate() {
        upto += usize::try_from(provider.nodes_milli).unwrap_or(0);
        owners.resize((nodes * upto).div_ceil(1000), place);
    }
    owners
}

fn prices((low, high): (u64, u64), provider: usize, random: &mut StdRng) -> Option<(PricePerHour, PricePerHour)> {
    let (low, high) = (i64::try_from(low).ok()?, i64::try_from(high).ok()?);
    let level = i64::from(PROVIDERS[provider].level_milli) + random.random_range(-STRAY_MILLI..=STRAY_MILLI);
    let cents = low + (high - low) * level.clamp(0, 1000) / 1000;
    let floor = cents * MICROS_PER_CENT * random.random_range(FLOOR_MILLI) / 1000;
    // Whole tenths of a cent: prices that people would post.
    let floor = floor / 1000 * 1000;
    Some((PricePerHour::from_micros(cents * MICROS_PER_CENT).ok()?, PricePerHour::from_micros(floor).ok()?))
}

/// What is on offer of one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OfClass {
    /// The lowest floor.
    pub floor: PricePerHour,
    /// How many devices there are.
    pub devices: u32,
    /// How many the largest node has: no gang is larger.
    pub largest: u32,
}

/// What is on offer, by class.
#[must_use]
pub fn by_class(listings: &[Listing]) -> BTreeMap<String, OfClass> {
    let mut classes: BTreeMap<String, OfClass> = BTreeMap::new();
    for Listing { shape, floor, .. } in listings {
        let none = OfClass { floor: *floor, devices: 0, largest: 0 };
        let class = classes.entry(shape.class.clone()).or_insert(none);
        class.floor = class.floor.min(*floor);
        class.devices += shape.devices;
        class.largest = class.largest.max(shape.devices);
    }
    classes
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::demo::model::Model;

    fn built_in(seed: u64, most: usize) -> Vec<Listing> {
        let model = Model::built_in().expect("the tables are part of the program");
        listings(&model.nodes, &model.devices, seed, most)
    }

    #[test]
    fn every_provider_lists_its_part_of_150_nodes_under_distinct_names() {
        let listed = built_in(1, 1000);
        assert_eq!(listed.len(), 150);
        assert_eq!(listed.iter().map(|one| &one.name).collect::<BTreeSet<_>>().len(), 150);
        for (place, provider) in PROVIDERS.iter().enumerate() {
            let nodes = listed.iter().filter(|one| one.provider == place).count();
            assert_eq!(nodes, usize::try_from(provider.nodes_milli * 150 / 1000).unwrap(), "{}", provider.name);
        }
    }

    #[test]
    fn floors_are_below_prices_and_both_follow_from_the_seed() {
        assert!(built_in(1, 1000).iter().all(|one| one.floor < one.price));
        assert_eq!(built_in(1, 1000), built_in(1, 1000));
        assert_ne!(built_in(1, 1000), built_in(2, 1000));
    }

    #[test]
    fn fewer_nodes_are_picked_evenly() {
        let all: BTreeSet<String> = built_in(1, 1000).into_iter().map(|one| one.shape.class).collect();
        let some = built_in(1, 50);
        assert_eq!(some.len(), 50);
        assert!(some.iter().map(|one| &one.shape.class).collect::<BTreeSet<_>>().len() > all.len() / 2);
    }
}
