//! Filters: `field op value`, for example `reliability gte 0.99` or `region in eu-west,eu-north`.

mod error;
mod field;
mod value;

pub use error::FilterError;
pub use field::{Field, Op};
pub(super) use value::NO_PROFILE;
pub use value::Value;

use super::Offer;

/// Longest accepted text of one filter.
const LENGTH_MAX: usize = 512;
/// Most values of a list.
const VALUES_MAX: usize = 64;

/// Who asked for a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A `filter` of the query.
    Query,
    /// The GPU request.
    Gpu,
    /// Nobody: it always applies. There is none today, and there never is one that the reply does not show.
    Default,
}

/// One condition that offers meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// About what.
    pub field: Field,
    /// How it is compared.
    pub op: Op,
    /// With what: one value, or several for `in` and `notin`.
    pub values: Vec<Value>,
    /// Who asked for it.
    pub source: Source,
}

impl Filter {
    /// Reads a filter of the query. The error names the token that it stumbled over.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        if text.len() > LENGTH_MAX {
            return Err(FilterError::TooLong);
        }
        let (field, rest) = word(text);
        let (op, value) = word(rest);
        if value.is_empty() {
            return Err(FilterError::Incomplete(text.trim().to_owned()));
        }
        let field: Field = field.parse()?;
        let op: Op = op.parse()?;
        Self::new(field, op, value, Source::Query)
    }

    /// A condition, if the field can be compared so and the value is one of its kind.
    pub(super) fn new(field: Field, op: Op, value: &str, source: Source) -> Result<Self, FilterError> {
        if !field.allows(op) {
            return Err(FilterError::OpNotAllowed { field, op });
        }
        let values: Vec<Value> = if op.takes_list() {
            value.split(',').map(|item| Value::parse(field, item.trim())).collect::<Result<_, _>>()?
        } else {
            vec![Value::parse(field, value)?]
        };
        if values.len() > VALUES_MAX {
            return Err(FilterError::TooManyValues);
        }
        Ok(Self { field, op, values, source })
    }

    /// Whether the offer meets the condition. What an offer does not state meets no condition.
    #[must_use]
    pub fn matches(&self, offer: &Offer) -> bool {
        let Some(stated) = Value::of(self.field, offer) else { return false };
        let among = || self.values.iter().any(|value| value.equals(&stated));
        let than = |holds: fn(std::cmp::Ordering) -> bool| {
            self.values.iter().all(|value| stated.compare(value).is_some_and(holds))
        };
        match self.op {
            Op::Eq | Op::In => among(),
            Op::Neq | Op::Notin => !among(),
            Op::Gt => than(std::cmp::Ordering::is_gt),
            Op::Gte => than(std::cmp::Ordering::is_ge),
            Op::Lt => than(std::cmp::Ordering::is_lt),
            Op::Lte => than(std::cmp::Ordering::is_le),
        }
    }

    /// The value as it was understood.
    #[must_use]
    pub fn value(&self) -> String {
        self.values.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
    }
}

/// The first word, and what follows it.
fn word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}
