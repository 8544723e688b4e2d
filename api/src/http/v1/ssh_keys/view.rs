//! How an SSH key looks on the wire.

use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::http::wire;
use crate::store::ssh_keys::StoredSshKey;

/// A public SSH key.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SshKey)]
pub struct SshKeyView {
    /// Identity.
    #[schema(example = "ssh_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// What people call it.
    #[schema(example = "laptop")]
    pub name: String,
    /// As `ssh-keygen -l` prints it.
    #[schema(example = "SHA256:Q6mvXo8CRW0cNgG/KUGPK5BIC7SlgFNoEPQFCkmLU1w")]
    pub fingerprint: String,
    /// The line of an `authorized_keys` file, without a comment.
    #[schema(example = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJwt2DTk4sg7Cs+afnUBHH25eTX/z6EbRwGnooljenxf")]
    pub public_key: String,
    /// When it was added.
    #[serde(with = "wire::timestamp")]
    #[schema(example = "2026-01-31T12:00:00.000Z")]
    pub created_at: OffsetDateTime,
}

impl From<StoredSshKey> for SshKeyView {
    fn from(key: StoredSshKey) -> Self {
        Self {
            id: key.id.to_string(),
            name: key.name,
            fingerprint: key.fingerprint,
            public_key: key.public_key,
            created_at: key.created_at,
        }
    }
}
