//! The rules by name.

use super::Rule;
use super::auction::ThemisAuction;
use super::equal_share::EqualShare;
use super::finish_time_fair::FinishTimeFair;
use super::queues::Queue;

/// Every name that [`rule`] knows.
pub const NAMES: [&str; 7] = ["finish_time_fair", "themis_auction", "equal_share", "fifo", "sjf", "srpt", "las"];

/// The rule with a name. `returns`: whether an auction gives back to bidders what nobody else can use.
#[must_use]
pub fn rule(name: &str, returns: bool) -> Option<Box<dyn Rule>> {
    Some(match name {
        "finish_time_fair" => Box::new(FinishTimeFair),
        "themis_auction" => Box::new(ThemisAuction { returns, ..ThemisAuction::default() }),
        "equal_share" => Box::new(EqualShare),
        "fifo" => Box::new(Queue::Fifo),
        "sjf" => Box::new(Queue::Sjf),
        "srpt" => Box::new(Queue::Srpt),
        "las" => Box::new(Queue::Las),
        _ => return None,
    })
}
