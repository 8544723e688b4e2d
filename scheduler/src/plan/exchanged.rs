//! What the programme of the policy `exchange` found in a round: recorded for everybody to check, charged to nobody.

use crate::world::{ClassId, JobId};
use serde::{Deserialize, Serialize};

/// The programme's answer in whole numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchanged {
    /// What could be proved.
    pub outcome: Outcome,
    /// What each class costs and who bought it, in order of class; none where nothing was proved.
    pub classes: Vec<ClassExchanged>,
    /// Jobs that get their floor only since others pay for it, in order of job.
    pub subsidies: Vec<Subsidy>,
    /// By how much more an hour would be worth to the most envious job with another's devices, as many as its own rate buys at these prices,
    /// in millionths.
    pub envy_ppm: i64,
}

/// How far an answer could be proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// All of it, floors included.
    Cleared,
    /// With the floors left out.
    WithoutFloors,
    /// Nothing: jobs get equal parts.
    EqualParts,
}

impl Outcome {
    /// The name in records and metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cleared => "cleared",
            Self::WithoutFloors => "without_floors",
            Self::EqualParts => "equal_parts",
        }
    }
}

/// A class in the programme.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassExchanged {
    /// Which class.
    pub class: ClassId,
    /// Its price, in micros per device and hour.
    pub price: i64,
    /// What jobs bought, in thousandths of a device.
    pub to_jobs: i64,
    /// What bids bought, in thousandths of a device.
    pub to_bids: i64,
}

/// What a job's floor costs beyond what the job would pay itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subsidy {
    /// Which job.
    pub job: JobId,
    /// Micros per hour of its whole gang.
    pub micros: i64,
}
