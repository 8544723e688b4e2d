//! Answers that a polling client need not receive twice: `ETag` and `If-None-Match`.

use actix_web::body::BoxBody;
use actix_web::http::header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH};
use actix_web::{HttpRequest, HttpResponse, Responder};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// A view with a tag over its content; answered by 304 when the client has it already.
///
/// The tag covers what the client sees rather than the row's version, because a view can change (prices, progress)
/// while its row does not.
#[derive(Debug)]
pub struct Tagged<T>(pub T);

impl<T: Serialize> Responder for Tagged<T> {
    type Body = BoxBody;

    fn respond_to(self, request: &HttpRequest) -> HttpResponse {
        let body = serde_json::to_vec(&self.0).expect("a view is plain data");
        let tag = tag(&body);
        let known = request.headers().get_all(IF_NONE_MATCH).any(|held| names(held.to_str().unwrap_or(""), &tag));
        let mut response = if known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
        response.insert_header((ETAG, tag)).insert_header((CACHE_CONTROL, "private, no-cache"));
        if known { response.finish() } else { response.content_type("application/json").body(body) }
    }
}

/// Weak: a compressed body is the same view.
fn tag(body: &[u8]) -> String {
    let digest = Sha256::digest(body);
    let digits: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("W/\"{digits}\"")
}

/// Whether the header's list of tags contains this one, compared weakly.
fn names(header: &str, tag: &str) -> bool {
    let bare = |text: &str| text.trim().trim_start_matches("W/").to_owned();
    header.trim() == "*" || header.split(',').any(|held| bare(held) == bare(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_found_in_a_list_weak_or_strong() {
        let tag = tag(b"{}");
        let strong = tag.trim_start_matches("W/").to_owned();
        assert!(names(&tag, &tag) && names(&strong, &tag) && names("*", &tag));
        assert!(names(&format!("\"other\", {tag}"), &tag));
        assert!(!names("\"other\"", &tag) && !names("", &tag));
    }

    #[test]
    fn other_content_has_another_tag() {
        assert_ne!(tag(b"{\"a\":1}"), tag(b"{\"a\":2}"));
    }
}
