//! Every error code, what it means, and which operations answer with it.

use utoipa::openapi::{OpenApi, RefOr};

use super::html::{escape, frame, line};
use crate::http::error::Code;
use crate::http::openapi;

/// The page.
pub fn page(document: &OpenApi) -> String {
    let mut nav = String::from("<a href=\"/docs\"><strong>souk</strong> API</a><h2>errors</h2><ul>");
    let mut main = String::from(
        "<h1>Error codes</h1><p>Every error is <code>application/problem+json</code> with a stable <code>code</code>; \
         <code>detail</code> says what happened in a sentence and may be worded differently tomorrow.</p>",
    );
    for code in Code::ALL {
        let name = escape(code.as_str());
        nav.push_str(&format!("<li><a href=\"#{name}\">{name}</a></li>"));
        main.push_str(&format!(
            "<section id=\"{name}\"><h3>{}</h3><p class=\"route\">{} {name}</p><p>{}</p>{}</section>",
            escape(code.title()),
            code.status(),
            line(code.meaning().trim()),
            answered_by(document, *code),
        ));
    }
    nav.push_str("</ul>");
    frame("souk error codes", &nav, &main)
}

/// The operations that answer with the code, unless it is one of those that nearly all share.
fn answered_by(document: &OpenApi, code: Code) -> String {
    let (named, status) = (format!("`{}`", code.as_str()), code.status().to_string());
    let operations =
        document.paths.paths.values().flat_map(|item| openapi::operations(item).map(|(_, operation)| operation));
    let (mut all, mut answering) = (0_usize, Vec::new());
    for operation in operations {
        all += 1;
        let response = operation.responses.responses.get(&status);
        if matches!(response, Some(RefOr::T(response)) if response.description.contains(&named)) {
            answering.push(escape(operation.operation_id.as_deref().unwrap_or_default()));
        }
    }
    if answering.is_empty() || answering.len() * 3 > all {
        return String::new();
    }
    let links: Vec<String> = answering.iter().map(|id| format!("<a href=\"/docs#{id}\">{id}</a>")).collect();
    format!("<p class=\"note\">Answered by {}.</p>", links.join(", "))
}
