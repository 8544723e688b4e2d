//! How the first operator comes to be: by a command on the machine, never over the network.

use super::auth::Email;
use crate::store::{StoreError, Tx, users};

/// Why nobody became an operator.
#[derive(Debug, thiserror::Error)]
pub enum MakeOperatorError {
    /// Nobody has that address.
    #[error("nobody has registered with that email address")]
    NoSuchUser,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes the person an operator of the marketplace. Counts from the person's next access token on.
pub async fn make_operator(tx: &mut Tx, email: &Email) -> Result<(), MakeOperatorError> {
    if users::make_operator(tx, email.as_str()).await? { Ok(()) } else { Err(MakeOperatorError::NoSuchUser) }
}
