//! A client of the public API: what the tenant's commands, the demo and the bench speak with.
//!
//! Lives here: HTTP, tokens, refusals, rate limits, pages, and the parts of the views that a client reads. Must not live
//! here: what to ask for, and any way around the API.

mod error;
mod pace;
pub mod view;

use std::sync::Arc;
use std::time::Duration;

use reqwest::{Method, RequestBuilder, Response};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::entropy::Secret;
pub use error::{ClientError, Refusal};
use pace::Pace;

/// Attempts at a request that is refused for coming too often.
const ATTEMPTS_MAX: u32 = 5;
/// The longest pause a server can ask for.
const PAUSE_MAX: Duration = Duration::from_secs(90);
/// How long a request may take.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Pages followed when a whole list is asked for.
const PAGES_MAX: usize = 100;

/// A client of one server, with or without a token. Cheap to clone; clones share connections and pace.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    base: Arc<str>,
    token: Option<Secret>,
    pace: Arc<Pace>,
}

impl Client {
    /// A client without a token.
    pub fn new(server: &str) -> Result<Self, ClientError> {
        let http = reqwest::Client::builder().timeout(TIMEOUT).user_agent("souk").build();
        let http = http.map_err(|source| ClientError::Unreachable { server: server.to_owned(), source })?;
        let base = server.trim_end_matches('/').into();
        Ok(Self { http, base, token: None, pace: Arc::default() })
    }

    /// The same server, as the holder of an access token or an API key, with a pace of its own.
    #[must_use]
    pub fn with_token(&self, token: Secret) -> Self {
        Self { token: Some(token), pace: Arc::default(), ..self.clone() }
    }

    /// Where the server is.
    #[must_use]
    pub fn server(&self) -> &str {
        &self.base
    }

    /// As whom it speaks.
    #[must_use]
    pub const fn token(&self) -> Option<&Secret> {
        self.token.as_ref()
    }

    /// GET.
    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ClientError> {
        self.send(Method::GET, path, None, None).await
    }

    /// POST.
    pub async fn post<T: DeserializeOwned>(&self, path: &str, body: &Value) -> Result<T, ClientError> {
        self.send(Method::POST, path, None, Some(body)).await
    }

    /// POST under an Idempotency-Key: sent twice, it happens once.
    pub async fn post_once<T: DeserializeOwned>(&self, path: &str, key: &str, body: &Value) -> Result<T, ClientError> {
        self.send(Method::POST, path, Some(key), Some(body)).await
    }

    /// An action on an object, under an Idempotency-Key, without a body.
    pub async fn act<T: DeserializeOwned>(&self, path: &str, key: &str) -> Result<T, ClientError> {
        self.send(Method::POST, path, Some(key), None).await
    }

    /// PATCH.
    pub async fn patch<T: DeserializeOwned>(&self, path: &str, body: &Value) -> Result<T, ClientError> {
        self.send(Method::PATCH, path, None, Some(body)).await
    }

    /// Every page of a list. `path` may carry a query of its own.
    pub async fn list<T: DeserializeOwned>(&self, path: &str) -> Result<Vec<T>, ClientError> {
        let joint = if path.contains('?') { '&' } else { '?' };
        let first = format!("{path}{joint}limit=200");
        let mut items = Vec::new();
        let mut next = first.clone();
        for _ in 0..PAGES_MAX {
            let page: view::Page<T> = self.get(&next).await?;
            items.extend(page.items);
            match page.next_cursor {
                Some(cursor) => next = format!("{first}&cursor={cursor}"),
                None => break,
            }
        }
        Ok(items)
    }

    async fn send<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        key: Option<&str>,
        body: Option<&Value>,
    ) -> Result<T, ClientError> {
        let mut attempt = 1;
        loop {
            self.pace.wait().await;
            let response = self.request(method.clone(), path, key, body).send().await;
            let response = response.map_err(|source| self.unreachable(source))?;
            self.pace.learn(response.headers());
            match self.parsed(response).await {
                Err(ClientError::Refused(refusal)) if refusal.status == 429 && attempt < ATTEMPTS_MAX => {
                    attempt += 1;
                    let pause = Duration::from_secs(refusal.retry_after_seconds.unwrap_or(1));
                    tokio::time::sleep(pause.min(PAUSE_MAX)).await;
                }
                result => return result,
            }
        }
    }

    fn request(&self, method: Method, path: &str, key: Option<&str>, body: Option<&Value>) -> RequestBuilder {
        let mut request = self.http.request(method, format!("{}{path}", self.base));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token.reveal());
        }
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        match body {
            Some(body) => request.json(body),
            None => request,
        }
    }

    async fn parsed<T: DeserializeOwned>(&self, response: Response) -> Result<T, ClientError> {
        let status = response.status();
        let retry_after = pace::number(response.headers(), "retry-after");
        let path = response.url().path().to_owned();
        let text = response.text().await.map_err(|source| self.unreachable(source))?;
        if !status.is_success() {
            return Err(ClientError::Refused(Refusal::read(status.as_u16(), retry_after, &text)));
        }
        // No content is the unit value, which JSON writes as null.
        let text = if text.is_empty() { "null" } else { &text };
        serde_json::from_str(text).map_err(|source| ClientError::Unreadable { path, source })
    }

    fn unreachable(&self, source: reqwest::Error) -> ClientError {
        ClientError::Unreachable { server: self.base.to_string(), source }
    }
}
