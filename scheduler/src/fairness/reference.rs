//! The reference: what a private weighted share of the pool would do for a job.
//!
//! With `E` the sum of the weights that count, a job of weight `e` owns the part `e / E` of the fair-share part `phi` of
//! every class it can use. Spread over its gang that is a fraction of time on each class,
//!
//! ```text
//! x_k = e/E * phi * C_k / gang          scaled down so that the x_k sum to at most 1
//! g   = sum_k speed_k * x_k             the speed of the reference
//! ```
//!
//! It is *demand aware*: a share that the job cannot use does not count against anybody. So `C_k` are the devices on nodes
//! that are large enough for the gang, and admit one of its size ([`Capacity`]). Integers throughout: time in
//! trillionths, speed in millionths of a milliunit per second.

use super::deadline::QUANTUM;
use crate::world::{ClassId, Counts, Job};
use std::collections::BTreeMap;

/// Devices that a round can give out, by class and by how many of them stand together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Capacity {
    blocks: BTreeMap<ClassId, BTreeMap<Block, i32>>,
    counts: Counts,
}

/// Devices of one class on one node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Block {
    devices: i32,
    min_chunk: i32,
}

impl Capacity {
    /// No devices yet.
    #[must_use]
    pub fn counting(counts: Counts) -> Self {
        Self { blocks: BTreeMap::new(), counts }
    }

    /// Adds the devices of one node, which lets in gangs of at least `min_chunk`.
    pub fn add(&mut self, class: &ClassId, devices: i32, min_chunk: i32) {
        if devices > 0 {
            let blocks = self.blocks.entry(class.clone()).or_default();
            *blocks.entry(Block { devices, min_chunk }).or_insert(0) += 1;
        }
    }

    /// All devices of the class.
    #[must_use]
    pub fn devices(&self, class: &ClassId) -> i32 {
        let blocks = self.blocks.get(class).into_iter().flatten();
        blocks.map(|(block, count)| block.devices * count).sum()
    }

    /// The devices of the class that gangs of this size can use.
    #[must_use]
    pub fn for_gang(&self, class: &ClassId, gang: i32) -> i32 {
        let blocks = self.blocks.get(class).into_iter().flatten();
        let usable = blocks.filter(|(block, _)| (block.min_chunk..=block.devices).contains(&gang));
        let counted = usable.map(|(block, count)| match self.counts {
            Counts::Devices => block.devices * count,
            Counts::WholeGangs => block.devices / gang.max(1) * gang * count,
        });
        counted.sum()
    }
}

/// Millionths: the unit of `phi` and of speeds.
const MILLION: i128 = 1_000_000;

/// A job's reference at one instant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reference {
    /// Fraction of its time for which the gang would run, in trillionths.
    pub share: i64,
    /// Speed over all its time, in millionths of a milliunit per second.
    pub pace: i64,
    /// The same before rounding: milliunits per second, times trillionths of time.
    work: i128,
}

/// The fraction of its time that a job's reference runs on each class, in trillionths, in the order of its speeds.
#[must_use]
pub fn time_on_classes(job: &Job, weight: i32, total_weight: i64, capacity: &Capacity, phi_ppm: i32) -> Vec<i64> {
    let whole = i128::from(QUANTUM);
    let parts = MILLION * i128::from(total_weight.max(1)) * i128::from(job.gang.max(1));
    let raw: Vec<i128> = job
        .speeds
        .iter()
        .map(|speed| {
            let devices = if speed.milliunits_per_second > 0 { capacity.for_gang(&speed.class, job.gang) } else { 0 };
            i128::from(weight) * i128::from(phi_ppm) * i128::from(devices) * whole / parts
        })
        .collect();
    let sum: i128 = raw.iter().sum();
    let scaled = raw.into_iter().map(|time| if sum > whole { time * whole / sum } else { time });
    scaled.map(|time| i64::try_from(time).unwrap_or(0)).collect()
}

/// The reference of a job whose weight is `weight` of `total_weight`.
#[must_use]
pub fn reference(job: &Job, weight: i32, total_weight: i64, capacity: &Capacity, phi_ppm: i32) -> Reference {
    let time = time_on_classes(job, weight, total_weight, capacity, phi_ppm);
    let share: i64 = time.iter().sum();
    let work: i128 = job
        .speeds
        .iter()
        .zip(&time)
        .map(|(speed, time)| i128::from(speed.milliunits_per_second.max(0)) * i128::from(*time))
        .sum();
    // Scaling rounds down; a job that owns more than it can use has its whole time.
    let rounding = i64::try_from(time.len()).unwrap_or(0);
    let share = if QUANTUM - share <= rounding { QUANTUM } else { share };
    Reference { share, pace: i64::try_from(work * MILLION / i128::from(QUANTUM)).unwrap_or(i64::MAX), work }
}

