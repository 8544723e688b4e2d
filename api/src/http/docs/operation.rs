//! One operation of the reference: what it takes, how to call it, what it answers.

use utoipa::openapi::path::{Operation, ParameterIn};
use utoipa::openapi::{Content, OpenApi, RefOr};

use super::html::{escape, line, prose};
use super::schema;
use crate::http::openapi::Access;

/// The operation's section.
pub fn section(document: &OpenApi, path: &str, method: &str, operation: &Operation) -> String {
    let id = escape(operation.operation_id.as_deref().unwrap_or_default());
    let summary = line(operation.summary.as_deref().unwrap_or_default());
    let description = prose(operation.description.as_deref().unwrap_or_default());
    let access = Access::of(operation);
    let open = if access.open { "Open to everybody. " } else { "" };
    format!(
        "<section id=\"{id}\"><h3>{summary}</h3>\
         <p class=\"route\"><span class=\"method\">{method}</span> {}</p>{description}\
         <p class=\"note\">{open}<code>{id}</code></p>{}{}{}{}</section>",
        escape(path),
        parameters(operation),
        body(operation),
        call(document, path, method, operation),
        answers(operation),
    )
}

fn parameters(operation: &Operation) -> String {
    let rows = operation.parameters.iter().flatten().map(|parameter| {
        let place = match parameter.parameter_in {
            ParameterIn::Path => "path",
            ParameterIn::Query => "query",
            ParameterIn::Header => "header",
            ParameterIn::Cookie => "cookie",
        };
        let kind = parameter.schema.as_ref().map(schema::kind).unwrap_or_default();
        let words = line(parameter.description.as_deref().unwrap_or_default());
        format!("<tr><td><code>{}</code></td><td>{place}, {kind}</td><td>{words}</td></tr>", escape(&parameter.name))
    });
    let rows: String = rows.collect();
    if rows.is_empty() {
        return String::new();
    }
    format!("<h4>Parameters</h4><table><tr><th>Name</th><th>Where</th><th>Meaning</th></tr>{rows}</table>")
}

fn body(operation: &Operation) -> String {
    let kinds = operation.request_body.iter().flat_map(|body| body.content.values()).filter_map(content_kind);
    kinds.map(|kind| format!("<h4>Body</h4><p>{kind}</p>")).collect()
}

/// A command that can be pasted: the server's own address, a token from the environment, the example body.
fn call(document: &OpenApi, path: &str, method: &str, operation: &Operation) -> String {
    let access = Access::of(operation);
    let mut command = format!("curl -X {method} \"$SOUK_URL{path}\"");
    if access.by_caller || access.by_node {
        command.push_str(" \\\n  -H \"Authorization: Bearer $SOUK_TOKEN\"");
    }
    if operation.parameters.iter().flatten().any(|parameter| parameter.name == "Idempotency-Key") {
        command.push_str(" \\\n  -H \"Idempotency-Key: $(uuidgen)\"");
    }
    let content = operation.request_body.as_ref().and_then(|body| body.content.get("application/json"));
    if let Some(schema) = content.and_then(|content| content.schema.as_ref()) {
        let example = serde_json::to_string_pretty(&schema::example(document, schema)).unwrap_or_default();
        command.push_str(" \\\n  -H \"Content-Type: application/json\" \\\n  -d '");
        command.push_str(&example.replace('\'', "'\\''"));
        command.push('\'');
    }
    format!("<h4>Call</h4><pre>{}</pre>", escape(&command))
}

fn answers(operation: &Operation) -> String {
    let rows = operation.responses.responses.iter().filter_map(|(status, response)| {
        let RefOr::T(response) = response else { return None };
        let kind: String = response.content.values().filter_map(content_kind).collect::<Vec<_>>().join(" | ");
        Some(format!("<tr><td>{}</td><td>{kind}</td><td>{}</td></tr>", escape(status), codes(&response.description)))
    });
    let rows: String = rows.collect();
    format!("<h4>Answers</h4><table><tr><th>Status</th><th>Body</th><th>Meaning</th></tr>{rows}</table>")
}

fn content_kind(content: &Content) -> Option<String> {
    content.schema.as_ref().map(schema::kind)
}

/// Error codes link to what they mean.
fn codes(description: &str) -> String {
    let names: Vec<&str> =
        description.split(", ").filter_map(|part| part.strip_prefix('`')?.strip_suffix('`')).collect();
    let only_codes = !names.is_empty() && names.len() == description.split(", ").count();
    if !only_codes {
        return line(description);
    }
    let link = |name: &&str| format!("<a href=\"/docs/errors#{0}\"><code>{0}</code></a>", escape(name));
    names.iter().map(link).collect::<Vec<_>>().join(", ")
}
