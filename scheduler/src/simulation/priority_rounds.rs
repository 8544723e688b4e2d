//! The rounds of Gavel's and Shockwave's simulators, for their agnostic `max_min_fairness`: a peer to compare with.
//!
//! It is not a policy of this market but a re-enactment of published figures, conventions and all, on devices that are all
//! alike:
//!
//! - A *target* per job is the fraction of its time that gives everybody the same device time: of `n` jobs on `C` devices
//!   `min(1, C / n / gang)`, and what that leaves over shared in proportion to what each still lacks.
//! - Targets are made again when somebody came or went and at least 1000 s have passed since the last time. Until then a
//!   newcomer does not run, though places are kept for it in the order below, and stay empty.
//! - A round serves jobs by priority, the target over the part that the job had of all job time since targets were made;
//!   every job starts that account with half a round. Ties go by how much less than its target it had in earlier periods,
//!   then by order of arrival. A gang that does not fit is passed over.
//! - Leases are whole rounds. A round ends when its last job does, so it is shorter if all end early.
//! - A job that did not run in the round before loses the restart cost in progress, unless it ends in this round or it is
//!   the very first.

use super::outcome::RoundOutcome;
use super::reference::{Event, References};
use super::{Cluster, JobOutcome, Outcome, Workload};

/// Plays a workload and tells it like any other simulation. Gangs run at their speed on the cluster's first class, whose
/// devices are all there are.
#[must_use]
pub fn run(workload: &Workload, cluster: &Cluster, round_s: f64, restart_s: f64) -> Outcome {
    let devices = cluster.classes.first().map_or(0, |class| class.devices);
    let tasks: Vec<Task> = workload
        .jobs
        .iter()
        .map(|job| Task { arrival_s: job.arrival, gang: job.gang, work_s: job.work / speed(job) })
        .collect();
    let played = play(&tasks, Setting { devices, round_s, restart_s });
    let mut jobs: Vec<JobOutcome> = played
        .jobs
        .iter()
        .zip(&workload.jobs)
        .map(|(told, job)| JobOutcome {
            arrival: job.arrival,
            first_start: told.start_s,
            finish: told.finish_s,
            done: if told.finish_s.is_some() { job.work } else { 0.0 },
            restarts: told.restarts,
            ..JobOutcome::default()
        })
        .collect();
    let makespan = jobs.iter().filter_map(|job| job.finish).fold(0.0, f64::max);
    let mut references = References::new(workload, cluster);
    let arrivals = jobs.iter().enumerate().map(|(job, told)| (told.arrival, Event::Arrives(job)));
    let finishes = jobs.iter().enumerate().filter_map(|(job, told)| Some((told.finish?, Event::Finishes(job))));
    let mut events: Vec<(f64, Event)> = arrivals.chain(finishes).collect();
    events.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    references.advance(&events, makespan);
    references.run_out();
    jobs.iter_mut().enumerate().for_each(|(job, told)| references.tell(job, told));
    let (device_rounds, restarted_device_rounds) = played.device_rounds;
    let (rounds, busy_seconds) = (played.rounds, played.busy_s);
    let course = course(&played, workload, References::new(workload, cluster), &events);
    Outcome { jobs, rounds, device_rounds, restarted_device_rounds, busy_seconds, makespan, course }
}

fn speed(job: &super::SimJob) -> f64 {
    job.speeds.first().copied().unwrap_or(0.0).max(f64::MIN_POSITIVE)
}

/// The rounds with the largest lag at the end of each; events in order of time.
fn course(
    played: &Played,
    workload: &Workload,
    mut references: References,
    mut events: &[(f64, Event)],
) -> Vec<RoundOutcome> {
    let mut told = |round: &PlayedRound| {
        let until_s = round.outcome.until_s();
        let (past, coming) = events.split_at(events.partition_point(|(at, _)| *at <= until_s));
        references.advance(past, until_s);
        events = coming;
        let lag = |(job, left_s): &(usize, f64)| {
            let simulated = &workload.jobs[*job];
            references.lag(*job, simulated.work - left_s * speed(simulated))
        };
        RoundOutcome { worst_lag_s: round.left_s.iter().map(lag).fold(0.0, f64::max), ..round.outcome }
    };
    played.course.iter().map(&mut told).collect()
}

