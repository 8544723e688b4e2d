//! Every request has an id: the caller's, or one made here. It is in every log line, every error and every response.

use actix_web::dev::ServiceRequest;
use actix_web::http::header::HeaderName;
use uuid::Uuid;

use crate::State;

/// The header that carries it both ways.
pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

tokio::task_local! {
    static REQUEST_ID: String;
}

/// The id of the request being handled on this task.
#[must_use]
pub fn current() -> Option<String> {
    REQUEST_ID.try_with(Clone::clone).ok()
}

/// Handles the request under its id.
pub async fn scope<F: Future>(id: String, handling: F) -> F::Output {
    REQUEST_ID.scope(id, handling).await
}

/// The id that the request brought along, if it is a harmless one; otherwise a new one.
pub fn choose(request: &ServiceRequest, state: &State) -> String {
    let brought = request.headers().get(HEADER).and_then(|value| value.to_str().ok()).filter(|text| harmless(text));
    brought.map_or_else(|| state.entropy.id::<Uuid>(state.clock.now()).simple().to_string(), str::to_owned)
}

fn harmless(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_cannot_smuggle_anything_into_the_log() {
        assert!(harmless("a-Z_09"));
        for text in ["", "a b", "a\nb", "{}", &"a".repeat(65)] {
            assert!(!harmless(text), "{text:?}");
        }
    }
}
