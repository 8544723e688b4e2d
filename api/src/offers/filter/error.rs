//! Why a text is not a filter. Each sentence names the token and says what would do.

use super::field::{Field, Op};

/// Why a text is not a filter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilterError {
    /// More text than a filter needs.
    #[error("a filter has at most 512 characters")]
    TooLong,
    /// More values than a list may have.
    #[error("a list has at most 64 values")]
    TooManyValues,
    /// Not three words.
    #[error("`{0}` is not `field op value`; write for example `reliability gte 0.99`")]
    Incomplete(String),
    /// No such field.
    #[error("`{0}` is no field to filter by; there are {names}", names = Field::names())]
    UnknownField(String),
    /// No such operator.
    #[error("`{0}` is no operator; there are {names}", names = Op::names())]
    UnknownOp(String),
    /// The field has no such comparison.
    #[error("`{field}` cannot be compared by `{op}`; use {ops}", ops = field.ops())]
    OpNotAllowed {
        /// The field.
        field: Field,
        /// The operator.
        op: Op,
    },
    /// The value is not of the field's kind.
    #[error("`{token}` is no {field}: expected {expected}")]
    BadValue {
        /// The field.
        field: Field,
        /// The value.
        token: String,
        /// What would do.
        expected: &'static str,
    },
}
