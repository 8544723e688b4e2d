//! How much processor time a whole round takes: planned and verified, in a pool that is full and changes every minute.

mod world;

use scheduler::{after, plan, verify};
use serde::Serialize;

use super::stopwatch::ProcessorTime;
use world::World;

/// Which life is measured.
const SEED: u64 = 7;
/// Rounds until a pool is full and its gangs are of all ages.
const WARM_UP: u32 = 6;
/// Nodes of the growth table and the devices on them: NODE_SIZES in turn.
const GROWTH: [u64; 5] = [150, 300, 600, 1050, 1500];

/// What to measure.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Nodes of the pool.
    pub nodes: u64,
    /// Demands, running and waiting.
    pub demands: u64,
    /// Rounds that count.
    pub rounds: u32,
}

/// What a round of one size takes.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Round {
    /// Nodes of the pool.
    pub nodes: u64,
    /// Devices on them.
    pub devices: usize,
    /// Demands, running and waiting.
    pub demands: u64,
    /// Gangs that hold devices after the last round.
    pub running: usize,
    /// Gangs let in and sent away, per round.
    pub changes_per_round: f64,
    /// Processor time of planning: the middle one of the rounds.
    pub plan_milliseconds: f64,
    /// Of the worst.
    pub plan_milliseconds_max: f64,
    /// Processor time of verifying: the middle one.
    pub verify_milliseconds: f64,
    /// Of planning and verifying: the worst.
    pub round_milliseconds_max: f64,
}

/// Rounds of growing pools, and how their time grows.
#[derive(Debug, Clone, Serialize)]
pub struct Growth {
    /// By size, smallest first.
    pub rounds: Vec<Round>,
    /// Time of the largest over the smallest: planned and verified, the middle rounds.
    pub time_ratio: f64,
    /// The same ratio of n log n, n being the devices.
    pub n_log_n_ratio: f64,
}

/// Measures rounds of one size.
///
/// # Errors
/// When the plan of a round breaks a promise: then the figure would be of no use.
pub fn measure(shape: Shape) -> anyhow::Result<Round> {
    let mut world = World::new(shape.nodes, shape.demands, SEED)?;
    let (mut planned, mut verified, mut both) = (Vec::new(), Vec::new(), Vec::new());
    let mut changes = 0;
    for number in 0..WARM_UP + shape.rounds.max(1) {
        let now = world.snapshot.at;
        let watch = ProcessorTime::start();
        let decided = plan(&world.snapshot, &world.rules, now, SEED);
        let plan_ms = watch.milliseconds();
        let watch = ProcessorTime::start();
        let checked = verify(&world.snapshot, &world.rules, &decided);
        let verify_ms = watch.milliseconds();
        checked.map_err(|found| anyhow::anyhow!("round {number} breaks a promise: {}", found[0]))?;
        if number >= WARM_UP {
            planned.push(plan_ms);
            verified.push(verify_ms);
            both.push(plan_ms + verify_ms);
            changes += decided.evictions.len() + decided.grants.iter().filter(|grant| !grant.continues).count();
        }
        world.snapshot = after(&world.snapshot, &world.rules, &decided);
        world.pass_a_minute()?;
    }
    for times in [&mut planned, &mut verified, &mut both] {
        times.sort_by(f64::total_cmp);
    }
    Ok(Round {
        nodes: shape.nodes,
        devices: world.devices(),
        demands: shape.demands,
        running: world.snapshot.holdings.len(),
        changes_per_round: float(changes) / float(both.len()),
        plan_milliseconds: planned[planned.len() / 2],
        plan_milliseconds_max: planned[planned.len() - 1],
        verify_milliseconds: verified[verified.len() / 2],
        round_milliseconds_max: both[both.len() - 1],
    })
}

/// Measures pools of 1,000 to 10,000 devices with a demand for every other device.
///
/// # Errors
/// As [`measure`].
pub fn growth(rounds: u32) -> anyhow::Result<Growth> {
    let rows: Result<Vec<Round>, _> =
        GROWTH.iter().map(|nodes| measure(Shape { nodes: *nodes, demands: nodes * 10 / 3, rounds })).collect();
    let rows = rows?;
    let (least, most) = (rows[0], rows[rows.len() - 1]);
    let time = |row: Round| row.plan_milliseconds + row.verify_milliseconds;
    let n_log_n = |row: Round| float(row.devices) * float(row.devices).ln();
    Ok(Growth { time_ratio: time(most) / time(least), n_log_n_ratio: n_log_n(most) / n_log_n(least), rounds: rows })
}

#[expect(clippy::cast_precision_loss, reason = "counts of gangs stay far below 2^53")]
fn float(count: usize) -> f64 {
    count as f64
}
