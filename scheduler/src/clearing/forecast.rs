//! When the jobs of a pool would finish if all went on at their shares: the future that projections are made of.
//!
//! Jobs drain at a multiple of their reference speed and the pool empties as they finish, so the last are faster than the
//! first. The forecast is a fluid one, without gangs and without classes: good enough to order jobs, never to promise.
//! Floats live here; only an order leaves the policies that use it.

use super::Shares;
use std::collections::BTreeMap;

/// By how much a real round outruns the fluid reference, as measured on published traces: mixed classes and sizes leave
/// room that equal shares waste.
const SPEED_UP: f64 = 1.25;

/// One job's forecast. Times in seconds from now.
#[derive(Debug, Clone, Copy)]
pub struct Outlook {
    /// Time left if it ran on its fastest class from now on.
    pub alone: f64,
    /// Time left if the whole fair-share part of the pool were its own.
    pub volume: f64,
    /// Part of the pool that a unit of work takes, relative to the mean class.
    pub size: f64,
    /// When it finishes.
    pub finish: f64,
    /// Its finish-time ratio then, against the demand-aware reference.
    pub rho: f64,
    /// Its ratio then against the speed of a share at the mean number of jobs over its life.
    pub rho_avg: f64,
    /// Its ratio then against an equal share of *time* at the mean number of jobs, as if every gang were one device.
    pub rho_time: f64,
}

/// What is known of a job before the others are looked at.
pub(super) struct Task {
    pub(super) weight: f64,
    /// Work per second on the whole fair-share part.
    pub(super) rate: f64,
    /// Work per second on its fastest class.
    pub(super) fastest: f64,
    /// Weight at which the job owns all its time.
    pub(super) saturation: f64,
    /// Time its reference needs on the whole part, for what it has not done.
    pub(super) ideal_left: f64,
    pub(super) elapsed: f64,
    /// How long the reference took, if it is done.
    pub(super) ideal: Option<f64>,
    /// Integral of the number of jobs of its weight, from arrival to now.
    crowd: f64,
    /// All its work.
    work: f64,
    /// What it has not done.
    pub(super) left: f64,
}

/// The forecast of every member, in their order. Jobs that no class can run get an endless one.
#[must_use]
pub fn outlooks(shares: &Shares<'_>) -> Vec<Outlook> {
    let tasks: Vec<Task> = (0..shares.members.len()).map(|member| task(shares, member)).collect();
    let mut outlooks: Vec<Outlook> = tasks.iter().map(|task| outlook(shares, task)).collect();
    let mut order: Vec<usize> = (0..tasks.len()).filter(|member| tasks[*member].rate > 0.0).collect();
    order.sort_by(|a, b| {
        let virtual_time = |member: &usize| outlooks[*member].volume / tasks[*member].weight;
        virtual_time(a).total_cmp(&virtual_time(b)).then(a.cmp(b))
    });
    drain(&mut outlooks, &tasks, &order);
    order.sort_by(|a, b| outlooks[*a].finish.total_cmp(&outlooks[*b].finish).then(a.cmp(b)));
    let times: Vec<f64> = std::iter::once(0.0).chain(order.iter().map(|member| outlooks[*member].finish)).collect();
    let weights = falling_weights(&tasks, &order);
    let mut curves = Curves::new(&times, &weights);
    let crowds = crowds(&times, &weights);
    let devices = owned(shares);
    for (place, member) in order.into_iter().enumerate() {
        let task = &tasks[member];
        let life = (task.elapsed + outlooks[member].finish).max(1e-3);
        let crowd = (task.crowd + crowds[place + 1] / task.weight) / life;
        outlooks[member].rho_avg = life * task.rate / f64::max(crowd, task.saturation / task.weight) / task.work;
        outlooks[member].rho_time =
            life / (task.work / task.fastest.max(1e-9) * f64::max(crowd / devices.max(1e-9), 1.0));
        let ideal = task.ideal.unwrap_or_else(|| task.elapsed + curves.ideal_left(task));
        outlooks[member].rho = (task.elapsed + outlooks[member].finish) / ideal.max(1e-3);
    }
    outlooks
}

/// The part of every class that the jobs own; all of it where they own nothing and take what is left.
fn phi(shares: &Shares<'_>) -> f64 {
    if shares.rules.phi_ppm > 0 { f64::from(shares.rules.phi_ppm) / 1e6 } else { 1.0 }
}

/// Devices that the jobs own together.
fn owned(shares: &Shares<'_>) -> f64 {
    shares.capacity.iter().map(|devices| float(*devices)).sum::<f64>() * phi(shares)
}

