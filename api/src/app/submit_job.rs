//! A tenant submits a fair-share job: its whole budget is set aside, and it waits for its first turn. A pool that promises
//! finish times lets jobs in one after another.

use scheduler::fairness::promise::{Admission, NotAdmitted};
use scheduler::world::ids::{JobId, PoolId, ProfileId};
use scheduler::world::{GpuRequest, Micros};
use serde::Serialize;
use serde_json::json;

use super::admit_job::admit_job;
use super::catalogue::{Terms, matching};
use super::place_bid::GANG_MAX;
use super::{Command, Ctx, Name};
use crate::clock::{from_at, rfc3339};
use crate::job::{Job, JobState, Promise, Unit, WorkError, count_work, spell_work};
use crate::store::events::NewEvent;
use crate::store::holds::NewHold;
use crate::store::jobs::Submitted;
use crate::store::profiles::Profile;
use crate::store::{StoreError, catalogue, events, holds, jobs, pools, profiles, promises, wallet};

/// What a tenant asks for.
#[derive(Debug, Clone, Serialize)]
pub struct JobOrder {
    /// The pool; the oldest that has what is asked for if none is named.
    pub pool: Option<PoolId>,
    /// What people call it.
    pub name: Name,
    /// Which devices, and how many at least.
    pub gpu: GpuRequest,
    /// How much work, in millionths of the profile's unit, or of hours of one device.
    pub work: Micros,
    /// The measured workload that it is.
    pub profile: Option<ProfileId>,
    /// Its weight in thousandths.
    pub weight_milli: i32,
    /// The most it may cost.
    pub budget: Micros,
    /// What to run.
    pub command: Option<Command>,
}

