//! The states of a node and the steps between them.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Where a node stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NodeState {
    /// Its agent has a key and has not reported yet.
    Enrolling,
    /// Its devices are being checked.
    Verifying,
    /// It takes rentals.
    Ready,
    /// It takes no new rentals; what runs ends by itself or gets notice.
    Draining,
    /// Its heartbeat stopped.
    Lost,
    /// An operator keeps it out.
    Quarantined,
    /// It never comes back.
    Retired,
}

/// A name of no state and of no adapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no node has a state or an adapter of that name")]
pub struct UnknownName;

/// A step that the node's state does not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the node is {state}, so it cannot be {step}", state = from.as_str())]
pub struct NodeStateError {
    /// Where the node stands.
    pub from: NodeState,
    /// What was asked for, as a participle.
    pub step: &'static str,
}

impl NodeState {
    /// Every state.
    pub const ALL: [Self; 7] =
        [Self::Enrolling, Self::Verifying, Self::Ready, Self::Draining, Self::Lost, Self::Quarantined, Self::Retired];

    /// The name on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Enrolling => "enrolling",
            Self::Verifying => "verifying",
            Self::Ready => "ready",
            Self::Draining => "draining",
            Self::Lost => "lost",
            Self::Quarantined => "quarantined",
            Self::Retired => "retired",
        }
    }

    /// Takes the node out of the market without hurting what runs. Draining a draining node changes nothing.
    pub const fn drain(self) -> Result<Self, NodeStateError> {
        match self {
            Self::Ready | Self::Verifying | Self::Draining => Ok(Self::Draining),
            from => Err(NodeStateError { from, step: "drained" }),
        }
    }

    /// Brings a drained node back. Resuming a ready node changes nothing.
    pub const fn resume(self) -> Result<Self, NodeStateError> {
        match self {
            Self::Draining | Self::Ready => Ok(Self::Ready),
            from => Err(NodeStateError { from, step: "resumed" }),
        }
    }

    /// Its agent was heard. A node that was enrolling, being checked or lost is ready; one that was taken out of the market
    /// stays out.
    #[must_use]
    pub const fn heard(self) -> Self {
        match self {
            Self::Enrolling | Self::Verifying | Self::Ready | Self::Lost => Self::Ready,
            Self::Draining | Self::Quarantined | Self::Retired => self,
        }
    }

    /// Whether an ask can be put on the node now.
    #[must_use]
    pub const fn can_list(self) -> bool {
        !matches!(self, Self::Retired | Self::Quarantined)
    }

    /// What its provider can do with it right now.
    #[must_use]
    pub const fn actions(self) -> &'static [&'static str] {
        match self {
            Self::Ready | Self::Verifying => &["drain"],
            Self::Draining => &["resume"],
            Self::Enrolling | Self::Lost | Self::Quarantined | Self::Retired => &[],
        }
    }
}

impl FromStr for NodeState {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        Self::ALL.into_iter().find(|state| state.as_str() == text).ok_or(UnknownName)
    }
}

/// Who runs workloads on a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Adapter {
    /// Nobody: the workloads are simulated.
    Simulated,
    /// The node's own `souk agent`.
    Agent,
}

impl Adapter {
    /// Every adapter.
    pub const ALL: [Self; 2] = [Self::Simulated, Self::Agent];

    /// The name on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Simulated => "simulated",
            Self::Agent => "agent",
        }
    }
}

impl FromStr for Adapter {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        Self::ALL.into_iter().find(|adapter| adapter.as_str() == text).ok_or(UnknownName)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From, after `drain`, after `resume`; none where the step is refused.
    const STEPS: [(NodeState, Option<NodeState>, Option<NodeState>); 7] = [
        (NodeState::Enrolling, None, None),
        (NodeState::Verifying, Some(NodeState::Draining), None),
        (NodeState::Ready, Some(NodeState::Draining), Some(NodeState::Ready)),
        (NodeState::Draining, Some(NodeState::Draining), Some(NodeState::Ready)),
        (NodeState::Lost, None, None),
        (NodeState::Quarantined, None, None),
        (NodeState::Retired, None, None),
    ];

    #[test]
    fn the_table_of_steps_is_the_specification() {
        for (from, drained, resumed) in STEPS {
            assert_eq!(from.drain().ok(), drained, "drain {from:?}");
            assert_eq!(from.resume().ok(), resumed, "resume {from:?}");
        }
    }

    #[test]
    fn an_action_that_is_offered_is_valid_and_changes_something() {
        for state in NodeState::ALL {
            for action in state.actions() {
                let next = if *action == "drain" { state.drain() } else { state.resume() };
                assert!(next.is_ok_and(|next| next != state), "{action} on {state:?}");
            }
        }
    }

    #[test]
    fn a_refusal_says_where_the_node_stands() {
        let refusal = NodeState::Lost.drain().unwrap_err();
        assert_eq!(refusal.to_string(), "the node is lost, so it cannot be drained");
    }
}