pub(super) fn task(shares: &Shares<'_>, member: usize) -> Task {
    let known = &shares.members[member];
    let phi = phi(shares);
    let gang = f64::from(shares.gang(member));
    let (mut rate, mut devices) = (0.0, 0.0);
    for (class, speed) in &shares.speeds[member] {
        rate += float(*speed) * float(shares.capacity[*class]) * phi / gang;
        devices += float(shares.capacity[*class]) * phi;
    }
    let weight = f64::from(known.job.weight_milli.max(1)) / 1e3;
    Task {
        weight,
        rate,
        fastest: float(shares.fastest(member)),
        saturation: devices / gang * weight,
        ideal_left: float((known.job.work - known.account.reference).max(0)) / rate.max(1e-9),
        elapsed: float(shares.now.since(known.arrived_at).get().max(0)) / 1e3,
        ideal: known.account.state.ideal.map(|ideal| float(ideal.get()) / 1e3),
        crowd: float(known.account.state.crowd_sum) / 1e6,
        work: float(known.job.work.max(1)),
        left: float((known.job.work - known.account.done).max(1)),
    }
}

fn outlook(shares: &Shares<'_>, task: &Task) -> Outlook {
    let mean = shares.capacity.iter().map(|devices| float(*devices)).sum::<f64>() / float(shares.capacity.len().max(1));
    let volume = task.left / task.rate.max(1e-9);
    Outlook {
        alone: task.left / task.fastest.max(1e-9),
        volume,
        size: mean / task.rate.max(1e-9),
        finish: f64::INFINITY,
        rho: 0.0,
        rho_avg: 0.0,
        rho_time: 0.0,
    }
}

/// The finish of each job: the pool drains, and everybody's part grows as the others finish.
fn drain(outlooks: &mut [Outlook], tasks: &[Task], order: &[usize]) {
    let mut left: f64 = order.iter().map(|member| tasks[*member].weight).sum();
    let (mut time, mut level) = (0.0, 0.0);
    for member in order {
        let task = &tasks[*member];
        let target = outlooks[*member].volume / task.weight;
        time += (target - level) * left / SPEED_UP;
        level = target;
        left -= task.weight;
        outlooks[*member].finish = f64::max(time, outlooks[*member].alone);
    }
}

/// The sum of the weights of those who have not finished, after each finish.
pub(super) fn falling_weights(tasks: &[Task], order: &[usize]) -> Vec<f64> {
    let mut left = 0.0;
    let mut weights: Vec<f64> = order
        .iter()
        .rev()
        .map(|member| {
            left += tasks[*member].weight;
            left
        })
        .collect();
    weights.reverse();
    weights
}

/// The integral over time of the weights that are there, at each of `times`.
fn crowds(times: &[f64], weights: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    let steps = times.windows(2).zip(weights).map(|(step, weight)| {
        sum += (step[1] - step[0]) * weight;
        sum
    });
    std::iter::once(0.0).chain(steps.collect::<Vec<_>>()).collect()
}

/// When references finish while the weights fall as forecast.
pub(super) struct Curves<'a> {
    times: &'a [f64],
    weights: &'a [f64],
    /// By the bits of a saturation: many jobs have the same.
    by_saturation: BTreeMap<u64, Vec<f64>>,
}

impl<'a> Curves<'a> {
    /// `weights` are there from each of `times` to the next.
    pub(super) fn new(times: &'a [f64], weights: &'a [f64]) -> Self {
        Self { times, weights, by_saturation: BTreeMap::new() }
    }

    /// How long the reference still needs.
    pub(super) fn ideal_left(&mut self, task: &Task) -> f64 {
        let (times, weights) = (self.times, self.weights);
        let known = self.by_saturation.entry(task.saturation.to_bits());
        let curve = known.or_insert_with(|| curve(times, weights, task.saturation));
        let need = task.ideal_left / task.weight;
        let after = curve.partition_point(|progress| *progress < need);
        if after == 0 {
            return 0.0;
        }
        let (time, done) = (times[after - 1], curve[after - 1]);
        match (times.get(after), curve.get(after)) {
            (Some(next), Some(all)) if *all > done => time + (next - time) * (need - done) / (all - done),
            _ => time + (need - done) * f64::max(task.weight, task.saturation),
        }
    }
}

/// The integral over time of what a unit of weight owns, at each of `times`, for jobs that saturate at `saturation`.
fn curve(times: &[f64], weights: &[f64], saturation: f64) -> Vec<f64> {
    let mut sum = 0.0;
    let steps = times.windows(2).zip(weights).map(|(step, weight)| {
        sum += (step[1] - step[0]) / f64::max(*weight, saturation);
        sum
    });
    std::iter::once(0.0).chain(steps.collect::<Vec<_>>()).collect()
}

/// Counts and milliunits as floats: rounding beyond 2^53 is far below what a forecast can know.
#[expect(clippy::cast_precision_loss, reason = "a forecast needs no more than 53 bits")]
fn float(number: impl TryInto<i64>) -> f64 {
    number.try_into().unwrap_or(i64::MAX) as f64
}
