//! Which server a command talks to, and as whom.

use clap::Args;
use serde_json::json;

use super::session::{self, Stored};
use crate::client::view::Session;
use crate::client::{Client, ClientError};
use crate::clock::{Clock as _, SystemClock};
use crate::entropy::Secret;

/// A token that ends sooner is renewed before it is used.
const MARGIN_SECONDS: i64 = 60;
/// Where `souk serve` listens unless told otherwise.
const LOCAL: &str = "http://127.0.0.1:8080";

/// The server and the caller.
#[derive(Debug, Args)]
pub(super) struct Connection {
    /// The server; the one you logged in to unless given
    #[arg(long, env = "SOUK_URL")]
    server: Option<String>,

    /// An API key or an access token, in place of `souk login`
    #[arg(long, env = "SOUK_TOKEN", hide_env_values = true)]
    token: Option<String>,
}

impl Connection {
    /// The server, as nobody.
    pub(super) fn anyone(&self) -> anyhow::Result<Client> {
        let stored = session::read(&session::path()?)?;
        let server = self.server.clone().or(stored.map(|stored| stored.server));
        Ok(Client::new(server.as_deref().unwrap_or(LOCAL))?)
    }

    /// The server, as the caller.
    pub(super) async fn caller(&self) -> anyhow::Result<Client> {
        let anyone = self.anyone()?;
        if let Some(token) = &self.token {
            return Ok(anyone.with_token(Secret::presented(token)));
        }
        let stored = session::read(&session::path()?)?.filter(|stored| stored.server == anyone.server());
        let stored = stored.ok_or_else(|| {
            anyhow::anyhow!("you are not logged in to {}: run `souk login`, or set SOUK_TOKEN", anyone.server())
        })?;
        let left = stored.expires_at - SystemClock.now().unix_timestamp();
        let stored = if left < MARGIN_SECONDS { renew(&anyone, &stored).await? } else { stored };
        Ok(anyone.with_token(Secret::presented(&stored.access_token)))
    }
}

async fn renew(anyone: &Client, stored: &Stored) -> anyhow::Result<Stored> {
    let body = json!({"refresh_token": stored.refresh_token});
    let session: Result<Session, ClientError> = anyone.post("/v1/auth/refresh", &body).await;
    let session = session.map_err(|error| match error {
        ClientError::Refused(refusal) if refusal.status == 401 => {
            anyhow::anyhow!("your log-in is over: run `souk login` again")
        }
        other => other.into(),
    })?;
    remember(anyone, &session)
}

/// Keeps a log-in for the next command.
pub(super) fn remember(anyone: &Client, session: &Session) -> anyhow::Result<Stored> {
    let stored = Stored {
        server: anyone.server().to_owned(),
        access_token: session.access_token.clone(),
        refresh_token: session.refresh_token.clone(),
        expires_at: SystemClock.now().unix_timestamp() + session.expires_in_seconds,
    };
    session::write(&session::path()?, &stored)?;
    Ok(stored)
}