/// Why a job was not submitted.
#[derive(Debug, thiserror::Error)]
pub enum SubmitJobError {
    /// The pool that was named does not exist, or there is none at all.
    #[error("there is no such pool; GET /v1/pools lists them")]
    NoSuchPool,
    /// There is no such profile.
    #[error("there is no such profile; GET /v1/profiles lists them")]
    NoSuchProfile,
    /// Nothing in the pool is what was asked for.
    #[error("no device class of the pool matches `{0}`; GET /v1/pools lists the classes of each")]
    NoSuchClass(Box<GpuRequest>),
    /// The profile says nothing about this gang on these classes.
    #[error(
        "the profile `{profile}` has no speed of {gang} devices on any class that matches; GET /v1/profiles lists its speeds"
    )]
    NotMeasured {
        /// The profile's name.
        profile: String,
        /// The gang.
        gang: i32,
    },
    /// A gang is on one node.
    #[error("a gang has at most {GANG_MAX} devices, since it is placed on one node")]
    GangTooLarge,
    /// The work cannot be counted.
    #[error(transparent)]
    Work(#[from] WorkError),
    /// Nothing is no budget.
    #[error("a budget is greater than zero")]
    Budget,
    /// The wallet does not cover the budget.
    #[error("the budget of {needed} {currency} is set aside and the wallet has {available} available")]
    InsufficientFunds {
        /// The budget.
        needed: Micros,
        /// What there is.
        available: Micros,
        /// The currency.
        currency: String,
    },
    /// The organisation has no wallet in the pool's currency.
    #[error("the pool trades in {0}, and the organisation has no wallet in that currency")]
    OtherCurrency(String),
    /// The pool promised others what it could not keep with this job.
    #[error(transparent)]
    NotAdmitted(#[from] NotAdmitted),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A job that could be submitted.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) submitted: Submitted,
    pub(super) profile: Option<Profile>,
    /// Whether its pool promises finish times.
    pub(super) promises: bool,
}

/// Checks an order against the market as it is, money aside.
pub(super) async fn prepare(ctx: &mut Ctx<'_>, order: &JobOrder) -> Result<Prepared, SubmitJobError> {
    let profile = match order.profile {
        Some(id) => Some(profiles::find(&mut ctx.tx, id).await?.ok_or(SubmitJobError::NoSuchProfile)?),
        None => None,
    };
    let terms = Terms::new(catalogue::load(&mut ctx.tx, ctx.now).await?, ctx.now);
    let (submitted, promises) = decide(ctx, order, profile.as_ref(), &terms)?;
    Ok(Prepared { submitted, profile, promises })
}

/// Submits the job and sets its budget aside.
pub async fn submit_job(ctx: &mut Ctx<'_>, order: &JobOrder) -> Result<Submitted, SubmitJobError> {
    let Prepared { mut submitted, profile, promises } = prepare(ctx, order).await?;
    let job = &submitted.job;
    let promised = if promises {
        pools::lock_admission(&mut ctx.tx, job.pool).await?;
        match admit_job(&mut ctx.tx, job, profile.as_ref()).await?? {
            Admission::Promised(terms) => Some(terms),
            Admission::Unpromised(_) => None,
        }
    } else {
        None
    };
    set_aside(ctx, job, &submitted.currency).await?;
    jobs::insert(&mut ctx.tx, job).await?;
    if let Some(terms) = &promised {
        promises::insert(&mut ctx.tx, job.id, job.pool, terms, ctx.now).await?;
    }
    let finish_by = promised.as_ref().map(|terms| rfc3339(from_at(terms.finish_by)));
    let queued = NewEvent {
        id: ctx.id(),
        organisation: Some(job.organisation),
        provider: None,
        pool: None,
        kind: "job.queued",
        subject: job.id.to_string(),
        body: json!({"state": "queued", "name": job.name, "gang": job.gang, "work": spell_work(job.work, job.unit), "unit": job.unit, "finish_by": finish_by}),
    };
    events::record(&mut ctx.tx, &[queued], ctx.now).await?;
    submitted.promise = promised.map(Promise::made);
    Ok(submitted)
}

/// The balance is looked at under its lock, so that what is missing is told exactly.
async fn set_aside(ctx: &mut Ctx<'_>, job: &Job, currency: &str) -> Result<(), SubmitJobError> {
    let available = wallet::lock_available(&mut ctx.tx, job.organisation, currency).await?;
    let available = available.ok_or_else(|| SubmitJobError::OtherCurrency(currency.to_owned()))?;
    let (needed, currency) = (job.budget, currency.to_owned());
    if available < needed {
        return Err(SubmitJobError::InsufficientFunds { needed, available, currency });
    }
    let (organisation, subject) = (job.organisation, job.demand());
    let hold = NewHold { id: ctx.id(), organisation, currency: &currency, subject, amount: needed };
    let transfer = ctx.id();
    holds::open(&mut ctx.tx, &hold, transfer, "job submitted", ctx.now).await?;
    Ok(())
}

/// Checks the order against the market's terms and the profile's speeds; says whether the pool promises finish times.
fn decide(
    ctx: &Ctx<'_>,
    order: &JobOrder,
    profile: Option<&Profile>,
    terms: &Terms,
) -> Result<(Submitted, bool), SubmitJobError> {
    let pool = terms.pool(order.pool, &order.gpu).ok_or(SubmitJobError::NoSuchPool)?;
    let (gang, _) = order.gpu.counts();
    let gang = i32::try_from(gang).ok().filter(|_| gang <= GANG_MAX).ok_or(SubmitJobError::GangTooLarge)?;
    let matching: Vec<_> = matching(pool, &order.gpu).map(|class| class.class.id.clone()).collect();
    if matching.is_empty() {
        return Err(SubmitJobError::NoSuchClass(Box::new(order.gpu.clone())));
    }
    let classes = match profile {
        None => matching,
        Some(profile) => {
            let runs = |class| {
                profile
                    .speeds
                    .iter()
                    .any(|speed| speed.class == class && speed.gang == gang && speed.milliunits_per_second > 0)
            };
            let measured: Vec<_> = matching.into_iter().filter(|class| runs(class.clone())).collect();
            if measured.is_empty() {
                return Err(SubmitJobError::NotMeasured { profile: profile.name.clone(), gang });
            }
            measured
        }
    };
    let unit = profile.map_or(Unit::GpuHours, |profile| profile.unit);
    let work = count_work(order.work, unit)?;
    if order.budget <= Micros::ZERO {
        return Err(SubmitJobError::Budget);
    }
    let job = Job {
        id: ctx.id::<JobId>(),
        organisation: ctx.caller.organisation,
        pool: pool.id,
        created_by: ctx.caller.user,
        name: order.name.as_str().to_owned(),
        request: order.gpu.to_string(),
        profile: order.profile,
        unit,
        classes,
        gang,
        weight_milli: order.weight_milli,
        work,
        done: 0,
        reference: 0,
        rho_ppm: None,
        lag_millis: None,
        budget: order.budget,
        spent: Micros::ZERO,
        command: order.command.as_ref().map(|command| command.as_str().to_owned()),
        state: JobState::Queued,
        rental: None,
        created_at: ctx.now,
        version: 1,
    };
    Ok((Submitted { job, currency: pool.currency.clone(), promise: None }, pool.promises))
}
