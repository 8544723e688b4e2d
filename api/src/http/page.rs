//! The web page, from inside the binary. Whatever is not a file of it and looks like an address of the page answers
//! with `index.html`, where the page's own router takes over.

use actix_web::http::Method;
use actix_web::http::header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH};
use actix_web::{HttpRequest, HttpResponse};
use rust_embed::{EmbeddedFile, RustEmbed};

/// The built page. A build without one is fine: the server then says how to get it.
#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../frontend/dist"]
#[allow_missing = true]
struct Files;

const INDEX: &str = "index.html";
/// Files below this folder carry a hash of their content in their names.
const HASHED: &str = "assets/";
const FOR_EVER: &str = "public, max-age=31536000, immutable";
const ASK_AGAIN: &str = "no-cache";
const WITHOUT_PAGE: &str = "This server was built without its web page: run `make run`, or build frontend/ before the server.\n\
                            The API is described at /docs and /openapi.json.\n";

/// The page's answer to a request that no route of the API matches; `None` when the page has none either.
pub fn answer(request: &HttpRequest) -> Option<HttpResponse> {
    let path = request.path().trim_start_matches('/');
    if !matches!(*request.method(), Method::GET | Method::HEAD) || path.starts_with("v1/") || path == "v1" {
        return None;
    }
    if let Some(file) = Files::get(path) {
        return Some(send(request, path, &file));
    }
    // A file that is not there must not be answered by a document.
    if path.starts_with(HASHED) || path.rsplit('/').next().is_some_and(|last| last.contains('.')) {
        return None;
    }
    Some(match Files::get(INDEX) {
        Some(file) => send(request, INDEX, &file),
        None => HttpResponse::NotFound().content_type("text/plain; charset=utf-8").body(WITHOUT_PAGE),
    })
}

fn send(request: &HttpRequest, path: &str, file: &EmbeddedFile) -> HttpResponse {
    let hash = file.metadata.sha256_hash();
    // Weak: a compressed body is the same file.
    let tag = format!("W/\"{}\"", hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect::<String>());
    let held = request.headers().get(IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let known = held.is_some_and(|held| held.contains(tag.trim_start_matches("W/")));
    let mut response = if known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header((ETAG, tag));
    response.insert_header((CACHE_CONTROL, if path.starts_with(HASHED) { FOR_EVER } else { ASK_AGAIN }));
    if known {
        return response.finish();
    }
    response.content_type(kind(path)).body(file.data.to_vec())
}

fn kind(path: &str) -> String {
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    match kind.type_() {
        mime_guess::mime::TEXT => format!("{kind}; charset=utf-8"),
        _ => kind.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn status(method: Method, path: &str) -> Option<u16> {
        let request = TestRequest::with_uri(path).method(method).to_http_request();
        answer(&request).map(|response| response.status().as_u16())
    }

    #[test]
    fn addresses_of_the_page_are_answered_and_those_of_the_api_are_not() {
        let page = if Files::get(INDEX).is_some() { 200 } else { 404 };
        assert_eq!(status(Method::GET, "/"), Some(page));
        assert_eq!(status(Method::GET, "/pools/pool_1"), Some(page));
        assert_eq!(status(Method::GET, "/v1/nothing"), None);
        assert_eq!(status(Method::POST, "/"), None);
    }

    #[test]
    fn a_missing_file_is_not_answered_by_a_document() {
        assert_eq!(status(Method::GET, "/assets/index-old.js"), None);
        assert_eq!(status(Method::GET, "/favicon.bmp"), None);
        assert_eq!(status(Method::GET, "/../Cargo.toml"), None);
    }

    #[test]
    fn types_are_those_that_browsers_insist_on() {
        assert_eq!(kind("index.html"), "text/html; charset=utf-8");
        assert_eq!(kind("assets/a.js"), "text/javascript; charset=utf-8");
        assert_eq!(kind("assets/a.woff2"), "font/woff2");
        assert_eq!(kind("logo.svg"), "image/svg+xml");
    }
}
