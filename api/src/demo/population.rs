//! Who trades: providers with different prices, and tenants who want different amounts. Names only; no accounts here.

use rand::Rng as _;
use rand::rngs::StdRng;

/// Somebody who lists nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Provider {
    /// The organisation's name.
    pub name: &'static str,
    /// The first part of the address.
    pub slug: &'static str,
    /// Where its nodes stand.
    pub region: &'static str,
    /// Out of a thousand nodes, how many are its.
    pub nodes_milli: u32,
    /// Where in the band of prices it asks: 0 is the low end, 1000 the high one.
    pub level_milli: u32,
}

/// Somebody who rents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tenant {
    /// The organisation's name.
    pub name: &'static str,
    /// The first part of the address.
    pub slug: &'static str,
    /// How many wishes it has, compared to the others.
    pub appetite: u32,
}

const fn provider(
    name: &'static str,
    slug: &'static str,
    region: &'static str,
    nodes_milli: u32,
    level_milli: u32,
) -> Provider {
    Provider { name, slug, region, nodes_milli, level_milli }
}

const fn tenant(name: &'static str, slug: &'static str, appetite: u32) -> Tenant {
    Tenant { name, slug, appetite }
}

/// All providers; their nodes add up to a thousand.
pub const PROVIDERS: [Provider; 6] = [
    provider("Alder Compute", "alder", "eu-north", 300, 350),
    provider("Basalt Cloud", "basalt", "us-west", 240, 600),
    provider("Campus Cluster", "campus", "eu-central", 180, 100),
    provider("Driftwood GPUs", "driftwood", "us-east", 120, 450),
    provider("Ember Systems", "ember", "ap-south", 100, 250),
    provider("Fjord Hosting", "fjord", "eu-north", 60, 850),
];

/// All tenants.
pub const TENANTS: [Tenant; 24] = [
    tenant("Acacia Vision", "acacia", 9),
    tenant("Bramble Robotics", "bramble", 7),
    tenant("Cedar Speech", "cedar", 6),
    tenant("Dahlia Genomics", "dahlia", 6),
    tenant("Elm Street AI", "elm", 5),
    tenant("Fern Labs", "fern", 5),
    tenant("Gorse Analytics", "gorse", 4),
    tenant("Hazel Research", "hazel", 4),
    tenant("Iris Imaging", "iris", 4),
    tenant("Juniper Group", "juniper", 3),
    tenant("Kelp Ocean Lab", "kelp", 3),
    tenant("Larch Simulation", "larch", 3),
    tenant("Maple Language", "maple", 3),
    tenant("Nettle Security", "nettle", 2),
    tenant("Oak Weather", "oak", 2),
    tenant("Poplar Studio", "poplar", 2),
    tenant("Quince Chemistry", "quince", 2),
    tenant("Rowan Physics", "rowan", 2),
    tenant("Sorrel Games", "sorrel", 2),
    tenant("Tamarind Health", "tamarind", 1),
    tenant("Umber Archive", "umber", 1),
    tenant("Vetch Finance", "vetch", 1),
    tenant("Willow Class", "willow", 1),
    tenant("Yarrow Media", "yarrow", 1),
];

/// The place in [`TENANTS`] of somebody who has a wish.
pub(super) fn somebody(random: &mut StdRng) -> usize {
    let total = TENANTS.iter().map(|tenant| tenant.appetite).sum::<u32>();
    let mut ticket = random.random_range(0..total);
    TENANTS
        .iter()
        .position(|tenant| {
            let owns = ticket < tenant.appetite;
            ticket = ticket.saturating_sub(tenant.appetite);
            owns
        })
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::SeedableRng as _;

    use super::*;

    #[test]
    fn addresses_are_distinct_and_the_providers_have_all_nodes() {
        let slugs: BTreeSet<&str> =
            PROVIDERS.iter().map(|one| one.slug).chain(TENANTS.iter().map(|one| one.slug)).collect();
        assert_eq!(slugs.len(), PROVIDERS.len() + TENANTS.len());
        assert_eq!(PROVIDERS.iter().map(|provider| provider.nodes_milli).sum::<u32>(), 1000);
    }

    #[test]
    fn appetites_decide_who_has_wishes() {
        let mut random = StdRng::seed_from_u64(1);
        let mut counts = [0_u32; TENANTS.len()];
        (0..79_000).for_each(|_| counts[somebody(&mut random)] += 1);
        assert!((8500..9500).contains(&counts[0]), "{counts:?}");
        assert!((800..1200).contains(&counts[23]), "{counts:?}");
    }
}
