//! Pages of a search. A cursor holds the place of the last offer seen in its order, so that offers which come or go in
//! between move no other offer from one page to another.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;

use super::Offer;
use super::order::{Order, Rank};

/// A place in an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position(Rank);

impl Position {
    /// The place as an opaque text.
    #[must_use]
    pub fn write(self, order: Order) -> String {
        let Rank { unstated, figure, id } = self.0;
        URL_SAFE_NO_PAD.encode(format!("{order}/{}/{figure}/{}", u8::from(unstated), id.simple()))
    }

    /// The place in a cursor that was given out for this very order.
    #[must_use]
    pub fn read(order: Order, cursor: &str) -> Option<Self> {
        let text = String::from_utf8(URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()?;
        let mut parts = text.split('/');
        if parts.next()? != order.to_string() {
            return None;
        }
        let unstated = match parts.next()? {
            "0" => false,
            "1" => true,
            _ => return None,
        };
        let figure = parts.next()?.parse().ok()?;
        let id = Uuid::try_parse(parts.next()?).ok()?;
        parts.next().is_none().then_some(Self(Rank { unstated, figure, id }))
    }
}

/// The offers after `position`, in order, at most `limit`; and the place where the next page begins, if there is one.
#[must_use]
pub fn page(
    offers: Vec<Offer>,
    order: Order,
    position: Option<Position>,
    limit: usize,
) -> (Vec<Offer>, Option<Position>) {
    let mut ranked: Vec<(Rank, Offer)> = offers
        .into_iter()
        .map(|offer| (order.rank(&offer), offer))
        .filter(|(rank, _)| position.is_none_or(|position| *rank > position.0))
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let more = ranked.len() > limit;
    ranked.truncate(limit);
    let next = if more { ranked.last().map(|(rank, _)| Position(*rank)) } else { None };
    (ranked.into_iter().map(|(_, offer)| offer).collect(), next)
}