/// A job on devices that are all alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Task {
    /// When it comes, in seconds.
    pub arrival_s: f64,
    /// Devices it needs at once.
    pub gang: u32,
    /// Seconds that it needs alone.
    pub work_s: f64,
}

/// What became of it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Told {
    /// When it first ran, in seconds.
    pub start_s: Option<f64>,
    /// When it was done, in seconds.
    pub finish_s: Option<f64>,
    /// How often it started again.
    pub restarts: u64,
}

/// The cluster and its clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    /// Devices, all alike.
    pub devices: u32,
    /// Length of a round, in seconds.
    pub round_s: f64,
    /// Progress lost by a start, in seconds.
    pub restart_s: f64,
}

/// What came of all rounds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Played {
    /// By job.
    pub jobs: Vec<Told>,
    /// How many rounds there were.
    pub rounds: u64,
    /// Device rounds given out, and those of them that began with a start.
    pub device_rounds: (u64, u64),
    /// Device seconds in which somebody ran.
    pub busy_s: f64,
    /// Round by round.
    pub course: Vec<PlayedRound>,
}

/// What came of a round.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlayedRound {
    /// All but the lag, which needs references.
    pub outcome: RoundOutcome,
    /// The jobs that were there, and the seconds that each has left at the round's end.
    pub left_s: Vec<(usize, f64)>,
}

/// Seconds between two makings of targets.
const PERIOD_S: f64 = 1000.0;
/// A job that ends this much before its round's end is not charged for its start.
const SHORT_S: f64 = 5.0;
/// A job with no more than this left is done.
const DONE_S: f64 = 1e-6;
/// Priority of a target that nothing was received of: before all others.
const FIRST: f64 = 1e9;

#[derive(Debug, Clone)]
struct Present {
    task: usize,
    gang: u32,
    left_s: f64,
    /// Since targets were made, half a round included.
    received_s: f64,
    target: Option<f64>,
    deficit_s: f64,
    ran: bool,
}

/// Plays the jobs, in order of arrival, to their end. Those whose gang is larger than the cluster never start.
#[must_use]
pub fn play(tasks: &[Task], setting: Setting) -> Played {
    let mut rounds =
        Rounds { tasks, setting, now: 0.0, come: 0, present: Vec::new(), made_at: 0.0, changed: true, total_s: 0.0 };
    let mut played = Played { jobs: vec![Told::default(); tasks.len()], ..Played::default() };
    while rounds.arrive() {
        rounds.make_targets();
        rounds.play_round(&mut played);
        played.rounds += 1;
    }
    played
}

struct Rounds<'a> {
    tasks: &'a [Task],
    setting: Setting,
    now: f64,
    come: usize,
    present: Vec<Present>,
    made_at: f64,
    /// Whether somebody came or went since targets were made.
    changed: bool,
    /// Time of all jobs since targets were made.
    total_s: f64,
}

