//! Schemas of closed lists of names, made from the list that the code itself goes by.

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};

/// A string that is one of the names.
pub fn names_schema(description: &str, names: impl Iterator<Item = &'static str>) -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).description(Some(description)).enum_values(Some(names)).into()
}
