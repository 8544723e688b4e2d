//! Applications in the form of PCS (and of the Philly clusters it converted): GPU-seconds without a gang, so each is a
//! fair-share job on one device.

use std::path::Path;

use serde::Deserialize;

use super::{Trace, TraceError, line_error, records};
use crate::demo::arrival::{Arrival, Kind, Work};

#[derive(Deserialize)]
struct Application {
    submit_time: f64,
    service: f64,
}

pub(super) fn read(path: &Path, text: &str, trace: &mut Trace) -> Result<(), TraceError> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    for (line, application) in records::<Application>(path, &mut reader)? {
        let at_millis = super::whole(application.submit_time * 1000.0);
        let seconds = super::whole(application.service).filter(|seconds| *seconds > 0);
        let (Some(at_millis), Some(seconds)) = (at_millis, seconds) else {
            return Err(line_error(path, line, "submit_time must not be negative, service must be positive"));
        };
        trace.arrivals.push(Arrival {
            at_millis,
            kind: Kind::Job,
            gang: 1,
            share_milli: 1000,
            classes: Vec::new(),
            work: Work::Seconds(seconds),
        });
    }
    Ok(())
}
