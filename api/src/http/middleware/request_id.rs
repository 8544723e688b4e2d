//! Every request has an id: the caller's, or one made here. It is in every log line, every error and every response.

use std::cell::RefCell;

tokio::task_local! {
    static REQUEST_ID: RefCell<String>;
}

/// The id of the request being handled on this task.
#[must_use]
pub fn current() -> Option<String> {
    REQUEST_ID.try_with(|id| id.borrow().clone()).ok()
}
