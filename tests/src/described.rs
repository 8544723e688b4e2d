//! Holds answers against the API's description: whatever a suite sees must be what the description says.

use reqwest::Method;
use serde_json::Value;
use souk::http::openapi;
use utoipa::openapi::RefOr;
use utoipa::openapi::path::Operation;

/// Fails the test when the route is described and the answer is not: its status, and the code of a refusal.
///
/// # Panics
/// When it is not described.
pub fn hold(method: &Method, path: &str, status: u16, body: &Value) {
    let Some(operation) = operation(method, path) else { return };
    let name = operation.operation_id.as_deref().unwrap_or(path);
    let described = operation.responses.responses.get(&status.to_string());
    let Some(RefOr::T(described)) = described else {
        panic!("{name} answered {status}, which its description does not say: {body}");
    };
    if let Some(code) = body["code"].as_str().filter(|_| status >= 400) {
        let known = described.description.contains(&format!("`{code}`"));
        assert!(known, "{name} answered `{code}`, which is not among the codes of {status}: add it to OWN in codes.rs");
    }
}

/// The operation behind a path: of several templates that fit, the one with the fewest variables.
fn operation(method: &Method, path: &str) -> Option<&'static Operation> {
    let path = path.split('?').next().unwrap_or(path);
    let fitting = openapi::description().paths.paths.iter().filter(|(template, _)| fits(template, path));
    let (_, item) = fitting.min_by_key(|(template, _)| template.matches('{').count())?;
    openapi::operations(item).find(|(name, _)| *name == method.as_str()).map(|(_, operation)| operation)
}

fn fits(template: &str, path: &str) -> bool {
    let (mut wanted, mut given) = (template.split('/'), path.split('/'));
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return true,
            (Some(wanted), Some(given)) if wanted.starts_with('{') || wanted == given => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_that_is_described_passes() {
        hold(&Method::GET, "/v1/pools?limit=1", 200, &json!({ "items": [] }));
        hold(&Method::POST, "/v1/bids", 409, &json!({ "code": "insufficient_funds" }));
        hold(&Method::POST, "/v1/bids/dry-run", 422, &json!({ "code": "no_such_class" }));
        hold(&Method::GET, "/nowhere", 404, &json!({ "code": "not_found" }));
    }

    #[test]
    #[should_panic(expected = "place_bid answered `email_taken`")]
    fn a_code_that_is_not_described_fails() {
        hold(&Method::POST, "/v1/bids", 409, &json!({ "code": "email_taken" }));
    }

    #[test]
    #[should_panic(expected = "answered 418")]
    fn a_status_that_is_not_described_fails() {
        hold(&Method::GET, "/v1/pools", 418, &Value::Null);
    }
}
