//! Reading the tables: strict, because a table that is read wrongly looks like a result.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::speed::Measured;
use super::{DeviceClass, Mix, Quantiles, Speeds};
use crate::demo::arrival::NodeShape;

/// Why a table cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The text is not the table it should be.
    #[error("table of {table}: {source}")]
    Table {
        /// Which one.
        table: &'static str,
        /// What is wrong, and where.
        source: csv::Error,
    },
    /// The points do not make a distribution.
    #[error("the quantiles of {0} do not rise from probability 0 to 1")]
    NotADistribution(String),
    /// A name is used that no table defines.
    #[error("no table defines {0}")]
    Missing(String),
}

fn rows<T: DeserializeOwned>(table: &'static str, text: &str) -> Result<Vec<T>, ModelError> {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    reader.deserialize().collect::<Result<_, _>>().map_err(|source| ModelError::Table { table, source })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NodeRow {
    nodes: u32,
    gpus: u32,
    class: String,
    devices: u32,
    cpu_milli: u64,
    memory_mib: u64,
    nvlink: bool,
}

pub(super) fn nodes(text: &str) -> Result<Vec<NodeShape>, ModelError> {
    let shapes = rows("nodes", text)?.into_iter().map(|row: NodeRow| {
        let NodeRow { nodes, gpus, class, devices, cpu_milli, memory_mib, nvlink } = row;
        NodeShape { nodes, gpus, class, devices, cpu_milli, memory_mib, nvlink }
    });
    Ok(shapes.collect())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeviceRow {
    class: String,
    vendor: String,
    model: String,
    mig_profile: Option<String>,
    memory_mib: u64,
    half_tflops: f64,
    bandwidth_gb_per_s: f64,
    ask_low_cents: u64,
    ask_high_cents: u64,
}

pub(super) fn devices(text: &str) -> Result<Vec<DeviceClass>, ModelError> {
    let classes = rows("devices", text)?.into_iter().map(|row: DeviceRow| DeviceClass {
        class: row.class,
        vendor: row.vendor,
        model: row.model,
        mig_profile: row.mig_profile,
        memory_mib: row.memory_mib,
        half_tflops: row.half_tflops,
        bandwidth_gb_per_s: row.bandwidth_gb_per_s,
        ask_cents: (row.ask_low_cents, row.ask_high_cents),
    });
    Ok(classes.collect())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SpeedRow {
    workload: String,
    gang: u32,
    p100_steps_per_second: f64,
    v100_steps_per_second: f64,
}

pub(super) fn speeds(text: &str, devices: &[DeviceClass]) -> Result<Speeds, ModelError> {
    let measured = rows("speeds", text)?.into_iter().map(|row: SpeedRow| {
        let speeds = Measured { p100: row.p100_steps_per_second, v100: row.v100_steps_per_second };
        ((row.workload, row.gang), speeds)
    });
    Speeds::new(measured.collect(), devices).ok_or_else(|| ModelError::Missing("a V100".into()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QuantileRow {
    quantity: String,
    probability: f64,
    value: f64,
}

pub(super) fn quantiles(text: &str) -> Result<BTreeMap<String, Quantiles>, ModelError> {
    let mut points: BTreeMap<String, Vec<(f64, f64)>> = BTreeMap::new();
    for row in rows::<QuantileRow>("quantiles", text)? {
        points.entry(row.quantity).or_default().push((row.probability, row.value));
    }
    points
        .into_iter()
        .map(|(name, points)| match Quantiles::new(points) {
            Some(quantiles) => Ok((name, quantiles)),
            None => Err(ModelError::NotADistribution(name)),
        })
        .collect()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MixRow {
    mix: String,
    value: String,
    weight: u64,
}

pub(super) fn mixes(text: &str) -> Result<BTreeMap<String, Mix>, ModelError> {
    let mut mixes: BTreeMap<String, Mix> = BTreeMap::new();
    for row in rows::<MixRow>("mixes", text)? {
        mixes.entry(row.mix).or_default().push(&row.value, row.weight);
    }
    Ok(mixes)
}
