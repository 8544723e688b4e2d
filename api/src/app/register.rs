//! A person signs up, with an organisation of its own.

use scheduler::world::Micros;
use scheduler::world::ids::{OrganisationId, UserId};

use super::auth::{self, Email, Identity, Session, Subject};
use super::give_credit::{Credit, GiveCreditError, give_credit};
use super::{Ctx, Name, Nobody, Role};
use crate::store::organisations::{self, Organisation};
use crate::store::users::{self, User};
use crate::store::{StoreError, ledger, members};

/// What a person says about itself when it signs up.
#[derive(Debug, Clone)]
pub struct Registration {
    /// How the person logs in.
    pub email: Email,
    /// Already hashed: hashing takes long and happens before the transaction.
    pub password_hash: String,
    /// What others call the person.
    pub display_name: Name,
    /// What the person's organisation is called.
    pub organisation_name: Name,
}

/// Why nobody was registered.
#[derive(Debug, thiserror::Error)]
pub enum RegisterError {
    /// Somebody has that address.
    #[error("this email address has an account; log in instead")]
    EmailTaken,
    /// The credit for beginners was not given, so nobody was registered.
    #[error(transparent)]
    Credit(#[from] GiveCreditError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a new organisation has money: the reason in its ledger.
const WELCOME: &str = "sign-up credit";

/// Creates the person, its organisation with its accounts, and the first session. `welcome` is what a new organisation
/// finds in its wallet.
pub async fn register(
    ctx: &mut Ctx<'_, Nobody>,
    identity: &Identity,
    registration: Registration,
    currency: &str,
    welcome: Option<Micros>,
) -> Result<Session, RegisterError> {
    let (user, organisation) = decide(ctx, &registration, currency);
    users::insert(&mut ctx.tx, &user, &registration.password_hash)
        .await
        .map_err(|error| if error.violates(users::EMAIL_TAKEN) { RegisterError::EmailTaken } else { error.into() })?;
    organisations::insert(&mut ctx.tx, &organisation).await?;
    members::insert(&mut ctx.tx, organisation.id, user.id, Role::Owner.as_str(), ctx.now).await?;
    ledger::open_tenant(&mut ctx.tx, ctx.entropy, organisation.id, currency, ctx.now).await?;
    if let Some(credit) = welcome.and_then(|amount| Credit::new(organisation.id, amount, WELCOME).ok()) {
        give_credit(ctx, &credit).await?;
    }
    let subject = Subject { user, organisation, role: Role::Owner };
    let family = ctx.id();
    Ok(auth::open(ctx, &identity.keys, subject, family, None).await?)
}

fn decide(ctx: &Ctx<'_, Nobody>, registration: &Registration, currency: &str) -> (User, Organisation) {
    let user = User {
        id: ctx.id::<UserId>(),
        email: registration.email.as_str().to_owned(),
        display_name: registration.display_name.as_str().to_owned(),
        is_operator: false,
        created_at: ctx.now,
    };
    let organisation = Organisation {
        id: ctx.id::<OrganisationId>(),
        name: registration.organisation_name.as_str().to_owned(),
        currency: currency.to_owned(),
        created_at: ctx.now,
    };
    (user, organisation)
}
