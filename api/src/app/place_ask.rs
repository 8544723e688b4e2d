//! A provider says what it wants for the devices of one class on one node. A new ask replaces the live one; rentals that
//! run keep the price they began with.

use scheduler::world::class::ClassId;
use scheduler::world::ids::NodeId;
use scheduler::world::money::PricePerHour;
use time::OffsetDateTime;

use super::{Ctx, supply_events};
use crate::node::NodeState;
use crate::store::asks::{self, Ask};
use crate::store::{StoreError, devices, events, nodes, pools};

/// What is asked.
#[derive(Debug, Clone)]
pub struct Terms {
    /// On which node.
    pub node: NodeId,
    /// For devices of which class.
    pub class: ClassId,
    /// Posted price of on-demand use.
    pub price: PricePerHour,
    /// The least for interruptible use.
    pub floor: PricePerHour,
    /// The smallest gang that is let in.
    pub min_chunk: i32,
    /// When the offer ends.
    pub ends_at: Option<OffsetDateTime>,
}

/// Why an ask was not placed.
#[derive(Debug, thiserror::Error)]
pub enum PlaceAskError {
    /// No such node of the organisation.
    #[error("there is no such node")]
    NoSuchNode,
    /// The node does not sell.
    #[error("the node is {state}, so nothing on it can be offered", state = .0.as_str())]
    NotListable(NodeState),
    /// The node has nothing of the kind.
    #[error("the node has no working device of class {0}")]
    NoDevices(ClassId),
    /// The floor is for those who can be interrupted: it cannot be dearer.
    #[error("the floor ({floor}) is above the price ({price}); interruptible use cannot cost more than on-demand use")]
    FloorAbovePrice {
        /// The floor.
        floor: PricePerHour,
        /// The price.
        price: PricePerHour,
    },
    /// Nobody could ever rent so many.
    #[error("min_chunk is 1 to {devices}, the number of such devices on the node")]
    ChunkTooLarge {
        /// Devices of the class on the node.
        devices: i64,
    },
    /// The offer would be over before it began.
    #[error("ends_at lies in the past")]
    EndsInThePast,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Places the ask, and withdraws the one that it replaces.
pub async fn place_ask(ctx: &mut Ctx<'_>, terms: Terms) -> Result<Ask, PlaceAskError> {
    let organisation = ctx.caller.organisation;
    let node = nodes::find(&mut ctx.tx, organisation, terms.node).await?.ok_or(PlaceAskError::NoSuchNode)?;
    let count = devices::count_on(&mut ctx.tx, node.id, &terms.class).await?;
    check(&terms, node.state, count, ctx.now)?;
    let pool = pools::find(&mut ctx.tx, node.pool)
        .await?
        .ok_or_else(|| StoreError::corrupt("node", format!("{} is in no pool", node.id)))?;
    let replaced = asks::live_on(&mut ctx.tx, node.id, &terms.class).await?;

    let ask = Ask {
        id: ctx.id(),
        pool: pool.id,
        provider: node.provider,
        node: node.id,
        class: terms.class,
        currency: pool.currency,
        price: terms.price,
        floor: terms.floor,
        min_chunk: terms.min_chunk,
        ends_at: terms.ends_at,
        withdrawn_at: None,
        created_at: ctx.now,
        version: 1,
    };
    let mut told = Vec::new();
    if let Some(replaced) = &replaced {
        asks::withdraw(&mut ctx.tx, replaced, ctx.now).await?;
        told.push(supply_events::of_ask(ctx, organisation, "ask.withdrawn", replaced));
    }
    asks::insert(&mut ctx.tx, &ask).await?;
    told.push(supply_events::of_ask(ctx, organisation, "ask.created", &ask));
    events::record(&mut ctx.tx, &told, ctx.now).await?;
    Ok(ask)
}

fn check(terms: &Terms, node: NodeState, devices: i64, now: OffsetDateTime) -> Result<(), PlaceAskError> {
    if !node.can_list() {
        return Err(PlaceAskError::NotListable(node));
    }
    if devices == 0 {
        return Err(PlaceAskError::NoDevices(terms.class.clone()));
    }
    if terms.floor > terms.price {
        return Err(PlaceAskError::FloorAbovePrice { floor: terms.floor, price: terms.price });
    }
    if terms.min_chunk < 1 || i64::from(terms.min_chunk) > devices {
        return Err(PlaceAskError::ChunkTooLarge { devices });
    }
    if terms.ends_at.is_some_and(|ends_at| ends_at <= now) {
        return Err(PlaceAskError::EndsInThePast);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::Duration;

    const NOW: OffsetDateTime = OffsetDateTime::UNIX_EPOCH;

    fn terms() -> Terms {
        Terms {
            node: uuid::Uuid::nil().into(),
            class: "h100-80gb".parse().unwrap(),
            price: "2.50".parse().unwrap(),
            floor: "1.00".parse().unwrap(),
            min_chunk: 1,
            ends_at: None,
        }
    }

    #[test]
    fn an_ask_that_could_never_sell_is_refused_with_its_reason() {
        type Case = (Terms, NodeState, i64, fn(&PlaceAskError) -> bool);
        let cases: [Case; 6] = [
            (terms(), NodeState::Retired, 8, |error| matches!(error, PlaceAskError::NotListable(_))),
            (terms(), NodeState::Ready, 0, |error| matches!(error, PlaceAskError::NoDevices(_))),
            (Terms { floor: "2.500001".parse().unwrap(), ..terms() }, NodeState::Ready, 8, |error| {
                matches!(error, PlaceAskError::FloorAbovePrice { .. })
            }),
            (Terms { min_chunk: 9, ..terms() }, NodeState::Ready, 8, |error| {
                matches!(error, PlaceAskError::ChunkTooLarge { devices: 8 })
            }),
            (Terms { min_chunk: 0, ..terms() }, NodeState::Ready, 8, |error| {
                matches!(error, PlaceAskError::ChunkTooLarge { .. })
            }),
            (Terms { ends_at: Some(NOW), ..terms() }, NodeState::Ready, 8, |error| {
                matches!(error, PlaceAskError::EndsInThePast)
            }),
        ];
        for (terms, node, devices, expected) in cases {
            let error = check(&terms, node, devices, NOW).unwrap_err();
            assert!(expected(&error), "{error}");
        }
    }

    #[test]
    fn the_bounds_themselves_are_accepted() {
        let terms =
            Terms { floor: terms().price, min_chunk: 8, ends_at: Some(NOW + Duration::milliseconds(1)), ..terms() };
        assert!(check(&terms, NodeState::Draining, 8, NOW).is_ok());
    }
}
