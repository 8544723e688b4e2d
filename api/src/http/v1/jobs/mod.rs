//! Jobs: amounts of work, finished as soon as is fair.

pub mod cancel;
pub mod dry_run;
pub mod explanation;
pub mod get;
pub mod list;
mod promise;
pub mod submit;
mod view;

pub use promise::PromiseView;
pub use view::JobView;
