//! Streams of events (`text/event-stream`), resumable by `Last-Event-ID`.

pub mod follow;
pub mod follow_pool;
mod stream;
mod view;

pub use view::EventView;
