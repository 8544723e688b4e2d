//! The loop of a simulation: a snapshot, a plan, a round of progress, and again.

use super::outcome::{JobOutcome, Outcome, RoundOutcome};
use super::reference::{Event, References};
use super::workload::{Cluster, SimJob, Workload};
use super::world::Pool;
use crate::plan::Plan;
use crate::world::{At, Rules, SharePolicy, Snapshot, Tilt};

/// How a workload is played.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Who gets what.
    pub policy: SharePolicy,
    /// What `finish_time_fair` leans to.
    pub tilt: Tilt,
    /// Length of a round, in seconds.
    pub round_seconds: u32,
    /// What every start costs, in seconds without progress: the first, a restart, a move.
    pub restart_seconds: u32,
    /// Whether progress is cut to whole steps per round, as in simulators that count steps.
    pub whole_steps: bool,
    /// Handed to the planner.
    pub seed: u64,
    /// The simulation ends after so many rounds, whoever is left.
    pub max_rounds: u64,
}

/// The function that plans: [`crate::plan`], perhaps with a stopwatch around it.
pub type Planner<'a> = dyn FnMut(&Snapshot, &Rules, At, u64) -> Plan + 'a;

/// What a simulation may ask about a placement.
pub trait Hooks {
    /// By how much a gang is slower on these devices (ordinals inside the class; with several per node they lie node by
    /// node) than the class's measured speed: 1 is as measured.
    fn slowdown(&self, _job: &SimJob, _class: usize, _devices: &[u32]) -> f64 {
        1.0
    }
}

/// Devices of a class are all alike, wherever they are.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alike;

impl Hooks for Alike {}

/// Plays a workload to its end.
pub fn run(
    workload: &Workload,
    cluster: &Cluster,
    settings: &Settings,
    hooks: &dyn Hooks,
    planner: &mut Planner<'_>,
) -> Outcome {
    let mut state = State::new(workload, cluster, settings);
    while let Some(now) = state.next_round() {
        let snapshot = state.pool.snapshot(now, state.rounds);
        let plan = planner(&snapshot, &state.pool.rules, super::world::instant(now), settings.seed);
        state.pool.apply(&plan);
        state.progress(now, hooks);
        state.rounds += 1;
        if state.rounds >= settings.max_rounds {
            break;
        }
    }
    state.outcome()
}

struct State<'a> {
    workload: &'a Workload,
    settings: &'a Settings,
    pool: Pool,
    references: References,
    jobs: Vec<JobOutcome>,
    /// Jobs by arrival.
    order: Vec<usize>,
    /// How many of them the references know of.
    announced: usize,
    /// How many of them take part in rounds.
    admitted: usize,
    time: f64,
    rounds: u64,
    device_rounds: u64,
    restarted_device_rounds: u64,
    busy_seconds: f64,
    course: Vec<RoundOutcome>,
}

impl<'a> State<'a> {
    fn new(workload: &'a Workload, cluster: &Cluster, settings: &'a Settings) -> Self {
        let mut order: Vec<usize> = (0..workload.jobs.len()).collect();
        order.sort_by(|a, b| workload.jobs[*a].arrival.total_cmp(&workload.jobs[*b].arrival).then(a.cmp(b)));
        let jobs = workload.jobs.iter().map(|job| JobOutcome { arrival: job.arrival, ..JobOutcome::default() });
        Self {
            workload,
            settings,
            pool: Pool::new(cluster, settings),
            references: References::new(workload, cluster),
            jobs: jobs.collect(),
            order,
            announced: 0,
            admitted: 0,
            time: 0.0,
            rounds: 0,
            device_rounds: 0,
            restarted_device_rounds: 0,
            busy_seconds: 0.0,
            course: Vec::new(),
        }
    }

    /// The grid point of the next round, its arrivals let in; `None` when everybody is done.
    fn next_round(&mut self) -> Option<f64> {
        if self.pool.is_empty() {
            let next = self.jobs[*self.order.get(self.admitted)?].arrival;
            let round = f64::from(self.settings.round_seconds);
            self.time = self.time.max(libm::ceil(next / round - 1e-9) * round);
        }
        let events = self.arrivals(|arrival, now| arrival <= now);
        self.references.advance(&events, self.time);
        while let Some(job) = self.order.get(self.admitted).filter(|job| self.jobs[**job].arrival <= self.time) {
            self.pool.admit(*job, &self.workload.jobs[*job]);
            self.admitted += 1;
        }
        Some(self.time)
    }

    /// Arrivals that the references have not heard of, as far as they lie before `self.time` by this measure.
    fn arrivals(&mut self, before: impl Fn(f64, f64) -> bool) -> Vec<(f64, Event)> {
        let coming = self.order[self.announced..].iter().map(|job| (self.jobs[*job].arrival, Event::Arrives(*job)));
        let events: Vec<_> = coming.take_while(|(arrival, _)| before(*arrival, self.time)).collect();
        self.announced += events.len();
        events
    }

