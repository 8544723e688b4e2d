//! How a profile looks on the wire.

use scheduler::world::money::Micros;
use serde::Serialize;
use utoipa::ToSchema;

use crate::store::profiles::{Profile, ProfileUnit, Speed};

/// A workload whose speed is known, so that a fair share of it can be reckoned in work rather than in time.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Profile)]
pub struct ProfileView {
    /// Identity.
    #[schema(example = "prf_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// What people call the workload.
    #[schema(example = "resnet-50")]
    pub name: String,
    /// What its speeds count.
    pub unit: ProfileUnit,
    /// Where the figures come from.
    pub source: String,
    /// By class and gang. A class that is not listed cannot run it.
    pub speeds: Vec<SpeedView>,
}

/// The speed of a whole gang.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Speed)]
pub struct SpeedView {
    /// On which class.
    #[schema(example = "v100-16gb")]
    pub class_id: String,
    /// With how many devices.
    #[schema(example = 2)]
    pub gang: i32,
    /// Units per second, a decimal.
    #[schema(example = "7.92")]
    pub units_per_second: String,
}

impl From<Profile> for ProfileView {
    fn from(profile: Profile) -> Self {
        Self {
            id: profile.id.to_string(),
            name: profile.name,
            unit: profile.unit,
            source: profile.source,
            speeds: profile.speeds.into_iter().map(SpeedView::from).collect(),
        }
    }
}

impl From<Speed> for SpeedView {
    fn from(speed: Speed) -> Self {
        let decimal = Micros::new(speed.milliunits_per_second.saturating_mul(1000));
        Self { class_id: speed.class.to_string(), gang: speed.gang, units_per_second: decimal.to_string() }
    }
}
