//! Device classes: what kinds of device there are.

pub mod create;
pub mod list;
mod view;

pub use view::DeviceClassView;
