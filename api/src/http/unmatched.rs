//! Requests that no route matches: 405 when the path exists with another method, else the page, 404 otherwise.

use std::sync::LazyLock;

use actix_web::http::header::ALLOW;
use actix_web::{HttpRequest, HttpResponse, ResponseError as _};

use super::error::{Code, Problem};
use super::{openapi, page};

struct Path {
    /// `None` for a parameter.
    segments: Vec<Option<String>>,
    methods: Vec<&'static str>,
}

static PATHS: LazyLock<Vec<Path>> = LazyLock::new(|| {
    let description = openapi::description();
    let segments = |path: &str| path.split('/').map(|part| (!part.starts_with('{')).then(|| part.to_owned())).collect();
    let paths = description.paths.paths.iter();
    paths
        .map(|(path, item)| Path {
            segments: segments(path),
            methods: openapi::operations(item).map(|(method, _)| method).collect(),
        })
        .collect()
});

/// Answers what no route matched.
pub async fn answer(request: HttpRequest) -> HttpResponse {
    let methods = methods(request.path());
    if methods.is_empty() {
        let problem = || Problem::new(Code::NotFound, "there is no such route; see /docs").error_response();
        return page::answer(&request).unwrap_or_else(problem);
    }
    let allowed = methods.join(", ");
    let detail = format!("this path takes {allowed}, not {}", request.method());
    let mut response = Problem::new(Code::MethodNotAllowed, detail).error_response();
    if let Ok(value) = allowed.parse() {
        response.headers_mut().insert(ALLOW, value);
    }
    response
}

fn methods(path: &str) -> Vec<&'static str> {
    let parts: Vec<&str> = path.split('/').collect();
    let fits = |segments: &[Option<String>]| {
        segments.len() == parts.len()
            && segments.iter().zip(&parts).all(|(wanted, part)| match wanted {
                Some(wanted) => wanted == part,
                None => !part.is_empty(),
            })
    };
    PATHS.iter().filter(|path| fits(&path.segments)).flat_map(|path| path.methods.iter().copied()).collect()
}
