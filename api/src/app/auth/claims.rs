//! What an access token says.

use scheduler::world::ids::{OrganisationId, SessionId, UserId};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use super::Subject;
use crate::app::{Caller, Role, Via};
use crate::config::limits;

/// Claims of one kind of token.
pub trait SignedClaims: Serialize + DeserializeOwned {
    /// Who issues tokens of this kind, and no others.
    const ISSUER: &'static str;
    /// When the token ends, in seconds since the epoch.
    fn expires(&self) -> i64;
}

impl SignedClaims for Claims {
    const ISSUER: &'static str = "souk";
    fn expires(&self) -> i64 {
        self.exp
    }
}

/// The claims of an access token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// Who issued it.
    pub iss: String,
    /// The person.
    pub sub: UserId,
    /// The organisation the person acts for.
    pub org: OrganisationId,
    /// The person's role there.
    pub role: Role,
    /// Whether the person operates the marketplace.
    pub op: bool,
    /// The log-in that it belongs to.
    pub sid: SessionId,
    /// This one token: the refresh token that was handed out with it.
    pub jti: Uuid,
    /// When it was issued, in seconds since the epoch.
    pub iat: i64,
    /// When it ends, in seconds since the epoch.
    pub exp: i64,
}

impl Claims {
    /// The claims of a token issued now.
    #[must_use]
    pub fn issued(subject: &Subject, sid: SessionId, jti: Uuid, now: OffsetDateTime) -> Self {
        Self {
            iss: Self::ISSUER.to_owned(),
            sub: subject.user.id,
            org: subject.organisation.id,
            role: subject.role,
            op: subject.user.is_operator,
            sid,
            jti,
            iat: now.unix_timestamp(),
            exp: (now + limits::ACCESS_TOKEN).unix_timestamp(),
        }
    }

    /// The caller that presents this token.
    #[must_use]
    pub const fn caller(&self) -> Caller {
        Caller { organisation: self.org, user: self.sub, role: self.role, operator: self.op, via: Via::Token }
    }
}
