//! The built-in workload: tables derived from public traces, and seeded draws from them.
//!
//! The tables are the `.csv` files beside this one; each opens with its sources. No trace is copied: they hold
//! quantiles, counts and measured speeds. The same seed gives the same arrivals.

mod draw;
mod mix;
mod quantile;
mod read;
mod speed;

use crate::demo::arrival::NodeShape;
pub use draw::Draw;
pub use mix::Mix;
pub use quantile::Quantiles;
pub use read::ModelError;
pub use speed::{DeviceClass, Speeds};

use std::collections::BTreeMap;

/// The tables, read and checked.
#[derive(Debug, Clone)]
pub struct Model {
    /// Supply.
    pub nodes: Vec<NodeShape>,
    /// What can be on a node, with its public specification.
    pub devices: Vec<DeviceClass>,
    /// Steps per second by workload, gang and device class.
    pub speeds: Speeds,
    quantiles: BTreeMap<String, Quantiles>,
    mixes: BTreeMap<String, Mix>,
}

impl Model {
    /// Reads the built-in tables. They are part of the program, so an error is a defect of the build.
    pub fn built_in() -> Result<Self, ModelError> {
        let devices = read::devices(include_str!("devices.csv"))?;
        let model = Self {
            nodes: read::nodes(include_str!("nodes.csv"))?,
            speeds: read::speeds(include_str!("speeds.csv"), &devices)?,
            quantiles: read::quantiles(include_str!("quantiles.csv"))?,
            mixes: read::mixes(include_str!("mixes.csv"))?,
            devices,
        };
        model.check()?;
        Ok(model)
    }

    /// A table of quantiles by name.
    pub fn quantiles(&self, name: &str) -> Result<&Quantiles, ModelError> {
        self.quantiles.get(name).ok_or_else(|| ModelError::Missing(name.to_owned()))
    }

    /// A mix by name.
    pub fn mix(&self, name: &str) -> Result<&Mix, ModelError> {
        self.mixes.get(name).ok_or_else(|| ModelError::Missing(name.to_owned()))
    }

    fn check(&self) -> Result<(), ModelError> {
        let known = |class: &str| self.devices.iter().any(|device| device.class == class);
        let on_nodes = self.nodes.iter().map(|shape| shape.class.as_str());
        let asked_for =
            self.mix("models")?.values().flat_map(|models| models.split('|')).filter(|class| *class != "any");
        match on_nodes.chain(asked_for).find(|class| !known(class)) {
            Some(class) => Err(ModelError::Missing(class.to_owned())),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_tables_agree_with_each_other() {
        let model = Model::built_in().expect("the tables are part of the program");
        assert_eq!(model.nodes.iter().map(|shape| shape.nodes).sum::<u32>(), 150);
    }

    #[test]
    fn every_workload_of_the_mix_has_a_speed_on_every_class_for_one_device() {
        let model = Model::built_in().expect("the tables are part of the program");
        for workload in model.mix("workload").expect("there is a mix of workloads").values() {
            for device in &model.devices {
                assert!(
                    model.speeds.steps_per_second(workload, 1, &device.class).is_some(),
                    "{workload} {}",
                    device.class
                );
            }
        }
    }
}
