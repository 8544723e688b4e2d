//! Credits: money that operators give.

pub mod create;
mod view;

pub use view::TransferView;
