//! Jobs: amounts of work, finished as soon as is fair.

pub mod cancel;
pub mod explanation;
pub mod get;
pub mod list;
pub mod submit;
mod view;

pub use view::JobView;
