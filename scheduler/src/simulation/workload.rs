//! What a simulation is fed with: jobs, and the pool they share.

use crate::world::ClassId;

/// A trace, whatever its format was.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Workload {
    /// The jobs, numbered by their place.
    pub jobs: Vec<SimJob>,
}

impl Workload {
    /// The same jobs on devices that are alike: everybody is everywhere as fast as where it is fastest.
    #[must_use]
    pub fn alike(mut self) -> Self {
        for job in &mut self.jobs {
            let best = job.speeds.iter().copied().fold(0.0, f64::max);
            job.speeds.fill(best);
        }
        self
    }
}

/// One job.
#[derive(Debug, Clone, PartialEq)]
pub struct SimJob {
    /// What kind it is: whatever the trace calls it.
    pub kind: String,
    /// When it comes, in seconds.
    pub arrival: f64,
    /// Devices it needs at once.
    pub gang: u32,
    /// All its work, in steps.
    pub work: f64,
    /// Steps per second of the whole gang on each class, in the order of the cluster's; 0 where it cannot run.
    pub speeds: Vec<f64>,
    /// Its weight in thousandths; 1000 is the usual share.
    pub weight_milli: i32,
}

/// The pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cluster {
    /// Its classes, in the order in which jobs tell their speeds.
    pub classes: Vec<ClassSize>,
    /// Devices per node. With 1 gangs of several span nodes: the simulated pool then has one node per class that holds all
    /// its devices, so that any gang fits as long as devices are free. Otherwise gangs stand inside a node.
    pub gpus_per_node: u32,
}

/// How much there is of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassSize {
    /// The class.
    pub class: ClassId,
    /// How many devices.
    pub devices: u32,
}

impl Cluster {
    /// All devices.
    #[must_use]
    pub fn devices(&self) -> u32 {
        self.classes.iter().map(|class| class.devices).sum()
    }
}
