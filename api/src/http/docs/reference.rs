//! The reference: every operation by tag, then every schema.

use utoipa::openapi::OpenApi;
use utoipa::openapi::path::Operation;

use super::html::{escape, frame, line, prose};
use super::{operation, schema};
use crate::http::openapi;

/// The page.
pub fn page(document: &OpenApi) -> String {
    let mut nav = String::from("<a href=\"/docs\"><strong>souk</strong> API</a>");
    let mut main = format!("<h1>{} API</h1>{}", escape(&document.info.title), introduction(document));
    for tag in document.tags.iter().flatten() {
        let operations = of_tag(document, &tag.name);
        if operations.is_empty() {
            continue;
        }
        let words = line(tag.description.as_deref().unwrap_or_default());
        main.push_str(&format!("<h2 id=\"tag-{0}\">{0}</h2><p>{words}</p>", escape(&tag.name)));
        nav.push_str(&format!("<h2>{}</h2><ul>", escape(&tag.name)));
        for (path, method, described) in operations {
            main.push_str(&operation::section(document, path, method, described));
            let id = escape(described.operation_id.as_deref().unwrap_or_default());
            let summary = line(described.summary.as_deref().unwrap_or_default());
            nav.push_str(&format!("<li><a href=\"#{id}\">{summary}</a></li>"));
        }
        nav.push_str("</ul>");
    }
    nav.push_str("<h2>schemas</h2><ul>");
    main.push_str("<h2 id=\"schemas\">Schemas</h2>");
    for (name, described) in document.components.iter().flat_map(|components| &components.schemas) {
        let name = escape(name);
        let (words, table) = (prose(schema::words(described)), schema::table(described));
        main.push_str(&format!("<section id=\"schema-{name}\"><h3>{name}</h3>{words}{table}</section>"));
        nav.push_str(&format!("<li><a href=\"#schema-{name}\">{name}</a></li>"));
    }
    nav.push_str("</ul>");
    frame("souk API reference", &nav, &main)
}

fn introduction(document: &OpenApi) -> String {
    let words = prose(document.info.description.as_deref().unwrap_or_default());
    format!(
        "{words}<p>Version {}. For programs: <a href=\"/openapi.json\">openapi.json</a>. \
         <a href=\"/docs/errors\">What each error code means</a>.</p>",
        escape(&document.info.version)
    )
}

fn of_tag<'a>(document: &'a OpenApi, tag: &str) -> Vec<(&'a str, &'static str, &'a Operation)> {
    let all = document.paths.paths.iter().flat_map(|(path, item)| {
        openapi::operations(item).map(move |(method, operation)| (path.as_str(), method, operation))
    });
    all.filter(|(_, _, operation)| operation.tags.iter().flatten().any(|name| name == tag)).collect()
}
