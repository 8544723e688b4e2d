//! Whether a job may come into a pool, and when it is promised to be finished.

use scheduler::fairness::promise::{Admission, Candidate, NotAdmitted, Unpromised, admit};
use scheduler::world::{ClassId, ClassSpeed};

use crate::clock::to_at;
use crate::job::{Job, unprofiled_speed};
use crate::store::profiles::Profile;
use crate::store::snapshot;
use crate::store::{StoreError, Tx, promises};

/// Asks the pool as it is in this transaction. Only while [`crate::store::pools::lock_admission`] is held is the answer good for a job that is let
/// in.
pub async fn admit_job(
    tx: &mut Tx,
    job: &Job,
    profile: Option<&Profile>,
) -> Result<Result<Admission, NotAdmitted>, StoreError> {
    let world = snapshot::load(tx, job.pool, job.created_at).await?;
    let Some(world) = world else { return Ok(Ok(Admission::Unpromised(Unpromised::NoCap))) };
    let given = promises::standing(tx, job.pool).await?;
    let speeds = speeds(job, profile);
    let candidate = Candidate {
        gang: job.gang,
        weight_milli: job.weight_milli,
        speeds: &speeds,
        work: job.work,
        budget: job.budget,
    };
    Ok(admit(&world.snapshot, &world.rules, &given, &candidate, to_at(job.created_at)))
}

/// How fast the job's gang is on each of its classes.
fn speeds(job: &Job, profile: Option<&Profile>) -> Vec<ClassSpeed> {
    let speed = |class: &ClassId| match profile {
        None => unprofiled_speed(job.gang),
        Some(profile) => {
            let measured = profile.speeds.iter().find(|speed| speed.class == *class && speed.gang == job.gang);
            measured.map_or(0, |speed| speed.milliunits_per_second)
        }
    };
    let speeds =
        job.classes.iter().map(|class| ClassSpeed { class: class.clone(), milliunits_per_second: speed(class) });
    speeds.collect()
}
