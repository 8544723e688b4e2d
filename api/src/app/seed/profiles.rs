//! Profiles of well-known workloads. Speeds on P100 and V100 were measured by Gavel; the others are estimates from
//! public specifications, and the profile's source says so.

use scheduler::world::class::ClassId;
use time::OffsetDateTime;

use crate::demo::model::Model;
use crate::entropy::Entropy;
use crate::store::StoreError;
use crate::store::profiles::{Profile, ProfileUnit, Speed};

const WORKLOADS: [&str; 7] = ["resnet-18", "resnet-50", "transformer", "lm", "recommendation", "cyclegan", "a3c"];

const SOURCE: &str = "P100 and V100: measured by Gavel (simulation_throughputs.json, isolated). Other classes: the V100 \
                      figure times the geometric mean of the ratios of half-precision throughput and memory bandwidth.";

/// The profiles, one per workload.
pub(super) fn standard(entropy: &dyn Entropy, now: OffsetDateTime) -> Result<Vec<Profile>, StoreError> {
    let model = Model::built_in().map_err(|error| StoreError::corrupt("built-in table", error))?;
    let profile = |name: &&str| {
        Ok(Profile {
            id: entropy.id(now),
            name: (*name).to_owned(),
            unit: ProfileUnit::Steps,
            source: SOURCE.to_owned(),
            speeds: speeds(&model, name)?,
        })
    };
    WORKLOADS.iter().map(profile).collect()
}

fn speeds(model: &Model, workload: &str) -> Result<Vec<Speed>, StoreError> {
    let mut speeds = Vec::new();
    for device in &model.devices {
        let class: ClassId = device.class.parse().map_err(|error| StoreError::corrupt("device class", error))?;
        for gang in model.speeds.gangs(workload) {
            let Some(steps) = model.speeds.steps_per_second(workload, gang, &device.class) else { continue };
            speeds.push(Speed {
                class: class.clone(),
                gang: i32::try_from(gang).map_err(|error| StoreError::corrupt("gang", error))?,
                milliunits_per_second: thousandths(steps)?,
            });
        }
    }
    Ok(speeds)
}

/// Whole thousandths, by way of decimal text: the one conversion from a float that has no silent surprises.
fn thousandths(value: f64) -> Result<i64, StoreError> {
    format!("{:.0}", value * 1000.0).parse().map_err(|error| StoreError::corrupt("speed", error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::SystemEntropy;

    #[test]
    fn every_workload_has_a_positive_speed_on_every_class_of_the_demo() {
        let profiles = standard(&SystemEntropy, OffsetDateTime::UNIX_EPOCH).unwrap();
        assert_eq!(profiles.len(), WORKLOADS.len());
        for profile in profiles {
            assert!(profile.speeds.len() >= 14, "{}", profile.name);
            assert!(profile.speeds.iter().all(|speed| speed.milliunits_per_second > 0));
        }
    }

    #[test]
    fn a_measured_speed_is_kept_to_the_thousandth() {
        let profiles = standard(&SystemEntropy, OffsetDateTime::UNIX_EPOCH).unwrap();
        let resnet = profiles.iter().find(|profile| profile.name == "resnet-50").unwrap();
        let speed = resnet.speeds.iter().find(|speed| speed.class.as_str() == "p100-16gb" && speed.gang == 1).unwrap();
        assert_eq!(speed.milliunits_per_second, 2620);
    }
}
