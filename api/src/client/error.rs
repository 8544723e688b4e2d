//! What can go wrong between a client and the server, in words a person can act on.

use serde::Deserialize;

/// Why there is no answer to use.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The server said no, and why.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// No server answered.
    #[error("no answer from {server}: start one with `souk serve`, or name another with --server or SOUK_URL")]
    Unreachable {
        /// Where it was looked for.
        server: String,
        /// What happened instead.
        source: reqwest::Error,
    },
    /// An answer this client does not understand.
    #[error("{path} answered what this version does not understand ({source})")]
    Unreadable {
        /// What was asked.
        path: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
}

impl ClientError {
    /// The stable code of a refusal; empty for other failures.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::Refused(refusal) => &refusal.code,
            Self::Unreachable { .. } | Self::Unreadable { .. } => "",
        }
    }

    /// Whether the same request may succeed later without anybody doing anything.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Refused(refusal) => refusal.status == 429 || refusal.status >= 500 || refusal.code == "conflict",
            Self::Unreachable { .. } => true,
            Self::Unreadable { .. } => false,
        }
    }
}

/// A refusal as the server put it (RFC 9457).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Deserialize)]
#[error("{detail}{} [{code}]", field.as_ref().map(|field| format!(" (field `{field}`)")).unwrap_or_default())]
pub struct Refusal {
    /// HTTP status.
    pub status: u16,
    /// The stable code.
    pub code: String,
    /// What happened and what to do next.
    pub detail: String,
    /// The offending field.
    pub field: Option<String>,
    /// Quote this when asking for help.
    pub request_id: Option<String>,
    /// When to come back.
    #[serde(skip)]
    pub retry_after_seconds: Option<u64>,
}

impl Refusal {
    /// Reads the body of a refusal; what is no problem document is quoted as it is.
    pub(super) fn read(status: u16, retry_after_seconds: Option<u64>, body: &str) -> Self {
        let refusal = serde_json::from_str(body).unwrap_or_else(|_| Self {
            status,
            code: format!("http_{status}"),
            detail: if body.is_empty() {
                format!("the server answered {status}")
            } else {
                body.chars().take(200).collect()
            },
            field: None,
            request_id: None,
            retry_after_seconds: None,
        });
        Self { retry_after_seconds, ..refusal }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_reads_as_a_sentence_with_its_field_and_code() {
        let body = r#"{"type":"/docs/errors#x","title":"T","status":422,"code":"invalid_value","detail":"limit is 1 to 200","field":"limit","request_id":"r"}"#;
        let refusal = Refusal::read(422, None, body);
        assert_eq!(refusal.to_string(), "limit is 1 to 200 (field `limit`) [invalid_value]");
    }

    #[test]
    fn a_refusal_that_is_no_problem_document_is_quoted() {
        let refusal = Refusal::read(502, Some(3), "Bad Gateway");
        assert_eq!((refusal.detail.as_str(), refusal.retry_after_seconds), ("Bad Gateway", Some(3)));
    }
}