impl Rounds<'_> {
    /// Lets in whoever has come; false when nobody is left.
    fn arrive(&mut self) -> bool {
        if self.present.is_empty() {
            let Some(next) = self.tasks[self.come..].iter().find(|task| task.gang <= self.setting.devices) else {
                return false;
            };
            self.now = self.now.max(next.arrival_s);
        }
        while let Some(task) = self.tasks.get(self.come).filter(|task| task.arrival_s <= self.now) {
            if task.gang <= self.setting.devices {
                self.present.push(Present {
                    task: self.come,
                    gang: task.gang,
                    left_s: task.work_s,
                    received_s: self.setting.round_s / 2.0,
                    target: None,
                    deficit_s: 0.0,
                    ran: false,
                });
                self.changed = true;
            }
            self.come += 1;
        }
        true
    }

    fn make_targets(&mut self) {
        let period = self.now - self.made_at;
        if !self.changed || (period < PERIOD_S && self.made_at > 0.0) {
            return;
        }
        let targets = targets(&self.present, self.setting.devices);
        self.total_s = 0.0;
        for (job, target) in self.present.iter_mut().zip(targets) {
            let start = self.setting.round_s / 2.0;
            job.deficit_s += job.target.unwrap_or(0.0) * period - (job.received_s - start);
            job.received_s = start;
            job.target = Some(target);
            self.total_s += start;
        }
        self.made_at = self.now;
        self.changed = false;
    }

    fn priority(&self, job: &Present) -> f64 {
        let target = job.target.unwrap_or(0.0);
        if self.total_s > 0.0 { target * self.total_s / job.received_s } else { target * FIRST }
    }

    /// Who runs: whoever fits, by priority. Newcomers without a target take places and do not run.
    fn runners(&self) -> Vec<usize> {
        let mut order: Vec<(f64, usize)> =
            self.present.iter().enumerate().map(|(place, job)| (self.priority(job), place)).collect();
        order.sort_by(|(a, left), (b, right)| {
            let deficit = |place: &usize| self.present[*place].deficit_s;
            b.total_cmp(a).then(deficit(right).total_cmp(&deficit(left))).then(left.cmp(right))
        });
        let mut free = self.setting.devices;
        let mut runs = Vec::new();
        for (_, place) in order {
            if self.present[place].gang <= free {
                free -= self.present[place].gang;
                runs.push(place);
            }
        }
        runs.retain(|place| self.present[*place].target.is_some());
        runs
    }

    fn play_round(&mut self, played: &mut Played) {
        let runs = self.runners();
        let round = self.setting.round_s;
        let lasts = runs.iter().map(|place| self.present[*place].left_s.min(round)).fold(0.0, f64::max);
        let lasts = if runs.is_empty() { round } else { lasts };
        let mut outcome = RoundOutcome { from_s: self.now, lasts_s: lasts, ..RoundOutcome::default() };
        let mut ran = vec![false; self.present.len()];
        for place in runs {
            ran[place] = true;
            self.run(place, &mut outcome, played);
        }
        outcome.active = self.present.len();
        let left_s = self.present.iter().map(|job| (job.task, if job.left_s > DONE_S { job.left_s } else { 0.0 }));
        played.course.push(PlayedRound { outcome, left_s: left_s.collect() });
        self.present.iter_mut().zip(ran).for_each(|(job, ran)| job.ran = ran);
        let before = self.present.len();
        self.present.retain(|job| job.left_s > DONE_S);
        self.changed |= self.present.len() < before;
        self.now += lasts;
    }

    fn run(&mut self, place: usize, outcome: &mut RoundOutcome, played: &mut Played) {
        let job = &mut self.present[place];
        let told = &mut played.jobs[job.task];
        let time = job.left_s.min(self.setting.round_s);
        let starts = !job.ran && time > self.setting.round_s - SHORT_S && played.rounds > 0;
        let progress = if starts { (time - self.setting.restart_s).max(0.0) } else { time };
        job.left_s -= progress;
        job.received_s += progress;
        self.total_s += progress;
        if job.left_s <= DONE_S {
            told.finish_s = Some(self.now + time);
        }
        told.restarts += u64::from(!job.ran && told.start_s.is_some());
        told.start_s.get_or_insert(self.now);
        played.device_rounds.0 += u64::from(job.gang);
        played.device_rounds.1 += if job.ran { 0 } else { u64::from(job.gang) };
        played.busy_s += time * f64::from(job.gang);
        outcome.busy_devices += u64::from(job.gang);
        outcome.busy_device_s += time * f64::from(job.gang);
    }
}

