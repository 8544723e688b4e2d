//! Rounds: how a pool was cleared, for everybody to check.

pub mod clear;
mod detail;
mod exchange;
pub mod get;
pub mod list;
mod number;
pub mod record;
mod view;

pub use detail::{DroppedView, EvictionView, GrantView, OutcomeView, OwnView, RoundClassView, RoundView};
pub use exchange::{ExchangeClassView, ExchangeView, SubsidyView};
pub use number::RoundNumber;
pub use view::{RoundSummaryView, SummaryPriceView};
