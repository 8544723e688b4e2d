//! What handlers take: each extractor refuses bad input with a precise problem before any transaction begins.

mod agent_node;
mod allowed;
mod id;
mod idempotency;
mod json;
mod page;
mod public;
mod query;
mod ticket;

pub use agent_node::AgentNode;
pub use allowed::Allowed;
pub use id::{Id, PathId};
pub use idempotency::IdempotencyKey;
pub use json::Json;
pub use page::{Cursor, List, Page};
pub use public::{MaybeCaller, Public};
pub use query::Query;
pub use ticket::Ticket;
