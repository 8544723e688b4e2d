//! Whether a gang may stand on a set of devices: the one predicate that the planner, the verifier and the store share.
//!
//! The planner asks it about nodes of a snapshot, the store about rows it has just locked. Neither may use another
//! rule, or a plan would be refused at the door, or worse, be let in.

use crate::world::{Ask, At, ClassId, DeviceId, Node, NodeState, PricePerHour};

/// What a gang needs of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Need<'a> {
    /// Devices of this class.
    pub class: &'a ClassId,
    /// This many, all on the node.
    pub gang: i32,
    /// At a floor not above this. `None` for a gang that pays the ask's posted price.
    pub ceiling: Option<PricePerHour>,
    /// On an ask that lasts at least until then.
    pub until: At,
}

/// Why a gang may not stand there. The first reason in this order is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// The node takes no new gangs.
    #[error("the node is not ready")]
    NodeNotReady,
    /// Nobody asks a price for the class there.
    #[error("the class is not for sale on the node")]
    NotForSale,
    /// The ask ends too early.
    #[error("the ask ends too early")]
    AskEnds,
    /// The provider lets in larger gangs only.
    #[error("the ask takes gangs of at least {min_chunk}")]
    BelowChunk {
        /// The least gang.
        min_chunk: i32,
    },
    /// The provider asks more than the gang pays.
    #[error("the ask's floor is {floor}")]
    FloorTooHigh {
        /// The floor.
        floor: PricePerHour,
    },
    /// Not as many devices as the gang has members, or one of them twice.
    #[error("the gang is not whole")]
    NotWhole,
    /// A device of another node or class.
    #[error("device {0} is not of the node and class")]
    Elsewhere(DeviceId),
    /// A device that is not traded: draining, faulty, being repartitioned.
    #[error("device {0} is not traded")]
    NotTraded(DeviceId),
    /// A device that somebody else has.
    #[error("device {0} is taken")]
    Taken(DeviceId),
}

/// Whether the gang may stand on `devices` of `node`; `is_free` says of a device whether nobody else has it.
///
/// # Errors
/// The first reason why not.
pub fn fit(
    need: &Need<'_>,
    node: &Node,
    devices: &[DeviceId],
    is_free: impl Fn(DeviceId) -> bool,
) -> Result<(), Misfit> {
    admits(need, node)?;
    let whole = usize::try_from(need.gang).is_ok_and(|gang| gang > 0 && gang == devices.len());
    if !whole || devices.iter().enumerate().any(|(index, device)| devices[..index].contains(device)) {
        return Err(Misfit::NotWhole);
    }
    devices.iter().try_for_each(|id| {
        let device = node.devices.iter().find(|device| device.id == *id && device.class == *need.class);
        let device = device.ok_or(Misfit::Elsewhere(*id))?;
        if !device.state.is_tradable() {
            return Err(Misfit::NotTraded(*id));
        }
        if is_free(*id) { Ok(()) } else { Err(Misfit::Taken(*id)) }
    })
}

/// Whether the node would have the gang, were there devices enough: the part of [`fit`] that names no device.
///
/// # Errors
/// The first reason why not.
pub fn admits<'n>(need: &Need<'_>, node: &'n Node) -> Result<&'n Ask, Misfit> {
    if node.state != NodeState::Ready {
        return Err(Misfit::NodeNotReady);
    }
    let ask = node.asks.iter().find(|ask| ask.class == *need.class).ok_or(Misfit::NotForSale)?;
    if ask.ends_at.is_some_and(|end| end < need.until) {
        return Err(Misfit::AskEnds);
    }
    if need.gang < ask.min_chunk {
        return Err(Misfit::BelowChunk { min_chunk: ask.min_chunk });
    }
    if need.ceiling.is_some_and(|ceiling| ask.floor > ceiling) {
        return Err(Misfit::FloorTooHigh { floor: ask.floor });
    }
    Ok(ask)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{AskId, Device, DeviceState, NodeId, ProviderId};
    use uuid::Uuid;

    fn device(number: u128) -> DeviceId {
        DeviceId::from_uuid(Uuid::from_u128(number))
    }

    fn price(micros: i64) -> PricePerHour {
        PricePerHour::from_micros(micros).expect("positive")
    }

    fn node() -> Node {
        let class: ClassId = "a".parse().expect("a class");
        let devices = (1..=4).map(|number| Device {
            id: device(number),
            class: class.clone(),
            slot: 0,
            state: if number == 4 { DeviceState::Faulty } else { DeviceState::Free },
        });
        Node {
            id: NodeId::from_uuid(Uuid::from_u128(1)),
            provider: ProviderId::from_uuid(Uuid::from_u128(1)),
            state: NodeState::Ready,
            devices: devices.collect(),
            asks: vec![Ask {
                id: AskId::from_uuid(Uuid::from_u128(1)),
                class,
                floor: price(10),
                price: price(20),
                min_chunk: 2,
                ends_at: Some(At::from_millis(100)),
            }],
        }
    }

    #[test]
    fn every_reason_is_told() {
        let (class, other): (ClassId, ClassId) = ("a".parse().expect("a class"), "b".parse().expect("a class"));
        let need = Need { class: &class, gang: 2, ceiling: Some(price(10)), until: At::from_millis(100) };
        let (ready, draining) = (node(), Node { state: NodeState::Draining, ..node() });
        let check = |need: Need<'_>, node: &Node, devices: &[u128]| {
            let devices: Vec<DeviceId> = devices.iter().copied().map(device).collect();
            fit(&need, node, &devices, |id| id != device(3))
        };
        assert_eq!(check(need, &ready, &[1, 2]), Ok(()));
        assert_eq!(check(need, &draining, &[1, 2]), Err(Misfit::NodeNotReady));
        assert_eq!(check(Need { class: &other, ..need }, &ready, &[1, 2]), Err(Misfit::NotForSale));
        assert_eq!(check(Need { until: At::from_millis(101), ..need }, &ready, &[1, 2]), Err(Misfit::AskEnds));
        assert_eq!(check(Need { gang: 1, ..need }, &ready, &[1]), Err(Misfit::BelowChunk { min_chunk: 2 }));
        let poor = Need { ceiling: Some(price(9)), ..need };
        assert_eq!(check(poor, &ready, &[1, 2]), Err(Misfit::FloorTooHigh { floor: price(10) }));
        assert_eq!(check(need, &ready, &[1]), Err(Misfit::NotWhole));
        assert_eq!(check(need, &ready, &[1, 1]), Err(Misfit::NotWhole));
        assert_eq!(check(need, &ready, &[1, 9]), Err(Misfit::Elsewhere(device(9))));
        assert_eq!(check(need, &ready, &[1, 4]), Err(Misfit::NotTraded(device(4))));
        assert_eq!(check(need, &ready, &[1, 3]), Err(Misfit::Taken(device(3))));
    }
}
