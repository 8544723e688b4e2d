//! How the loops fare, for the operator's overview and for metrics.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use time::OffsetDateTime;

use super::{LoopError, LoopName, Step};

/// One loop's last results, in this process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// When its last step ended.
    pub last_run_at: Option<OffsetDateTime>,
    /// What its last step failed with; empty once a step succeeds.
    pub last_error: Option<String>,
    /// Steps that ended well.
    pub steps: u64,
    /// Steps among them that did something.
    pub worked: u64,
    /// Steps that failed.
    pub failures: u64,
}

/// All loops' reports.
#[derive(Debug, Clone, Default)]
pub struct Board(Arc<Mutex<BTreeMap<LoopName, Report>>>);

impl Board {
    /// Notes how a step ended.
    pub(super) fn note(&self, name: LoopName, now: OffsetDateTime, result: &Result<Step, LoopError>) {
        let mut reports = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let report = reports.entry(name).or_default();
        report.last_run_at = Some(now);
        match result {
            Ok(step) => {
                report.steps += 1;
                report.worked += u64::from(*step == Step::Worked);
                report.last_error = None;
            }
            Err(error) => {
                report.failures += 1;
                report.last_error = Some(error.to_string());
            }
        }
    }

    /// Every loop's report, in the order of the loops; a loop that never ran has an empty one.
    #[must_use]
    pub fn reports(&self) -> Vec<(LoopName, Report)> {
        let reports = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        LoopName::ALL.into_iter().map(|name| (name, reports.get(&name).cloned().unwrap_or_default())).collect()
    }
}
