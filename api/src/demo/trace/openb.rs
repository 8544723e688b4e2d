//! The OpenB trace: a production cluster's GPU nodes and pods. Pods without a GPU, and those never scheduled, are left
//! out. Its undisclosed models are played by public ones; see [`classes_of`].

use std::path::Path;

use serde::Deserialize;

use super::{Trace, TraceError, line_error, records};
use crate::demo::arrival::{Arrival, Kind, NodeShape, Work};

#[derive(Deserialize)]
struct Node {
    cpu_milli: u64,
    memory_mib: u64,
    gpu: u32,
    model: String,
}

#[derive(Deserialize)]
struct Pod {
    num_gpu: u32,
    gpu_milli: u32,
    gpu_spec: String,
    qos: String,
    creation_time: u64,
    deletion_time: u64,
    scheduled_time: Option<f64>,
}

pub(super) fn read(path: &Path, text: &str, trace: &mut Trace) -> Result<(), TraceError> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    if text.starts_with("sn,") {
        return nodes(path, &mut reader, trace);
    }
    for (line, pod) in records::<Pod>(path, &mut reader)? {
        let Some(scheduled) = pod.scheduled_time.filter(|_| pod.num_gpu > 0) else { continue };
        trace.arrivals.push(arrival(path, line, &pod, scheduled)?);
    }
    Ok(())
}

fn arrival(path: &Path, line: u64, pod: &Pod, scheduled: f64) -> Result<Arrival, TraceError> {
    let kind = match pod.qos.as_str() {
        "LS" | "Guaranteed" => Kind::OnDemand,
        "BE" | "Burstable" => Kind::Bid,
        other => return Err(line_error(path, line, format!("unknown quality class {other:?}"))),
    };
    if pod.gpu_milli == 0 || pod.gpu_milli > 1000 {
        return Err(line_error(path, line, format!("gpu_milli is {}, expected 1 to 1000", pod.gpu_milli)));
    }
    let mut classes: Vec<String> = Vec::new();
    for model in pod.gpu_spec.split('|').filter(|model| !model.is_empty()) {
        for class in classes_of(model).ok_or_else(|| line_error(path, line, format!("unknown model {model:?}")))? {
            if !classes.iter().any(|known| known == class) {
                classes.push((*class).to_owned());
            }
        }
    }
    let seconds = super::seconds_between(scheduled, pod.deletion_time)
        .ok_or_else(|| line_error(path, line, "deleted before it was scheduled"))?;
    Ok(Arrival {
        at_millis: pod.creation_time * 1000,
        kind,
        gang: pod.num_gpu,
        share_milli: if pod.num_gpu == 1 { pod.gpu_milli } else { 1000 },
        classes,
        work: Work::Seconds(seconds.max(1)),
    })
}

fn nodes(path: &Path, reader: &mut csv::Reader<&[u8]>, trace: &mut Trace) -> Result<(), TraceError> {
    for (position, (line, node)) in records::<Node>(path, reader)?.into_iter().enumerate() {
        let classes =
            classes_of(&node.model).ok_or_else(|| line_error(path, line, format!("unknown model {:?}", node.model)))?;
        trace.nodes.push(NodeShape {
            nodes: 1,
            gpus: node.gpu,
            // In turn, where one model is played by several.
            class: classes[position % classes.len()].to_owned(),
            devices: node.gpu,
            cpu_milli: node.cpu_milli,
            memory_mib: node.memory_mib,
            nvlink: false,
        });
    }
    Ok(())
}

/// The device classes that play a model of the trace.
fn classes_of(model: &str) -> Option<&'static [&'static str]> {
    Some(match model {
        "T4" => &["t4-16gb"],
        "P100" => &["p100-16gb"],
        "V100M16" => &["v100-16gb"],
        "V100M32" => &["v100-32gb"],
        "A10" => &["a10-24gb"],
        "G2" => &["a100-80gb", "h100-80gb", "l40s-48gb"],
        "G3" => &["h200-141gb", "mi300x-192gb"],
        _ => return None,
    })
}
