//! Reads what was written about money and holds it against what must always be true.

use super::{LoopError, Step};
use crate::State;
use crate::app::invariants::{check, tell};
use crate::config::limits;
use crate::store::Tx;

/// Checks every invariant, keeps the findings for the overview, and alerts.
pub async fn step(state: &State) -> Result<Step, LoopError> {
    let now = state.clock.now();
    let mut tx = state.begin_snapshot().await?;
    let findings = check(&mut tx, now - limits::INVARIANTS_REACH).await?;
    drop(tx);
    let mut tx = Tx::begin(&state.db).await?;
    tell(&mut tx, &*state.entropy, &findings, now).await?;
    tx.commit().await?;
    for broken in findings.iter().filter(|finding| !finding.holds()) {
        tracing::error!(invariant = broken.name, detail = broken.detail(), "an invariant of the money is broken");
    }
    state.findings.keep(findings);
    Ok(Step::Idle)
}
