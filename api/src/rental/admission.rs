//! Who may rent at a posted price: whether devices can be had now, must be waited for, or belong to somebody else.

/// What a claim at a posted price meets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Capacity {
    /// Devices of the ask that nobody has.
    pub free: i32,
    /// Devices of the ask that bids and jobs hold: they can be taken back with notice.
    pub preemptible: i32,
    /// Devices of the ask that earlier claims wait for.
    pub waiting: i32,
    /// The same class in the whole pool.
    pub class: ClassLoad,
}

/// How a device class of a pool is used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClassLoad {
    /// Devices that can be given out, held or not.
    pub devices: i32,
    /// Devices that on-demand rentals hold or wait for.
    pub on_demand: i32,
    /// Devices that the live fair-share jobs would use at once.
    pub wanted_by_jobs: i32,
}

/// How a claim is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// From free devices, at once.
    Now,
    /// After devices were taken back from bids or jobs.
    Wait,
}

/// Why a claim is not served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAdmitted {
    /// Neither free nor preemptible devices are enough.
    #[error(
        "{wanted} devices were asked for, {available} can be had here; ask for fewer, take another offer, or place a bid"
    )]
    NoCapacity {
        /// Devices asked for.
        wanted: i32,
        /// Devices that could be had, now or after a notice.
        available: i32,
    },
    /// The rest of the class is what running fair-share jobs are entitled to.
    #[error(
        "fair-share jobs are entitled to {entitled} devices of this class, so {available} more can be rented; ask for fewer, or place a bid"
    )]
    ReservedForFairShare {
        /// Devices that the jobs are entitled to.
        entitled: i32,
        /// Devices that could still be rented.
        available: i32,
    },
}

impl ClassLoad {
    /// Devices that the live fair-share jobs are entitled to together: the pool's part `phi` of the class, and never more
    /// than they can use.
    #[must_use]
    pub fn entitled(&self, phi_ppm: i32) -> i32 {
        let part = i64::from(self.devices) * i64::from(phi_ppm) / 1_000_000;
        i32::try_from(part).unwrap_or(i32::MAX).min(self.wanted_by_jobs).max(0)
    }
}

/// Decides a claim for `wanted` devices. Earlier claims that wait come first: what they wait for is not free.
pub fn admit(wanted: i32, capacity: &Capacity, phi_ppm: i32) -> Result<Admission, NotAdmitted> {
    let Capacity { free, preemptible, waiting, class } = *capacity;
    let reachable = free.saturating_add(preemptible).saturating_sub(waiting).max(0);
    if wanted > reachable {
        return Err(NotAdmitted::NoCapacity { wanted, available: reachable });
    }
    let entitled = class.entitled(phi_ppm);
    let left = class.devices.saturating_sub(class.on_demand).saturating_sub(entitled).max(0);
    if wanted > left {
        return Err(NotAdmitted::ReservedForFairShare { entitled, available: left.min(reachable) });
    }
    Ok(if wanted <= free.saturating_sub(waiting) { Admission::Now } else { Admission::Wait })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A node whose class is all there is in the pool.
    fn node(free: i32, preemptible: i32, on_demand: i32, wanted_by_jobs: i32) -> Capacity {
        let devices = free + preemptible + on_demand;
        Capacity { free, preemptible, waiting: 0, class: ClassLoad { devices, on_demand, wanted_by_jobs } }
    }

    #[test]
    fn the_table_of_claims_is_the_specification() {
        let phi = 500_000;
        let table = [
            // Nobody shares: first come, first served.
            (1, node(1, 0, 7, 0), Ok(Admission::Now)),
            (2, node(1, 1, 6, 0), Ok(Admission::Wait)),
            (3, node(1, 1, 6, 0), Err(NotAdmitted::NoCapacity { wanted: 3, available: 2 })),
            // Jobs own half of 8: four can be rented, not five, whether or not the jobs hold theirs.
            (4, node(8, 0, 0, 16), Ok(Admission::Now)),
            (5, node(8, 0, 0, 16), Err(NotAdmitted::ReservedForFairShare { entitled: 4, available: 4 })),
            (4, node(0, 8, 0, 16), Ok(Admission::Wait)),
            (5, node(0, 8, 0, 16), Err(NotAdmitted::ReservedForFairShare { entitled: 4, available: 4 })),
            (1, node(0, 4, 4, 16), Err(NotAdmitted::ReservedForFairShare { entitled: 4, available: 0 })),
            // Jobs that can use two keep two.
            (6, node(8, 0, 0, 2), Ok(Admission::Now)),
            (7, node(8, 0, 0, 2), Err(NotAdmitted::ReservedForFairShare { entitled: 2, available: 6 })),
        ];
        for (wanted, capacity, expected) in table {
            assert_eq!(admit(wanted, &capacity, phi), expected, "{wanted} of {capacity:?}");
        }
    }

    #[test]
    fn a_newcomer_does_not_take_what_an_earlier_claim_waits_for() {
        let capacity = Capacity { waiting: 2, ..node(2, 2, 0, 0) };
        assert_eq!(admit(1, &capacity, 0), Ok(Admission::Wait));
        assert_eq!(admit(3, &capacity, 0), Err(NotAdmitted::NoCapacity { wanted: 3, available: 2 }));
    }

    #[test]
    fn no_figures_overflow() {
        let most = i32::MAX;
        let class = ClassLoad { devices: most, on_demand: most, wanted_by_jobs: most };
        let capacity = Capacity { free: most, preemptible: most, waiting: most, class };
        assert!(admit(1, &capacity, 1_000_000).is_err());
    }
}
