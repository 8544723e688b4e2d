//! What can be said of every operation by rule, said once: names of lists, fields that are always there, refusals.

use std::collections::{BTreeMap, BTreeSet};

use utoipa::openapi::path::{Operation, ParameterIn};
use utoipa::openapi::schema::{ArrayItems, Schema};
use utoipa::openapi::{Content, OpenApi, PathItem, Ref, RefOr, Response, ResponseBuilder};

use super::codes;
use crate::http::error::Code;

/// Refines the collected description.
pub fn refine(collected: OpenApi) -> OpenApi {
    let mut document = name_lists(&collected);
    let asked = asked_schemas(&document);
    if let Some(components) = &mut document.components {
        for (name, schema) in &mut components.schemas {
            refer_to_items(name, schema);
            unwrap_descriptions(schema);
            if !asked.contains(name) {
                always_there(schema);
            }
        }
    }
    for (path, item) in &mut document.paths.paths {
        for (reads, operation) in operations_mut(item) {
            operation.description = operation.description.as_deref().map(unwrapped);
            name_successes(operation);
            spell_refusals(path, reads, operation);
        }
    }
    document
}

/// `BidList` rather than `List_Bid`.
fn name_lists(collected: &OpenApi) -> OpenApi {
    let mut text = collected.to_json().expect("a description is plain data");
    let names = collected.components.iter().flat_map(|components| components.schemas.keys());
    for name in names {
        if let Some(of) = name.strip_prefix("List_") {
            text = text.replace(&format!("\"{name}\""), &format!("\"{of}List\""));
            text = text.replace(&format!("schemas/{name}\""), &format!("schemas/{of}List\""));
        }
    }
    serde_json::from_str(&text).expect("names are only names")
}

/// The schemas of request bodies, with everything inside them: only there can a field be left out.
fn asked_schemas(document: &OpenApi) -> BTreeSet<String> {
    let mut open: Vec<String> = Vec::new();
    for item in document.paths.paths.values() {
        for body in super::operations(item).filter_map(|(_, operation)| operation.request_body.as_ref()) {
            open.extend(body.content.values().filter_map(|content| content.schema.as_ref()).flat_map(named));
        }
    }
    let mut asked = BTreeSet::new();
    while let Some(name) = open.pop() {
        let schema = document.components.as_ref().and_then(|components| components.schemas.get(&name));
        if asked.insert(name) {
            open.extend(schema.into_iter().flat_map(named));
        }
    }
    asked
}

/// The named schemas that a schema mentions.
fn named(schema: &RefOr<Schema>) -> Vec<String> {
    match schema {
        RefOr::Ref(reference) => reference.ref_location.rsplit('/').next().map(str::to_owned).into_iter().collect(),
        RefOr::T(Schema::Object(object)) => object.properties.values().flat_map(named).collect(),
        RefOr::T(Schema::OneOf(one)) => one.items.iter().flat_map(named).collect(),
        RefOr::T(Schema::AllOf(all)) => all.items.iter().flat_map(named).collect(),
        RefOr::T(Schema::AnyOf(any)) => any.items.iter().flat_map(named).collect(),
        RefOr::T(Schema::Array(array)) => match &array.items {
            ArrayItems::RefOrSchema(inner) => named(inner),
            ArrayItems::False => Vec::new(),
        },
        RefOr::T(_) => Vec::new(),
    }
}

/// An answer has all its fields, always; one without a value is null.
fn always_there(schema: &mut RefOr<Schema>) {
    match schema {
        RefOr::T(Schema::Object(object)) => object.required = object.properties.keys().cloned().collect(),
        RefOr::T(Schema::AllOf(all)) => all.items.iter_mut().for_each(always_there),
        RefOr::Ref(_) | RefOr::T(_) => {}
    }
}

/// A list's items by name rather than spelled out again.
fn refer_to_items(name: &str, schema: &mut RefOr<Schema>) {
    let Some(of) = name.strip_suffix("List") else { return };
    if let RefOr::T(Schema::Object(object)) = schema
        && let Some(RefOr::T(Schema::Array(array))) = object.properties.get_mut("items")
    {
        array.items = ArrayItems::RefOrSchema(Box::new(RefOr::Ref(Ref::from_schema_name(of))));
    }
}

fn unwrap_descriptions(schema: &mut RefOr<Schema>) {
    match schema {
        RefOr::T(Schema::Object(object)) => {
            object.description = object.description.as_deref().map(unwrapped);
            object.properties.values_mut().for_each(unwrap_descriptions);
        }
        RefOr::T(Schema::AllOf(all)) => all.items.iter_mut().for_each(unwrap_descriptions),
        RefOr::T(Schema::Array(array)) => array.description = array.description.as_deref().map(unwrapped),
        RefOr::T(Schema::OneOf(one)) => {
            // An optional object: its description stands at the reference inside.
            let inner = one.items.iter().find_map(|item| match item {
                RefOr::Ref(reference) if !reference.description.is_empty() => Some(reference.description.clone()),
                _ => None,
            });
            one.description = one.description.take().or(inner).as_deref().map(unwrapped);
        }
        RefOr::Ref(reference) => reference.description = unwrapped(&reference.description),
        RefOr::T(_) => {}
    }
}

