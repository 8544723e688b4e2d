//! The record of a round, pure: what of a plan was applied, the header that binds it all into the pool's chain of hashes,
//! the copy that the public may read, and the checks that find a changed byte. No SQL and no clock.
//!
//! ```text
//! record   what decided the round: snapshot, rules, seed, plan       (canonical JSON)
//! applied  what of the plan was written, and what was dropped        (canonical JSON)
//! public   the record with tenants' identities replaced by ranks     (derived, never stored)
//! header   the hashes of these three and every other stored column   (canonical JSON)
//! hash     SHA-256(hash of the round before ‖ header)
//! ```
//!
//! Headers hold no identities, so anybody can check the chain, and a public record against its header.

mod applied;
mod check;
mod header;
mod public;
mod summary;

pub use applied::{Applied, DropCause, Dropped, Granted, Repriced};
pub use check::{Finding, Stored, check};
pub use header::{Cause, GENESIS, Header, Texts};
pub use public::{Pseudonyms, public};
pub use summary::{PriceLine, Summary};
