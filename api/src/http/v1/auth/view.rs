//! How a session looks on the wire.

use serde::Serialize;
use utoipa::ToSchema;

use crate::app::Role;
use crate::app::auth::Session;
use crate::config::limits;
use crate::http::v1::me::UserView;
use crate::http::v1::organisations::OrganisationView;

/// A session: who acts for whom, and the two tokens.
#[derive(Serialize, ToSchema)]
#[schema(as = Session)]
pub struct SessionView {
    /// Send as `Authorization: Bearer …`.
    #[schema(example = "eyJhbGciOiJFZERTQSIsImtpZCI6IjljMjQ…")]
    pub access_token: String,
    /// Always `Bearer`.
    #[schema(example = "Bearer")]
    pub token_type: &'static str,
    /// How long the access token counts.
    #[schema(example = 600)]
    pub expires_in_seconds: u64,
    /// Good for one `POST /v1/auth/refresh`, which hands out the next one.
    #[schema(example = "soukr_0yK5vYv3…")]
    pub refresh_token: String,
    /// The person.
    pub user: UserView,
    /// The organisation the person acts for.
    pub organisation: OrganisationView,
    /// The person's role there.
    pub role: Role,
}

impl From<Session> for SessionView {
    fn from(session: Session) -> Self {
        Self {
            access_token: session.access_token.reveal().to_owned(),
            token_type: "Bearer",
            expires_in_seconds: limits::ACCESS_TOKEN.as_secs(),
            refresh_token: session.refresh_token.reveal().to_owned(),
            user: session.subject.user.into(),
            organisation: session.subject.organisation.into(),
            role: session.subject.role,
        }
    }
}