/// A source wraps its lines for its readers; a page wraps them itself.
fn unwrapped(text: &str) -> String {
    text.split("\n\n").map(|paragraph| paragraph.replace('\n', " ")).collect::<Vec<_>>().join("\n\n")
}

fn operations_mut(item: &mut PathItem) -> impl Iterator<Item = (bool, &mut Operation)> {
    let reads = item.get.iter_mut().map(|operation| (true, operation));
    let writes = [&mut item.post, &mut item.put, &mut item.patch, &mut item.delete].into_iter().flatten();
    reads.chain(writes.map(|operation| (false, operation)))
}

/// A description is required of every response; most successes need no words of their own.
fn name_successes(operation: &mut Operation) {
    for (status, response) in &mut operation.responses.responses {
        let words = match status.as_str() {
            "200" => "Done.",
            "201" => "Created.",
            "202" => "Accepted: it happens soon.",
            "204" => "Done; there is nothing to add.",
            "304" => "You have it already: the `ETag` is one of `If-None-Match`.",
            _ => continue,
        };
        if let RefOr::T(response) = response
            && response.description.is_empty()
        {
            words.clone_into(&mut response.description);
        }
    }
}

/// Replaces the stand-in for refusals by one answer per status, with the codes it can carry.
fn spell_refusals(path: &str, reads: bool, operation: &mut Operation) {
    let responses = &mut operation.responses.responses;
    let stands_in = responses.remove("4XX").is_some() | responses.remove("5XX").is_some();
    if !stands_in {
        return;
    }
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for code in refusals(path, reads, operation) {
        by_status.entry(code.status()).or_default().push(code);
    }
    for (status, codes) in by_status {
        operation.responses.responses.insert(status.to_string(), RefOr::T(refusal(&codes)));
    }
}

/// The codes of an operation: by rule from what it takes, and its own from the table.
fn refusals(path: &str, reads: bool, operation: &Operation) -> BTreeSet<Code> {
    let parameters = operation.parameters.as_deref().unwrap_or_default();
    let takes = |place: &ParameterIn| parameters.iter().any(|parameter| parameter.parameter_in == *place);
    let keyed = parameters.iter().any(|parameter| parameter.name == "Idempotency-Key");
    let Access { open, by_caller, by_node } = Access::of(operation);
    let rules: [(bool, &[Code]); 10] = [
        (true, &[Code::Unavailable, Code::Internal]),
        (path.starts_with("/v1/"), &[Code::RateLimited]),
        (by_caller || by_node, &[Code::Unauthenticated]),
        (by_caller, &[Code::TokenExpired]),
        (by_caller && !open, &[Code::Forbidden]),
        (takes(&ParameterIn::Path), &[Code::NotFound]),
        (takes(&ParameterIn::Query), &[Code::InvalidValue, Code::UnknownField]),
        (
            operation.request_body.is_some(),
            &[Code::MalformedBody, Code::UnknownField, Code::InvalidValue, Code::BodyTooLarge],
        ),
        (keyed, &[Code::IdempotencyKeyMissing, Code::IdempotencyKeyReused]),
        (by_caller && !reads, &[Code::Conflict]),
    ];
    let by_rule = rules.into_iter().filter(|(applies, _)| *applies).flat_map(|(_, codes)| codes.iter().copied());
    let own = codes::own(operation.operation_id.as_deref().unwrap_or_default());
    by_rule.chain(own.iter().copied()).collect()
}

/// Who may call an operation.
pub struct Access {
    /// Anybody.
    pub open: bool,
    /// People and programs, by token or key.
    pub by_caller: bool,
    /// Nodes, by their tokens.
    pub by_node: bool,
}

impl Access {
    /// What the operation's `security` says; without one the document's counts, which asks for a caller.
    pub fn of(operation: &Operation) -> Self {
        let Some(schemes) = &operation.security else { return Self { open: false, by_caller: true, by_node: false } };
        let named = serde_json::to_string(schemes).expect("a description is plain data");
        Self {
            open: named.contains("{}"),
            by_caller: named.contains("access_token"),
            by_node: named.contains("node_token"),
        }
    }
}

fn refusal(codes: &[Code]) -> Response {
    let names: Vec<String> = codes.iter().map(|code| format!("`{}`", code.as_str())).collect();
    let content = Content::new(Some(Ref::from_schema_name("Problem")));
    ResponseBuilder::new().description(names.join(", ")).content("application/problem+json", content).build()
}
