//! How an exchange looks on the wire: what its programme found, which divides jobs' time and charges nobody.

use scheduler::plan::exchanged::{ClassExchanged, Exchanged, Outcome, Subsidy};
use scheduler::world::{DemandId, Micros};
use serde::Serialize;
use utoipa::ToSchema;

/// What the programme of the share policy `exchange` found: it divides the jobs' time, and nobody is charged by it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Exchange)]
pub struct ExchangeView {
    /// How far it was proved: `cleared` with floors and all, `without_floors`, or `equal_parts` where jobs got equal parts.
    #[schema(value_type = String, example = "cleared")]
    pub outcome: Outcome,
    /// What the programme sells of each class, and at what price; empty where nothing was proved.
    pub classes: Vec<ExchangeClassView>,
    /// Jobs whose floor costs more than they would pay themselves.
    pub subsidies: Vec<SubsidyView>,
    /// By how much more an hour would be worth to the most envious job with what its own rate buys of another's devices.
    /// 0: nobody envies; 0.5: half as much again.
    #[schema(example = "0.04")]
    pub envy: String,
}

/// A class in the programme.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ExchangeClass)]
pub struct ExchangeClassView {
    /// The class.
    #[schema(example = "h100-80gb")]
    pub class_id: String,
    /// Its price in the programme, per device and hour.
    #[schema(example = "1.85")]
    pub price_per_gpu_hour: String,
    /// Devices that jobs buy, in parts of time.
    #[schema(example = "12.5")]
    pub devices_to_jobs: String,
    /// Devices that bids buy.
    #[schema(example = "3.5")]
    pub devices_to_bids: String,
}

/// What a job's floor costs.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Subsidy)]
pub struct SubsidyView {
    /// Whose: an id if it is yours, a rank otherwise.
    #[schema(example = "job_00000000000000000000000000000002")]
    pub demand: String,
    /// Beyond what the job would pay itself, per hour of its whole gang.
    #[schema(example = "0.12")]
    pub per_hour: String,
}

impl ExchangeView {
    /// `show` tells whose a demand is to whoever looks.
    pub(super) fn new(found: &Exchanged, show: impl Fn(DemandId) -> String) -> Self {
        let subsidy = |one: &Subsidy| SubsidyView {
            demand: show(DemandId::Job(one.job)),
            per_hour: Micros::new(one.micros).to_string(),
        };
        Self {
            outcome: found.outcome,
            classes: found.classes.iter().map(ExchangeClassView::from).collect(),
            subsidies: found.subsidies.iter().map(subsidy).collect(),
            envy: Micros::new(found.envy_ppm).to_string(),
        }
    }
}

impl From<&ClassExchanged> for ExchangeClassView {
    fn from(class: &ClassExchanged) -> Self {
        let devices = |thousandths: i64| Micros::new(thousandths.saturating_mul(1000)).to_string();
        Self {
            class_id: class.class.to_string(),
            price_per_gpu_hour: Micros::new(class.price).to_string(),
            devices_to_jobs: devices(class.to_jobs),
            devices_to_bids: devices(class.to_bids),
        }
    }
}