/// How much entitled time a gang uses up per time it runs on a class, in trillionths: its speed there over the speed
/// at which its reference runs. On a pool of one class that is exactly 1, on a slow class less, on a fast one more, so
/// that nobody's fairness pays for bad hardware.
#[must_use]
pub fn service(job: &Job, class: &ClassId, reference: Reference) -> i64 {
    if reference.work == 0 {
        return QUANTUM;
    }
    let quantum = i128::from(QUANTUM);
    let ratio = i128::from(job.speed_on(class)) * i128::from(reference.share) * quantum / reference.work;
    i64::try_from(ratio.clamp(1, 1000 * quantum)).unwrap_or(QUANTUM)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{At, ClassSpeed, JobFairness, JobId, Micros};

    fn job(gang: i32, speeds: &[(&str, i64)]) -> Job {
        let speeds = speeds
            .iter()
            .map(|(class, speed)| ClassSpeed { class: class.parse().expect("a class"), milliunits_per_second: *speed });
        Job {
            job: JobId::from_uuid(uuid::Uuid::nil()),
            gang,
            weight_milli: 1000,
            speeds: speeds.collect(),
            work: 1,
            done: 0,
            reference: 0,
            budget_left: Micros::new(1),
            advanced_at: At::from_millis(0),
            fairness: JobFairness::default(),
        }
    }

    /// Nodes, each with devices of one class.
    fn capacity(nodes: &[(&str, i32)]) -> Capacity {
        let mut capacity = Capacity::default();
        for (class, devices) in nodes {
            capacity.add(&class.parse().expect("a class"), *devices, 1);
        }
        capacity
    }

    #[test]
    fn two_jobs_of_four_on_eight_devices_own_all_their_time() {
        let found = reference(&job(4, &[("a", 1000)]), 1000, 2000, &capacity(&[("a", 8)]), 1_000_000);
        assert_eq!((found.share, found.pace), (QUANTUM, 1_000_000_000));
    }

    #[test]
    fn a_third_of_half_of_eight_devices_runs_a_gang_of_four_a_third_of_the_time() {
        let found = reference(&job(4, &[("a", 1000)]), 1000, 3000, &capacity(&[("a", 8)]), 500_000);
        assert_eq!(found.share, QUANTUM / 3);
        assert_eq!(found.pace, 333_333_333);
    }

    #[test]
    fn a_share_that_exceeds_all_time_is_scaled_down_over_the_classes() {
        let found =
            reference(&job(1, &[("a", 3000), ("b", 1000)]), 1000, 1000, &capacity(&[("a", 3), ("b", 1)]), 1_000_000);
        assert_eq!((found.share, found.pace), (QUANTUM, 2_500_000_000));
    }

    #[test]
    fn a_fast_class_uses_up_more_entitled_time_than_a_slow_one() {
        let job = job(1, &[("a", 3000), ("b", 1000)]);
        let found = reference(&job, 1000, 4000, &capacity(&[("a", 1), ("b", 1)]), 1_000_000);
        assert_eq!((found.share, found.pace), (QUANTUM / 2, 1_000_000_000));
        let on = |class: &str| service(&job, &class.parse().expect("a class"), found);
        assert_eq!((on("a"), on("b")), (QUANTUM * 3 / 2, QUANTUM / 2));
    }

    #[test]
    fn devices_on_nodes_too_small_for_a_gang_are_not_its_share() {
        let pool = capacity(&[("a", 8), ("a", 2), ("a", 2)]);
        let share = |gang| reference(&job(gang, &[("a", 1000)]), 1000, 12_000, &pool, 1_000_000).share;
        assert_eq!(share(8), QUANTUM / 12, "8 of the 12 devices");
        assert_eq!(share(2), QUANTUM / 2, "all of them");
        assert_eq!(share(16), 0, "none");
    }

    #[test]
    fn a_node_that_lets_in_larger_gangs_only_is_no_part_of_a_small_one() {
        let mut pool = Capacity::default();
        pool.add(&"a".parse().expect("a class"), 8, 4);
        let share = |gang| reference(&job(gang, &[("a", 1000)]), 1000, 8000, &pool, 1_000_000).share;
        assert_eq!((share(2), share(4)), (0, QUANTUM / 4));
    }

    #[test]
    fn where_all_gangs_are_equal_what_is_left_over_serves_nobody() {
        let class = "a".parse().expect("a class");
        for (counts, devices) in [(Counts::Devices, 11), (Counts::WholeGangs, 9)] {
            let mut pool = Capacity::counting(counts);
            pool.add(&class, 8, 1);
            pool.add(&class, 3, 1);
            assert_eq!((pool.for_gang(&class, 3), pool.devices(&class)), (devices, 11));
        }
    }

    #[test]
    fn where_a_job_cannot_run_it_owns_nothing() {
        let found = reference(&job(1, &[("a", 0)]), 1000, 1000, &capacity(&[("a", 8)]), 1_000_000);
        assert_eq!(found, Reference::default());
    }
}
