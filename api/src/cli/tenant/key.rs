//! A key for each command: a command that is run again is a new request, a retry inside of one is not.

use crate::entropy::{Entropy, SystemEntropy};

/// A new key.
pub(super) fn fresh() -> String {
    (&SystemEntropy as &dyn Entropy).secret("cli-").reveal().to_owned()
}
