//! Who may hold how many devices. Counted twice, since a gang that leaves still holds while another is let in.

use crate::explain::QuotaUse;
use crate::world::{OrganisationId, Snapshot};
use std::collections::BTreeMap;

/// Devices by organisation, for those that have a quota.
#[derive(Debug, Default, Clone)]
pub struct Quotas {
    counts: BTreeMap<OrganisationId, Count>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Count {
    allowed: usize,
    /// In hands now, or promised.
    held: usize,
    /// In hands or promised after this round.
    kept: usize,
}

impl Quotas {
    /// Counts at the start of a round. `stays` says of a holding's ordinal whether this round cannot touch it, `gone`
    /// whether its devices are given out again.
    #[must_use]
    pub fn new(world: &Snapshot, stays: impl Fn(usize) -> bool, gone: impl Fn(usize) -> bool) -> Self {
        let count = |devices: i32| Count { allowed: usize::try_from(devices).unwrap_or(0), ..Count::default() };
        let mut counts: BTreeMap<_, _> =
            world.quotas.iter().map(|quota| (quota.organisation, count(quota.devices))).collect();
        for (index, holding) in world.holdings.iter().enumerate() {
            let Some(count) = counts.get_mut(&holding.owner).filter(|_| !gone(index)) else { continue };
            count.held += holding.devices.len();
            count.kept += if stays(index) { holding.devices.len() } else { 0 };
        }
        Self { counts }
    }

    /// Whether a gang that runs may go on.
    #[must_use]
    pub fn may_stay(&self, owner: OrganisationId, gang: usize) -> bool {
        self.counts.get(&owner).is_none_or(|count| count.kept + gang <= count.allowed)
    }

    /// Whether a gang may start beside what its owner holds; `leaving` devices are its own and gone by then.
    #[must_use]
    pub fn may_start(&self, owner: OrganisationId, gang: usize, leaving: usize) -> bool {
        let fits = |count: &Count| count.held.saturating_sub(leaving).max(count.kept) + gang <= count.allowed;
        self.counts.get(&owner).is_none_or(fits)
    }

    /// Counts a gang that goes on.
    pub fn stay(&mut self, owner: OrganisationId, gang: usize) {
        if let Some(count) = self.counts.get_mut(&owner) {
            count.kept += gang;
        }
    }

    /// Counts a gang that is gone at once: its owner holds so much less.
    pub fn leave(&mut self, owner: OrganisationId, devices: usize) {
        if let Some(count) = self.counts.get_mut(&owner) {
            count.held = count.held.saturating_sub(devices);
        }
    }

    /// Counts a gang that starts when its own `leaving` devices are gone.
    pub fn start(&mut self, owner: OrganisationId, gang: usize, leaving: usize) {
        if let Some(count) = self.counts.get_mut(&owner) {
            count.held += gang.saturating_sub(leaving);
            count.kept += gang;
        }
    }

    /// How far an organisation's quota is used.
    #[must_use]
    pub fn told(&self, owner: OrganisationId) -> Option<QuotaUse> {
        let number = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
        self.counts.get(&owner).map(|count| QuotaUse { held: number(count.held), allowed: number(count.allowed) })
    }
}
