//! Reading columns as the types that the rest of the program uses. What does not read back is an error, never a guess.

use std::error::Error;
use std::str::FromStr;

use scheduler::world::money::{Micros, PricePerHour};
use sqlx::Row as _;
use sqlx::postgres::PgRow;
use uuid::Uuid;

/// A text that stands for no known value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a known value")]
pub struct UnknownValue(pub String);

/// A typed identifier.
pub(super) fn id<I: From<Uuid>>(row: &PgRow, name: &str) -> Result<I, sqlx::Error> {
    row.try_get::<Uuid, _>(name).map(I::from)
}

/// A typed identifier that may be absent.
pub(super) fn id_option<I: From<Uuid>>(row: &PgRow, name: &str) -> Result<Option<I>, sqlx::Error> {
    row.try_get::<Option<Uuid>, _>(name).map(|id| id.map(I::from))
}

/// A name that stands for a value: a state, a policy, a class.
pub(super) fn parsed<T>(row: &PgRow, name: &str) -> Result<T, sqlx::Error>
where
    T: FromStr,
    T::Err: Error + Send + Sync + 'static,
{
    let text: String = row.try_get(name)?;
    text.parse().map_err(|error| unreadable(name, error))
}

/// A name that may be absent.
pub(super) fn parsed_option<T>(row: &PgRow, name: &str) -> Result<Option<T>, sqlx::Error>
where
    T: FromStr,
    T::Err: Error + Send + Sync + 'static,
{
    let text: Option<String> = row.try_get(name)?;
    text.map(|text| text.parse()).transpose().map_err(|error| unreadable(name, error))
}

/// A name that stands for a value of a type without `FromStr`.
pub(super) fn converted<T>(
    row: &PgRow,
    name: &str,
    read: fn(&str) -> Result<T, UnknownValue>,
) -> Result<T, sqlx::Error> {
    let text: String = row.try_get(name)?;
    read(&text).map_err(|error| unreadable(name, error))
}

/// Names that stand for values.
pub(super) fn all_parsed<T>(row: &PgRow, name: &str) -> Result<Vec<T>, sqlx::Error>
where
    T: FromStr,
    T::Err: Error + Send + Sync + 'static,
{
    let texts: Vec<String> = row.try_get(name)?;
    texts.iter().map(|text| text.parse().map_err(|error| unreadable(name, error))).collect()
}

/// A price per device and hour.
pub(super) fn price(row: &PgRow, name: &str) -> Result<PricePerHour, sqlx::Error> {
    PricePerHour::from_micros(row.try_get(name)?).map_err(|error| unreadable(name, error))
}

/// A price that may be unknown.
pub(super) fn price_option(row: &PgRow, name: &str) -> Result<Option<PricePerHour>, sqlx::Error> {
    let micros: Option<i64> = row.try_get(name)?;
    micros.map(PricePerHour::from_micros).transpose().map_err(|error| unreadable(name, error))
}

/// An amount.
pub(super) fn amount(row: &PgRow, name: &str) -> Result<Micros, sqlx::Error> {
    row.try_get(name).map(Micros::new)
}

fn unreadable(name: &str, error: impl Error + Send + Sync + 'static) -> sqlx::Error {
    sqlx::Error::ColumnDecode { index: name.to_owned(), source: Box::new(error) }
}
