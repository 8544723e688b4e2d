//! A person logs in, in two steps: the password is compared outside of any transaction, because that takes long.

use sqlx::PgPool;

use super::auth::{self, Busy, Email, Identity, Password, Session, Subject};
use super::{Ctx, Nobody};
use crate::store::users::User;
use crate::store::{StoreError, Tx, organisations, users};

/// Why nobody was logged in.
#[derive(Debug, thiserror::Error)]
pub enum LoginError {
    /// The same sentence for a wrong password, an unknown address and a person without an organisation.
    #[error("the email address or the password is not right")]
    Refused,
    /// The queue is full.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The person with that address and that password.
pub async fn check_password(
    db: &PgPool,
    identity: &Identity,
    email: Option<&Email>,
    password: Password,
) -> Result<User, LoginError> {
    let credentials = match email {
        Some(email) => users::credentials(&mut Tx::begin_snapshot(db).await?, email.as_str()).await?,
        None => None,
    };
    let stored = credentials.as_ref().map(|found| found.password_hash.clone());
    let matches = identity.passwords.verify(password, stored).await?;
    credentials.filter(|_| matches).map(|found| found.user).ok_or(LoginError::Refused)
}

/// Begins a session for a person whose password was right, in the organisation it used last.
pub async fn login(ctx: &mut Ctx<'_, Nobody>, identity: &Identity, user: User) -> Result<Session, LoginError> {
    let membership = organisations::used_last(&mut ctx.tx, user.id).await?.ok_or(LoginError::Refused)?;
    let family = ctx.id();
    Ok(auth::open(ctx, &identity.keys, Subject::new(user, membership)?, family, None).await?)
}
