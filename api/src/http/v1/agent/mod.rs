//! What nodes call, by `souk agent`. Nobody ever calls a node.

pub mod enrol;
pub mod heartbeat;
pub mod shell;
pub mod time;
pub mod token;
pub mod work;
mod work_view;

pub use work_view::WorkView;
