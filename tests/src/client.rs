//! A small HTTP client that keeps what tests look at: status, headers, JSON. Every answer is held against the description.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::Value;

use crate::described;
use crate::stream::EventStream;

/// A client of one server, with or without a token.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    token: Option<String>,
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Response {
    /// HTTP status.
    pub status: u16,
    /// Header names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body as JSON; null when it is empty, a string when it is not JSON.
    pub body: Value,
}

impl Response {
    /// Fails the test with the body when the status is another.
    #[track_caller]
    #[must_use]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "unexpected answer: {}", self.body);
        self
    }

    /// The stable code of a problem.
    #[must_use]
    pub fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or("")
    }

    /// A string of the body.
    #[track_caller]
    #[must_use]
    pub fn text(&self, field: &str) -> String {
        self.body[field].as_str().unwrap_or_else(|| panic!("no string {field} in {}", self.body)).to_owned()
    }
}

impl Client {
    /// A client without a token.
    #[must_use]
    pub fn new(base: &str) -> Self {
        Self { http: reqwest::Client::new(), base: base.to_owned(), token: None }
    }

    /// The same client with a token or an API key.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), ..self.clone() }
    }

    /// Where the server is.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The token, if there is one.
    #[must_use]
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Response {
        self.send(Method::GET, path, None, &[]).await
    }

    /// DELETE.
    pub async fn delete(&self, path: &str) -> Response {
        self.send(Method::DELETE, path, None, &[]).await
    }

    /// POST without an Idempotency-Key.
    pub async fn post(&self, path: &str, body: Value) -> Response {
        self.send(Method::POST, path, Some(body), &[]).await
    }

    /// POST under an Idempotency-Key.
    pub async fn post_once(&self, path: &str, key: &str, body: Value) -> Response {
        self.send(Method::POST, path, Some(body), &[("Idempotency-Key", key)]).await
    }

    /// PATCH.
    pub async fn patch(&self, path: &str, body: Value) -> Response {
        self.send(Method::PATCH, path, Some(body), &[]).await
    }

    /// Opens a stream of events, after the last event seen if there is one.
    pub async fn follow(&self, path: &str, last_seen: Option<i64>) -> EventStream {
        let mut request = self.http.get(format!("{}{path}", self.base));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        if let Some(last_seen) = last_seen {
            request = request.header("Last-Event-ID", last_seen);
        }
        let response = request.send().await.expect("the server answers");
        assert_eq!(response.status().as_u16(), 200, "{path} streams");
        EventStream::open(response).await
    }

    /// Any request.
    pub async fn send(&self, method: Method, path: &str, body: Option<Value>, headers: &[(&str, &str)]) -> Response {
        let mut request = self.http.request(method.clone(), format!("{}{path}", self.base));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        if let Some(body) = body {
            request = request.json(&body);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = request.send().await.expect("the server answers");
        let status = response.status().as_u16();
        let headers = response
            .headers()
            .iter()
            .map(|(name, value)| (name.as_str().to_owned(), value.to_str().unwrap_or("").to_owned()))
            .collect();
        let text = response.text().await.expect("the body arrives");
        let body =
            if text.is_empty() { Value::Null } else { serde_json::from_str(&text).unwrap_or(Value::String(text)) };
        described::hold(&method, path, status, &body);
        Response { status, headers, body }
    }
}