/// The fraction of its time that each job should run.
fn targets(present: &[Present], devices: u32) -> Vec<f64> {
    let count = f64::from(u32::try_from(present.len()).unwrap_or(u32::MAX)).max(1.0);
    let smallest = present.iter().map(|job| f64::from(job.gang)).fold(f64::INFINITY, f64::min);
    let level = (f64::from(devices) / count).min(smallest);
    let targets: Vec<f64> = present.iter().map(|job| level / f64::from(job.gang)).collect();
    let used: f64 = present.iter().zip(&targets).map(|(job, target)| f64::from(job.gang) * target).sum();
    let lacking: f64 = present.iter().zip(&targets).map(|(job, target)| f64::from(job.gang) * (1.0 - target)).sum();
    let part = if lacking > 0.0 { ((f64::from(devices) - used) / lacking).clamp(0.0, 1.0) } else { 0.0 };
    targets.into_iter().map(|target| target + part * (1.0 - target)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::{ClassSize, SimJob};

    const SETTING: Setting = Setting { devices: 2, round_s: 120.0, restart_s: 20.0 };

    #[test]
    fn a_job_alone_takes_its_time_and_no_more() {
        let played = play(&[Task { arrival_s: 5.0, gang: 2, work_s: 250.0 }], SETTING);
        assert_eq!(played.jobs[0], Told { start_s: Some(5.0), finish_s: Some(255.0), restarts: 0 });
        assert_eq!((played.rounds, played.device_rounds, played.busy_s), (3, (6, 2), 500.0));
    }

    #[test]
    fn rounds_are_told_with_the_worst_lag_behind_a_private_share() {
        // One device for two jobs: whoever waits through the first round is behind by all of it.
        let job = |arrival| SimJob {
            kind: String::new(),
            arrival,
            gang: 1,
            work: 4000.0,
            speeds: vec![2.0],
            weight_milli: 1000,
        };
        let workload = Workload { jobs: vec![job(0.0), job(0.0), job(9000.0)] };
        let classes = vec![ClassSize { class: "v100".parse().expect("a class"), devices: 1 }];
        let outcome = run(&workload, &Cluster { classes, gpus_per_node: 1 }, 120.0, 0.0);
        let first = RoundOutcome {
            from_s: 0.0,
            lasts_s: 120.0,
            active: 2,
            busy_devices: 1,
            busy_device_s: 120.0,
            worst_lag_s: 120.0,
        };
        assert_eq!(outcome.course[0], first);
        assert_eq!(outcome.course[1].worst_lag_s, 0.0, "and has caught up when the other has waited as long");
        let busy: f64 = outcome.course.iter().map(|round| round.busy_device_s).sum();
        assert_eq!((outcome.course.len() as u64, busy), (outcome.rounds, outcome.busy_seconds));
        let gap = outcome.course.windows(2).filter(|pair| pair[1].from_s > pair[0].until_s()).count();
        assert_eq!((gap, outcome.course[outcome.course.len() - 1].until_s()), (1, 11_000.0));
    }

    #[test]
    fn a_gang_larger_than_the_cluster_is_left_alone() {
        let tasks = [Task { arrival_s: 0.0, gang: 4, work_s: 9.0 }, Task { arrival_s: 0.0, gang: 1, work_s: 9.0 }];
        let played = play(&tasks, SETTING);
        assert_eq!((played.jobs[0].finish_s, played.jobs[1].finish_s), (None, Some(9.0)));
    }

    #[test]
    fn who_comes_between_two_makings_of_targets_waits_for_the_next() {
        let tasks = [
            Task { arrival_s: 0.0, gang: 1, work_s: 5000.0 },
            Task { arrival_s: 100.0, gang: 1, work_s: 5000.0 },
            Task { arrival_s: 130.0, gang: 1, work_s: 100.0 },
        ];
        let played = play(&tasks, SETTING);
        assert_eq!(played.jobs[1].start_s, Some(120.0), "the first making of targets is at once");
        let start = played.jobs[2].start_s.expect("it runs in the end");
        assert!((1100.0..1400.0).contains(&start), "{start}");
    }
}