    /// A round of progress for whoever runs.
    fn progress(&mut self, now: f64, hooks: &dyn Hooks) {
        let round = f64::from(self.settings.round_seconds);
        let mut finished: Vec<(f64, usize)> = Vec::new();
        let mut outcome = RoundOutcome { from_s: now, lasts_s: round, ..RoundOutcome::default() };
        for seat in self.pool.seats() {
            let job = &self.workload.jobs[seat.job];
            let told = &mut self.jobs[seat.job];
            let gang = u64::from(job.gang);
            self.device_rounds += gang;
            let pause = if seat.starts { f64::from(self.settings.restart_seconds).min(round) } else { 0.0 };
            if seat.starts {
                self.restarted_device_rounds += gang;
                told.restarts += u64::from(told.first_start.is_some());
                told.first_start.get_or_insert(now);
            }
            let speed = job.speeds[seat.class] / hooks.slowdown(job, seat.class, &seat.devices);
            let steps = speed * (round - pause);
            let steps = if self.settings.whole_steps { libm::floor(steps + 1e-9) } else { steps };
            let left = job.work - told.done;
            let finishes = left <= steps * (1.0 + 1e-12);
            let busy = if finishes { pause + left / speed } else { round };
            told.done = if finishes { job.work } else { told.done + steps };
            self.busy_seconds += busy * f64::from(job.gang);
            outcome.busy_devices += gang;
            outcome.busy_device_s += busy * f64::from(job.gang);
            if finishes {
                told.finish = Some(now + busy);
                finished.push((now + busy, seat.job));
            }
            self.pool.advance(seat.job, told.done);
        }
        self.time = now + round;
        self.account(&finished, outcome);
    }

    /// Brings the references to the end of the round, writes it down and lets those go who are done.
    fn account(&mut self, finished: &[(f64, usize)], mut outcome: RoundOutcome) {
        let mut events = self.arrivals(|arrival, now| arrival < now);
        events.extend(finished.iter().map(|(at, job)| (*at, Event::Finishes(*job))));
        events.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        self.references.advance(&events, self.time);
        let round = f64::from(self.settings.round_seconds);
        for job in self.pool.present() {
            let lag = self.references.lag(job, self.jobs[job].done);
            self.jobs[job].max_lag_rounds = self.jobs[job].max_lag_rounds.max(lag / round);
            outcome.worst_lag_s = outcome.worst_lag_s.max(lag);
            outcome.active += 1;
        }
        self.course.push(outcome);
        for (at, job) in by_time(finished) {
            self.pool.leave(job);
            self.pool.bring_forward(at, self.rounds);
        }
    }

    fn outcome(mut self) -> Outcome {
        self.references.run_out();
        for (job, told) in self.jobs.iter_mut().enumerate() {
            self.references.tell(job, told);
        }
        Outcome {
            makespan: self.jobs.iter().filter_map(|job| job.finish).fold(0.0, f64::max),
            jobs: self.jobs,
            rounds: self.rounds,
            device_rounds: self.device_rounds,
            restarted_device_rounds: self.restarted_device_rounds,
            busy_seconds: self.busy_seconds,
            course: self.course,
        }
    }
}

fn by_time(finished: &[(f64, usize)]) -> Vec<(f64, usize)> {
    let mut finished = finished.to_vec();
    finished.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    finished
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::ClassSize;

    #[test]
    fn rounds_add_up_to_the_whole_and_to_the_lag_of_the_jobs() {
        let job = |arrival, gang| SimJob {
            kind: String::new(),
            arrival,
            gang,
            work: 1000.0,
            speeds: vec![1.0],
            weight_milli: 1000,
        };
        let workload = Workload { jobs: vec![job(0.0, 2), job(10.0, 1), job(20.0, 1), job(9000.0, 1)] };
        let classes = vec![ClassSize { class: "v100".parse().expect("a class"), devices: 2 }];
        let settings = Settings {
            policy: SharePolicy::MaxMin,
            tilt: Tilt::Fair,
            round_seconds: 100,
            restart_seconds: 5,
            whole_steps: false,
            seed: 0,
            max_rounds: 1000,
        };
        let outcome = run(&workload, &Cluster { classes, gpus_per_node: 1 }, &settings, &Alike, &mut crate::plan);
        let sum = |of: fn(&RoundOutcome) -> f64| outcome.course.iter().map(of).sum::<f64>();
        assert_eq!(outcome.course.len() as u64, outcome.rounds);
        assert_eq!(outcome.course.iter().map(|round| round.busy_devices).sum::<u64>(), outcome.device_rounds);
        assert!((sum(|round| round.busy_device_s) - outcome.busy_seconds).abs() < 1e-6);
        let lag_of_jobs = outcome.jobs.iter().map(|job| job.max_lag_rounds).fold(0.0, f64::max) * 100.0;
        let lag_of_rounds = outcome.course.iter().map(|round| round.worst_lag_s).fold(0.0, f64::max);
        assert!(lag_of_jobs > 0.0 && (lag_of_jobs - lag_of_rounds).abs() < 1e-9, "{lag_of_jobs}, {lag_of_rounds}");
        // The second and the third job come inside the first round, the fourth long after all are done.
        assert_eq!(outcome.course[..2].iter().map(|round| round.active).collect::<Vec<_>>(), [1, 3]);
        assert!(outcome.course.iter().any(|round| round.from_s == 9000.0 && round.active == 1));
    }
}
