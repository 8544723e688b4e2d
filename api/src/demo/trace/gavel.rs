//! Jobs in Gavel's own form: ten columns split by tabs, no header, one job a line.

use std::path::Path;

use super::{Trace, TraceError, line_error, records};
use crate::demo::arrival::{Arrival, Kind, Work};
use crate::demo::model::Speeds;

/// Job type, command, folder, name of the step argument, whether it needs data, steps, devices, weight, SLO, arrival.
type Job = (String, String, String, String, u8, u64, u32, f64, f64, f64);

pub(super) fn read(path: &Path, text: &str, speeds: &Speeds, trace: &mut Trace) -> Result<(), TraceError> {
    let mut reader =
        csv::ReaderBuilder::new().delimiter(b'\t').has_headers(false).quoting(false).from_reader(text.as_bytes());
    for (line, job) in records::<Job>(path, &mut reader)? {
        let (job_type, .., steps, gang, _, _, arrival) = job;
        let workload = workload(&job_type);
        let speed = speeds
            .steps_per_second(&workload, gang, "v100-16gb")
            .ok_or_else(|| line_error(path, line, format!("no measured speed of {job_type:?} on {gang} devices")))?;
        let at_millis =
            super::whole(arrival * 1000.0).ok_or_else(|| line_error(path, line, "the arrival must not be negative"))?;
        let v100_seconds = super::whole(super::float(steps) / speed).unwrap_or(0);
        trace.arrivals.push(Arrival {
            at_millis,
            kind: Kind::Job,
            gang,
            share_milli: 1000,
            classes: Vec::new(),
            work: Work::Steps { workload, steps, v100_seconds },
        });
    }
    Ok(())
}

/// `ResNet-50 (batch size 64)` is `resnet-50`: the table of speeds has one batch size of each.
fn workload(job_type: &str) -> String {
    job_type.split(" (").next().unwrap_or(job_type).to_lowercase()
}
