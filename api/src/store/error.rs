//! What can go wrong below the use cases.

/// A failure of the store. None of these is the caller's fault, except a named constraint that a use case expects.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database or the way to it failed.
    #[error("the database failed")]
    Driver(#[source] sqlx::Error),
    /// A stored value is not one that this version writes.
    #[error("a stored {what} is not valid: {detail}")]
    Corrupt {
        /// The kind of value.
        what: &'static str,
        /// What is wrong with it.
        detail: String,
    },
    /// A guarded write met another state than the one that was loaded.
    #[error("{what}: {touched} rows where 1 was expected")]
    Stale {
        /// The write.
        what: &'static str,
        /// Rows that it touched.
        touched: u64,
    },
    /// A constraint of the schema refused the write.
    #[error("the constraint {0} refused the write")]
    Constraint(String),
}

impl StoreError {
    /// A stored value that cannot be read back.
    pub fn corrupt(what: &'static str, detail: impl ToString) -> Self {
        Self::Corrupt { what, detail: detail.to_string() }
    }

    /// Whether a constraint of that name refused the write.
    #[must_use]
    pub fn violates(&self, constraint: &str) -> bool {
        matches!(self, Self::Constraint(name) if name == constraint)
    }

    /// Whether running the same transaction again can succeed: a lost race, not a fault.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        match self {
            Self::Stale { .. } => true,
            Self::Driver(sqlx::Error::Database(error)) => {
                matches!(error.code().as_deref(), Some("40001" | "40P01"))
            }
            Self::Driver(_) | Self::Corrupt { .. } | Self::Constraint(_) => false,
        }
    }

    /// Whether the same request can succeed later, when the database works again.
    #[must_use]
    pub fn is_outage(&self) -> bool {
        matches!(self, Self::Driver(error) if is_outage(error))
    }
}

/// Whether the database cannot work for the time being: no way to it, a full disk, no memory, restarting.
fn is_outage(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::PoolTimedOut | sqlx::Error::Io(_) | sqlx::Error::PoolClosed => true,
        sqlx::Error::Database(error) => {
            error.code().is_some_and(|code| code.starts_with("53") || code.starts_with("57P"))
        }
        _ => false,
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        if let sqlx::Error::Database(database) = &error
            && let Some(constraint) = database.constraint()
        {
            return Self::Constraint(constraint.to_owned());
        }
        Self::Driver(error)
    }
}
