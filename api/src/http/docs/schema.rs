//! Schemas in words, and an example made of their fields' examples.

use serde_json::{Map, Value, json};
use utoipa::openapi::schema::{ArrayItems, Schema, SchemaType, Type};
use utoipa::openapi::{OpenApi, RefOr};

use super::html::{escape, line};

/// What a value looks like, in a few words with links.
pub fn kind(schema: &RefOr<Schema>) -> String {
    match schema {
        RefOr::Ref(reference) => {
            let name = escape(reference.ref_location.rsplit('/').next().unwrap_or_default());
            format!("<a href=\"#schema-{name}\">{name}</a>")
        }
        RefOr::T(Schema::Array(array)) => match &array.items {
            ArrayItems::RefOrSchema(items) => format!("list of {}", kind(items)),
            ArrayItems::False => "list".to_owned(),
        },
        RefOr::T(Schema::Object(object)) => {
            if let Some(values) = &object.enum_values {
                return values
                    .iter()
                    .map(|value| format!("<code>{}</code>", escape(&value.to_string())))
                    .collect::<Vec<_>>()
                    .join(" | ");
            }
            types(&object.schema_type).join(" | ")
        }
        RefOr::T(Schema::OneOf(one)) => one.items.iter().map(kind).collect::<Vec<_>>().join(" | "),
        RefOr::T(Schema::AnyOf(any)) => any.items.iter().map(kind).collect::<Vec<_>>().join(" | "),
        RefOr::T(Schema::AllOf(all)) => all.items.iter().map(kind).collect::<Vec<_>>().join(" & "),
        RefOr::T(_) => "any".to_owned(),
    }
}

/// The fields of an object as a table; other schemas as one line.
pub fn table(schema: &RefOr<Schema>) -> String {
    match schema {
        RefOr::T(Schema::Object(object)) if !object.properties.is_empty() => {
            let rows = object.properties.iter().map(|(name, field)| {
                let optional =
                    if object.required.contains(name) { "" } else { " <span class=\"note\">optional</span>" };
                let words = line(words(field));
                format!(
                    "<tr><td><code>{}</code>{optional}</td><td>{}</td><td>{words}</td></tr>",
                    escape(name),
                    kind(field)
                )
            });
            format!("<table><tr><th>Field</th><th>Type</th><th>Meaning</th></tr>{}</table>", rows.collect::<String>())
        }
        RefOr::T(Schema::AllOf(all)) => all.items.iter().map(table).collect(),
        _ => format!("<p>{}</p>", kind(schema)),
    }
}

/// The description of a schema.
pub fn words(schema: &RefOr<Schema>) -> &str {
    let described = match schema {
        RefOr::Ref(reference) => return &reference.description,
        RefOr::T(Schema::Object(object)) => &object.description,
        RefOr::T(Schema::Array(array)) => &array.description,
        RefOr::T(Schema::OneOf(one)) => &one.description,
        RefOr::T(Schema::AllOf(all)) => &all.description,
        RefOr::T(Schema::AnyOf(any)) => &any.description,
        RefOr::T(_) => &None,
    };
    described.as_deref().unwrap_or_default()
}

/// A value of this schema, from the examples of its fields.
pub fn example(document: &OpenApi, schema: &RefOr<Schema>) -> Value {
    match schema {
        RefOr::Ref(reference) => {
            let name = reference.ref_location.rsplit('/').next().unwrap_or_default();
            let named = document.components.as_ref().and_then(|components| components.schemas.get(name));
            named.map_or(Value::Null, |schema| example(document, schema))
        }
        RefOr::T(Schema::Object(object)) => {
            if let Some(given) = object.example.clone().or_else(|| object.examples.first().cloned()) {
                return given;
            }
            if let Some(first) = object.enum_values.as_ref().and_then(|values| values.first()) {
                return first.clone();
            }
            let fields = object.properties.iter().map(|(name, field)| (name.clone(), example(document, field)));
            match types(&object.schema_type).first().copied() {
                Some("object") => Value::Object(fields.collect()),
                Some("integer" | "number") => json!(1),
                Some("boolean") => json!(true),
                Some("string") => json!("…"),
                _ => Value::Null,
            }
        }
        RefOr::T(Schema::Array(array)) => match (&array.example, &array.items) {
            (Some(given), _) => given.clone(),
            (None, ArrayItems::RefOrSchema(items)) => json!([example(document, items)]),
            (None, ArrayItems::False) => json!([]),
        },
        RefOr::T(Schema::OneOf(one)) => one.items.last().map_or(Value::Null, |item| example(document, item)),
        RefOr::T(Schema::AllOf(all)) => {
            let parts = all.items.iter().filter_map(|item| match example(document, item) {
                Value::Object(fields) => Some(fields),
                _ => None,
            });
            Value::Object(parts.flatten().collect::<Map<_, _>>())
        }
        RefOr::T(_) => Value::Null,
    }
}

fn types(of: &SchemaType) -> Vec<&'static str> {
    let name = |kind: &Type| match kind {
        Type::Object => "object",
        Type::String => "string",
        Type::Integer => "integer",
        Type::Number => "number",
        Type::Boolean => "boolean",
        Type::Array => "list",
        Type::Null => "null",
    };
    match of {
        SchemaType::Type(kind) => vec![name(kind)],
        SchemaType::Array(kinds) => kinds.iter().map(name).collect(),
        SchemaType::AnyValue => vec!["any"],
    }
}
