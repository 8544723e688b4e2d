//! A public key joins the organisation: it opens the organisation's rentals.

use super::ssh_key::SshKey;
use super::{Ctx, Name};
use crate::config::limits;
use crate::store::StoreError;
use crate::store::ssh_keys::{self, StoredSshKey};

/// Why no key was added.
#[derive(Debug, thiserror::Error)]
pub enum AddSshKeyError {
    /// The organisation has this key.
    #[error("the organisation has this key already")]
    Exists,
    /// The organisation has too many keys.
    #[error("an organisation has at most {} SSH keys; remove one first", limits::SSH_KEYS_PER_ORGANISATION)]
    TooMany,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Adds the key.
pub async fn add_ssh_key(ctx: &mut Ctx<'_>, name: &Name, key: &SshKey) -> Result<StoredSshKey, AddSshKeyError> {
    let organisation = ctx.caller.organisation;
    if ssh_keys::count(&mut ctx.tx, organisation).await? >= limits::SSH_KEYS_PER_ORGANISATION {
        return Err(AddSshKeyError::TooMany);
    }
    let stored = StoredSshKey {
        id: ctx.id(),
        name: name.as_str().to_owned(),
        fingerprint: key.fingerprint(),
        public_key: key.line(),
        created_at: ctx.now,
    };
    let inserted = ssh_keys::insert(&mut ctx.tx, organisation, ctx.caller.user, &stored).await;
    inserted.map_err(|error| if error.violates(ssh_keys::EXISTS) { AddSshKeyError::Exists } else { error.into() })?;
    Ok(stored)
}
