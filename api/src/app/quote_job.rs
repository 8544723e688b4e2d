//! What a job would be promised if it were submitted now. Nothing is submitted or set aside.

use scheduler::fairness::promise::{Admission, NotAdmitted, Unpromised};

use super::Ctx;
use super::admit_job::admit_job;
use super::submit_job::{JobOrder, SubmitJobError, prepare};
use crate::store::jobs::Submitted;

/// What a job would be promised.
#[derive(Debug)]
pub struct JobQuote {
    /// The job that would be submitted.
    pub submitted: Submitted,
    /// What the pool says to it.
    pub admission: Result<Admission, NotAdmitted>,
}

/// Asks the pool as it is now.
pub async fn quote_job(ctx: &mut Ctx<'_>, order: &JobOrder) -> Result<JobQuote, SubmitJobError> {
    let prepared = prepare(ctx, order).await?;
    let admission = if prepared.promises {
        admit_job(&mut ctx.tx, &prepared.submitted.job, prepared.profile.as_ref()).await?
    } else {
        Ok(Admission::Unpromised(Unpromised::NoCap))
    };
    Ok(JobQuote { submitted: prepared.submitted, admission })
}
