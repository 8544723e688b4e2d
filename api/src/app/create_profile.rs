//! An operator adds measured speeds of a workload. Never a tenant: a market that trusts self-declared speed-ups is one
//! that pays for lying.

use scheduler::world::class::ClassId;

use super::{Ctx, Name};
use crate::store::profiles::{Profile, ProfileUnit, Speed};
use crate::store::{StoreError, device_classes, profiles};

/// Most speeds of one profile.
const SPEEDS_MAX: usize = 512;
/// The largest gang.
const GANG_MAX: i32 = 64;

/// Why a profile cannot be.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// There is a profile of that name.
    #[error("there is a profile of that name; measure again under another")]
    NameTaken,
    /// None, or too many.
    #[error("a profile has 1 to 512 speeds")]
    Count,
    /// A gang that cannot be asked for.
    #[error("a gang is 1 to 64 devices")]
    Gang,
    /// Two speeds for one thing.
    #[error("{0} is listed twice with the same gang")]
    Repeated(ClassId),
    /// No such class.
    #[error("there is no device class {0}; GET /v1/device-classes lists them")]
    NoSuchClass(ClassId),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What is added.
#[derive(Debug, Clone)]
pub struct NewProfile {
    /// What people call the workload.
    pub name: Name,
    /// What its speeds count.
    pub unit: ProfileUnit,
    /// Where the figures come from.
    pub source: Name,
    /// The speeds.
    pub speeds: Vec<Speed>,
}

fn check(speeds: &[Speed]) -> Result<(), ProfileError> {
    if speeds.is_empty() || speeds.len() > SPEEDS_MAX {
        return Err(ProfileError::Count);
    }
    for (index, speed) in speeds.iter().enumerate() {
        if !(1..=GANG_MAX).contains(&speed.gang) {
            return Err(ProfileError::Gang);
        }
        if speeds[..index].iter().any(|earlier| earlier.class == speed.class && earlier.gang == speed.gang) {
            return Err(ProfileError::Repeated(speed.class.clone()));
        }
    }
    Ok(())
}

/// Adds the profile.
pub async fn create_profile(ctx: &mut Ctx<'_>, new: NewProfile) -> Result<Profile, ProfileError> {
    check(&new.speeds)?;
    let named: Vec<ClassId> = new.speeds.iter().map(|speed| speed.class.clone()).collect();
    let known = device_classes::named(&mut ctx.tx, &named).await?;
    if let Some(missing) = named.into_iter().find(|class| known.iter().all(|known| known.id != *class)) {
        return Err(ProfileError::NoSuchClass(missing));
    }
    let profile = Profile {
        id: ctx.id(),
        name: new.name.as_str().to_owned(),
        unit: new.unit,
        source: new.source.as_str().to_owned(),
        speeds: new.speeds,
    };
    match profiles::add(&mut ctx.tx, std::slice::from_ref(&profile), ctx.now).await? {
        0 => Err(ProfileError::NameTaken),
        _ => Ok(profile),
    }
}
