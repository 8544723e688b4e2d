//! The node's line to the server: enrolling, tokens, and the three things that are said over it.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use serde::de::DeserializeOwned;

use crate::clock::Instant;
use crate::identity::{Enrolment, Identity, IdentityError};
use crate::protocol::{AskToken, Enrol, Enrolled, Hardware, Heartbeat, ServerTime, Token, Work};

/// An answer that takes longer is given up; questions that wait for news have their own bound.
const ANSWER_WITHIN: Duration = Duration::from_secs(15);
/// The longest a question for news is left open.
const NEWS_WITHIN: Duration = Duration::from_secs(45);
/// A token is renewed when this part of its life is left.
const RENEW_BELOW: u32 = 4;

/// Why the server was not reached, or refused.
#[derive(Debug, thiserror::Error)]
pub enum ConnectionError {
    /// No answer.
    #[error("the server did not answer: {0}")]
    Unreachable(#[source] reqwest::Error),
    /// An answer that says no.
    #[error("the server refused ({status}): {detail}")]
    Refused {
        /// The status.
        status: u16,
        /// The stable code, if there was one.
        code: String,
        /// Its words.
        detail: String,
    },
    /// The node's files.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The node has not enrolled, and was given no token to.
    #[error("this node has not enrolled; ask its provider for an enrolment token and pass it with --token")]
    NotEnrolled,
    /// The node's folder belongs to a node of another server.
    #[error("this folder holds a node of {0}; choose another --data-dir for this server")]
    OtherServer(String),
}

/// An enrolled node's line to its server.
#[derive(Debug)]
pub struct Connection {
    http: Client,
    server: String,
    node_id: String,
    identity: Identity,
    token: Mutex<Option<Held>>,
}

#[derive(Debug, Clone)]
struct Held {
    token: String,
    renew_at: Instant,
}

impl Connection {
    /// Opens the line, enrolling first if the node has not. Enrolling is safe to repeat: the server knows the key.
    pub async fn open(
        server: &str,
        identity: Identity,
        name: &str,
        token: Option<&str>,
        hardware: &Hardware,
    ) -> Result<Self, ConnectionError> {
        let http = Client::builder().timeout(ANSWER_WITHIN).build().map_err(ConnectionError::Unreachable)?;
        let server = server.trim_end_matches('/').to_owned();
        let node_id = match identity.enrolment()? {
            Some(enrolment) if enrolment.server == server => enrolment.node_id,
            Some(enrolment) => return Err(ConnectionError::OtherServer(enrolment.server)),
            None => {
                let token = token.ok_or(ConnectionError::NotEnrolled)?;
                let body = Enrol { token, name, public_key: identity.public_key(), hardware };
                let request = http.post(format!("{server}/v1/agent/enrol")).json(&body);
                let enrolled: Enrolled = answer(request.send().await).await?;
                for device in &enrolled.unknown_devices {
                    tracing::warn!(device, "the market knows no class for this device; it is not listed");
                }
                identity.keep(&Enrolment { server: server.clone(), node_id: enrolled.node_id.clone() })?;
                enrolled.node_id
            }
        };
        Ok(Self { http, server, node_id, identity, token: Mutex::new(None) })
    }

    /// The node's id.
    #[must_use]
    pub fn node_id(&self) -> &str {
        &self.node_id
    }

    /// Who the node is.
    #[must_use]
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Says how everything fares; the answer is what should run.
    pub async fn heartbeat(&self, heartbeat: &Heartbeat) -> Result<Work, ConnectionError> {
        self.ask(|| self.request(Method::POST, "/v1/agent/heartbeat").json(heartbeat)).await
    }

    /// Waits until what should run is no longer what is `known`.
    pub async fn news(&self, known: &str) -> Result<Work, ConnectionError> {
        self.ask(|| self.request(Method::GET, "/v1/agent/work").query(&[("known", known)]).timeout(NEWS_WITHIN)).await
    }

    /// The address of a shell, and the token to dial it with.
    pub async fn shell(&self, id: &str) -> Result<(String, String), ConnectionError> {
        let token = self.token().await?;
        let server = self.server.replacen("http", "ws", 1);
        Ok((format!("{server}/v1/agent/shells/{id}"), token))
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.server))
    }

    /// Asks with a token; when the server does not take it (any more), with a new one.
    async fn ask<T: DeserializeOwned>(&self, request: impl Fn() -> RequestBuilder) -> Result<T, ConnectionError> {
        let token = self.token().await?;
        match answer(request().bearer_auth(token).send().await).await {
            Err(ConnectionError::Refused { status: 401, .. }) => {
                self.forget_token();
                let token = self.token().await?;
                answer(request().bearer_auth(token).send().await).await
            }
            answered => answered,
        }
    }

    async fn token(&self) -> Result<String, ConnectionError> {
        let held = self.token.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(held) = held.filter(|held| Instant::now() < held.renew_at) {
            return Ok(held.token);
        }
        // The server's time is signed, not this machine's, which may be wrong by any amount.
        let time: ServerTime = answer(self.request(Method::GET, "/v1/agent/time").send().await).await?;
        let asked = Instant::now();
        let signature = self.identity.sign_for_token(&self.node_id, &time.at);
        let body = AskToken { node_id: &self.node_id, at: &time.at, signature };
        let granted: Token = answer(self.request(Method::POST, "/v1/agent/token").json(&body).send().await).await?;
        let life = Duration::from_secs(granted.expires_in_seconds);
        let held = Held { token: granted.token, renew_at: asked.after(life - life / RENEW_BELOW) };
        *self.token.lock().unwrap_or_else(PoisonError::into_inner) = Some(held.clone());
        Ok(held.token)
    }

    fn forget_token(&self) {
        *self.token.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

async fn answer<T: DeserializeOwned>(sent: Result<Response, reqwest::Error>) -> Result<T, ConnectionError> {
    let response = sent.map_err(ConnectionError::Unreachable)?;
    let status = response.status();
    if status.is_success() {
        return response.json().await.map_err(ConnectionError::Unreachable);
    }
    let problem: serde_json::Value = response.json().await.unwrap_or_default();
    let text = |name: &str| problem.get(name).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
    let detail = match text("detail") {
        detail if detail.is_empty() => reason(status),
        detail => detail,
    };
    Err(ConnectionError::Refused { status: status.as_u16(), code: text("code"), detail })
}

fn reason(status: StatusCode) -> String {
    status.canonical_reason().unwrap_or("no reason was given").to_owned()
}
