//! A person with an account on the server, logged in again whenever that is necessary.

use serde_json::json;

use super::notebook::Notebook;
use crate::client::view::Session;
use crate::client::{Client, ClientError};
use crate::entropy::Secret;

/// Reserved for examples: nobody's mail.
const DOMAIN: &str = "demo.example";

/// How somebody logs in.
#[derive(Debug, Clone)]
pub struct Account {
    /// The address.
    pub email: String,
    /// The password.
    pub password: Secret,
    /// The organisation's name.
    pub organisation: String,
}

impl Account {
    /// The account of that slug in this notebook.
    #[must_use]
    pub fn of(notebook: &Notebook, slug: &str, organisation: &str) -> Self {
        let email = format!("{slug}@{DOMAIN}");
        Self { email, password: notebook.password(slug), organisation: organisation.to_owned() }
    }
}

/// Somebody who is logged in.
#[derive(Debug, Clone)]
pub struct Person {
    account: Account,
    anyone: Client,
    /// Speaks as this person.
    client: Client,
    /// The person's organisation.
    pub organisation: String,
    /// Whether the person operates the marketplace.
    pub operator: bool,
}

impl Person {
    /// Logs in, or signs up when there is no such account.
    pub async fn enter(anyone: &Client, account: Account) -> Result<Self, ClientError> {
        let session = match log_in(anyone, &account).await {
            Err(error) if error.code() == "credentials_invalid" => sign_up(anyone, &account).await?,
            result => result?,
        };
        Ok(Self {
            client: speaking(anyone, &session),
            anyone: anyone.clone(),
            organisation: session.organisation.id,
            operator: session.user.operator,
            account,
        })
    }

    /// Logs in again: for a token that is over, or one that does not know of a change.
    pub async fn renew(&mut self) -> Result<(), ClientError> {
        let session = log_in(&self.anyone, &self.account).await?;
        self.operator = session.user.operator;
        self.client = speaking(&self.anyone, &session);
        Ok(())
    }

    /// Asks as this person; once more after a new log-in when the token was over.
    pub async fn ask<T>(
        &mut self,
        question: impl AsyncFn(&Client) -> Result<T, ClientError>,
    ) -> Result<T, ClientError> {
        match question(&self.client).await {
            Err(error) if matches!(error.code(), "token_expired" | "unauthenticated") => {
                self.renew().await?;
                question(&self.client).await
            }
            result => result,
        }
    }
}

fn speaking(anyone: &Client, session: &Session) -> Client {
    anyone.with_token(Secret::presented(&session.access_token))
}

async fn log_in(anyone: &Client, account: &Account) -> Result<Session, ClientError> {
    let body = json!({"email": account.email, "password": account.password.reveal()});
    anyone.post("/v1/auth/login", &body).await
}

async fn sign_up(anyone: &Client, account: &Account) -> Result<Session, ClientError> {
    let name = &account.organisation;
    let body = json!({
        "email": account.email,
        "password": account.password.reveal(),
        "display_name": name,
        "organisation_name": name,
    });
    anyone.post("/v1/auth/register", &body).await
}
