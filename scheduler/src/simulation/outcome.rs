//! What became of each job, and of the pool.

/// The outcome of a simulation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// By job, in the order of the workload.
    pub jobs: Vec<JobOutcome>,
    /// Rounds in which somebody was there.
    pub rounds: u64,
    /// Device rounds given out.
    pub device_rounds: u64,
    /// Device rounds that began with a start: a first one, a restart or a move.
    pub restarted_device_rounds: u64,
    /// Device seconds in which somebody made progress, or started up.
    pub busy_seconds: f64,
    /// When the last job finished, in seconds.
    pub makespan: f64,
    /// Round by round, in order of time. Where nobody was there, there is no round.
    pub course: Vec<RoundOutcome>,
}

/// The outcome of one round.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RoundOutcome {
    /// When it began, in seconds.
    pub from_s: f64,
    /// How long it lasted, in seconds.
    pub lasts_s: f64,
    /// Jobs that were there.
    pub active: usize,
    /// Devices given out.
    pub busy_devices: u64,
    /// Of their time in this round, the device seconds in which somebody made progress, or started up.
    pub busy_device_s: f64,
    /// The largest lag behind a private share at the round's end, in seconds of that share; 0 if nobody is behind.
    pub worst_lag_s: f64,
}

impl RoundOutcome {
    /// When it ended, in seconds.
    #[must_use]
    pub fn until_s(&self) -> f64 {
        self.from_s + self.lasts_s
    }
}

/// The outcome of one job. Times in seconds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JobOutcome {
    /// When it came.
    pub arrival: f64,
    /// When it first ran.
    pub first_start: Option<f64>,
    /// When it was done.
    pub finish: Option<f64>,
    /// Steps done.
    pub done: f64,
    /// How long its reference took: the demand-aware private share.
    pub ideal: Option<f64>,
    /// How long its reference would have taken at the mean number of active jobs over its life.
    pub ideal_avg: Option<f64>,
    /// The largest lag behind its reference, in rounds of the reference.
    pub max_lag_rounds: f64,
    /// Starts after the first.
    pub restarts: u64,
}

impl JobOutcome {
    /// How long it took.
    #[must_use]
    pub fn completion(&self) -> Option<f64> {
        Some(self.finish? - self.arrival)
    }

    /// Finish-time ratio against the demand-aware reference.
    #[must_use]
    pub fn rho(&self) -> Option<f64> {
        Some(self.completion()? / self.ideal?)
    }

    /// Finish-time ratio against the speed of a share at the mean number of active jobs.
    #[must_use]
    pub fn rho_avg(&self) -> Option<f64> {
        Some(self.completion()? / self.ideal_avg?)
    }
}
