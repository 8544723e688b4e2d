//! One wish of one tenant, and one kind of node: what the model draws and what a trace file holds. Plain data.

/// How the wish enters the market.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// At the posted price, until it is ended.
    OnDemand,
    /// With a limit, as long as the price is below it.
    Bid,
    /// A fair-share job: finish this work.
    Job,
}

impl Kind {
    /// All of them, in the order of reports.
    pub const ALL: [Self; 3] = [Self::OnDemand, Self::Bid, Self::Job];

    /// The name in tables and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OnDemand => "on_demand",
            Self::Bid => "bid",
            Self::Job => "job",
        }
    }
}

/// What has to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Work {
    /// Hold the devices for so long.
    Seconds(u64),
    /// So many training steps, which take as long as the devices are fast.
    Steps {
        /// The workload, as in the table of speeds.
        workload: String,
        /// How many.
        steps: u64,
        /// How long they take on V100s, for comparison.
        v100_seconds: u64,
    },
}

impl Work {
    /// How long it takes, on V100s where that matters.
    #[must_use]
    pub const fn seconds(&self) -> u64 {
        match self {
            Self::Seconds(seconds) => *seconds,
            Self::Steps { v100_seconds, .. } => *v100_seconds,
        }
    }
}

/// One wish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrival {
    /// When, in milliseconds from the first one.
    pub at_millis: u64,
    /// How it enters the market.
    pub kind: Kind,
    /// Devices, all or nothing.
    pub gang: u32,
    /// The part of one device that is needed, in thousandths; 1000 for a whole one and for every larger gang.
    pub share_milli: u32,
    /// Device classes that will do; empty: any.
    pub classes: Vec<String>,
    /// What for.
    pub work: Work,
}

impl Arrival {
    /// The wish as it is played from a trace that knows only urgent and patient work: who patiently waits for whole devices
    /// trains something, and wants it finished rather than held.
    #[must_use]
    pub fn with_training_as_jobs(self) -> Self {
        let kind = if self.kind == Kind::Bid && self.share_milli == 1000 { Kind::Job } else { self.kind };
        Self { kind, ..self }
    }
}

/// Nodes that are alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeShape {
    /// How many of them.
    pub nodes: u32,
    /// Physical GPUs of each.
    pub gpus: u32,
    /// The device class they are offered as.
    pub class: String,
    /// Devices of that class on each: more than GPUs when those are cut into slices.
    pub devices: u32,
    /// Processor, in thousandths of a core.
    pub cpu_milli: u64,
    /// Main memory.
    pub memory_mib: u64,
    /// Whether its GPUs are linked directly.
    pub nvlink: bool,
}
