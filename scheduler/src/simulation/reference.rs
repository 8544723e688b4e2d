//! What private shares would have done, exact between arrivals and finishes.
//!
//! With `E(t)` the weights of the jobs that are there, a job of weight `e` and gang `d` owns `e/E * C_k / d` of its time
//! on class `k`, scaled down so that its time sums to at most one: speed `g = sum_k thr_k C_k / d / max(E/e, C/d)`.
//! A job that is done before its reference goes on counting itself until the reference is done as well.

use super::outcome::JobOutcome;
use super::workload::{Cluster, Workload};

/// The references of all jobs, brought forward in time.
#[derive(Debug)]
pub struct References {
    jobs: Vec<Private>,
    weight: f64,
    now: f64,
}

#[derive(Debug, Clone, Default)]
struct Private {
    arrival: f64,
    weight: f64,
    work: f64,
    /// Speed with the whole pool, if the gang could use it.
    rate: f64,
    /// Number of equal jobs below which more of the pool is of no use.
    saturation: f64,
    active: bool,
    done: f64,
    ideal: Option<f64>,
    /// Integral of the number of jobs over the job's life.
    crowd: f64,
}

/// Something that changes the number of jobs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event {
    /// The job comes.
    Arrives(usize),
    /// The job is done.
    Finishes(usize),
}

impl References {
    /// At the beginning of time, nobody there.
    #[must_use]
    pub fn new(workload: &Workload, cluster: &Cluster) -> Self {
        let total = f64::from(cluster.devices());
        let jobs = workload.jobs.iter().map(|job| {
            let gang = f64::from(job.gang.max(1));
            let parts = job.speeds.iter().zip(&cluster.classes);
            Private {
                arrival: job.arrival,
                weight: f64::from(job.weight_milli) / 1e3,
                work: job.work,
                rate: parts.map(|(speed, class)| speed * f64::from(class.devices)).sum::<f64>() / gang,
                saturation: total / gang,
                ..Private::default()
            }
        });
        Self { jobs: jobs.collect(), weight: 0.0, now: 0.0 }
    }

    /// Brings all references to `to`, through events in order of time.
    pub fn advance(&mut self, events: &[(f64, Event)], to: f64) {
        for (at, event) in events {
            self.pass(*at);
            let (job, sign) = match event {
                Event::Arrives(job) => (*job, 1.0),
                Event::Finishes(job) => (*job, -1.0),
            };
            self.jobs[job].active = sign > 0.0;
            self.weight += sign * self.jobs[job].weight;
        }
        self.pass(to);
    }

    fn pass(&mut self, to: f64) {
        let span = to - self.now;
        if span <= 0.0 {
            return;
        }
        for job in self.jobs.iter_mut().filter(|job| job.arrival < to && (job.active || job.ideal.is_none())) {
            let weight = if job.active { self.weight } else { self.weight + job.weight };
            let speed = job.speed(weight / job.weight);
            if job.ideal.is_none() && job.done + speed * span >= job.work {
                job.ideal = Some(self.now + (job.work - job.done) / speed - job.arrival);
            }
            job.done += speed * span;
            if job.active {
                job.crowd += weight / job.weight * span;
            }
        }
        self.now = to;
    }

    /// Lets the references that are not done yet run on, each alone.
    pub fn run_out(&mut self) {
        let now = self.now;
        for job in self.jobs.iter_mut().filter(|job| job.ideal.is_none()) {
            job.ideal = Some(now + (job.work - job.done) / job.speed(1.0) - job.arrival);
        }
    }

    /// How far a job that has done `steps` is behind its reference, in seconds of the reference.
    #[must_use]
    pub fn lag(&self, job: usize, steps: f64) -> f64 {
        let job = &self.jobs[job];
        (job.done.min(job.work) - steps) / job.speed((self.weight / job.weight).max(1.0))
    }

    /// Writes down how long the reference took.
    pub fn tell(&self, job: usize, outcome: &mut JobOutcome) {
        let private = &self.jobs[job];
        let Some(completion) = outcome.completion() else { return };
        outcome.ideal = private.ideal;
        outcome.ideal_avg = Some(private.work / private.speed(private.crowd / completion.max(1e-9)));
    }
}

impl Private {
    /// The reference's speed beside so many jobs of its own weight.
    fn speed(&self, crowd: f64) -> f64 {
        self.rate / f64::max(crowd, self.saturation)
    }
}
