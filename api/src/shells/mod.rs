//! Shells that are open on this server: where the browser's end and the node's end of a terminal meet.
//!
//! Both ends are WebSockets that came in here: the browser with a ticket, the node with its token, because it was told
//! that a shell waits. Between them are two bounded queues; whoever is slow slows the other down. Nothing here outlives
//! the process, and a browser simply opens another shell.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix_web::web::Bytes;
use scheduler::world::ids::{NodeId, RentalId};
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

use crate::config::limits;

/// What is passed on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frame {
    /// The terminal's bytes.
    Bytes(Bytes),
    /// Something about the terminal: its size.
    Text(String),
}

/// One end of a shell.
#[derive(Debug)]
pub struct End {
    /// To the other end.
    pub to: mpsc::Sender<Frame>,
    /// From the other end.
    pub from: mpsc::Receiver<Frame>,
}

/// A shell whose node has not dialled yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitingShell {
    /// Under which id to dial.
    pub id: Uuid,
    /// In which rental.
    pub rental: RentalId,
}

#[derive(Debug)]
struct Waiting {
    node: NodeId,
    rental: RentalId,
    connected: oneshot::Sender<End>,
}

/// The shells of this server that wait for their nodes.
#[derive(Debug, Clone, Default)]
pub struct Shells(Arc<Mutex<BTreeMap<Uuid, Waiting>>>);

/// Too many shells wait on this server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many shells are waiting for their nodes; try again in a moment")]
pub struct Full;

/// A browser that waits for its node. Dropped, it waits no longer.
#[derive(Debug)]
pub struct Wait {
    shells: Shells,
    id: Uuid,
    connected: oneshot::Receiver<End>,
}

impl Shells {
    /// A browser waits for the node of its rental.
    pub fn wait(&self, id: Uuid, node: NodeId, rental: RentalId) -> Result<Wait, Full> {
        let (connected, waiting) = oneshot::channel();
        let mut all = self.all();
        if all.len() >= limits::SHELLS {
            return Err(Full);
        }
        all.insert(id, Waiting { node, rental, connected });
        Ok(Wait { shells: self.clone(), id, connected: waiting })
    }

    /// What this node should dial.
    #[must_use]
    pub fn waiting_for(&self, node: NodeId) -> Vec<WaitingShell> {
        let all = self.all();
        let waiting = all.iter().filter(|(_, waiting)| waiting.node == node);
        waiting.map(|(id, waiting)| WaitingShell { id: *id, rental: waiting.rental }).collect()
    }

    /// The node dials: its end, if somebody waits for it under that id. Nobody else's node gets it.
    #[must_use]
    pub fn connect(&self, id: Uuid, node: NodeId) -> Option<End> {
        let mut all = self.all();
        if all.get(&id).is_none_or(|waiting| waiting.node != node) {
            return None;
        }
        let waiting = all.remove(&id)?;
        let (to_node, from_browser) = mpsc::channel(limits::SHELL_FRAMES);
        let (to_browser, from_node) = mpsc::channel(limits::SHELL_FRAMES);
        waiting.connected.send(End { to: to_node, from: from_node }).ok()?;
        Some(End { to: to_browser, from: from_browser })
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<Uuid, Waiting>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Wait {
    /// The browser's end, once the node has dialled; none if it did not in time.
    pub async fn connected(mut self) -> Option<End> {
        tokio::time::timeout(limits::SHELL_WAIT, &mut self.connected).await.ok()?.ok()
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        self.shells.all().remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id<I: From<Uuid>>(number: u128) -> I {
        Uuid::from_u128(number).into()
    }

    #[tokio::test]
    async fn two_ends_meet_and_pass_frames_both_ways() {
        let shells = Shells::default();
        let (node, rental) = (id::<NodeId>(1), id::<RentalId>(2));
        let wait = shells.wait(id(3), node, rental).unwrap();
        assert_eq!(shells.waiting_for(node), [WaitingShell { id: id(3), rental }]);
        let mut agent = shells.connect(id(3), node).unwrap();
        let mut browser = wait.connected().await.unwrap();
        browser.to.send(Frame::Text("resize".to_owned())).await.unwrap();
        agent.to.send(Frame::Bytes(Bytes::from_static(b"$ "))).await.unwrap();
        assert_eq!(agent.from.recv().await, Some(Frame::Text("resize".to_owned())));
        assert_eq!(browser.from.recv().await, Some(Frame::Bytes(Bytes::from_static(b"$ "))));
        drop(agent);
        assert_eq!(browser.from.recv().await, None, "closing one end closes the other");
        assert!(shells.waiting_for(node).is_empty());
    }

    #[tokio::test]
    async fn another_node_does_not_get_it_and_nobody_gets_it_twice() {
        let shells = Shells::default();
        let wait = shells.wait(id(3), id(1), id(2)).unwrap();
        assert!(shells.connect(id(3), id(9)).is_none());
        assert!(shells.connect(id(3), id(1)).is_some());
        assert!(shells.connect(id(3), id(1)).is_none());
        drop(wait);
    }

    #[tokio::test]
    async fn who_stops_waiting_is_forgotten() {
        let shells = Shells::default();
        drop(shells.wait(id(3), id(1), id(2)).unwrap());
        assert!(shells.waiting_for(id(1)).is_empty());
        assert!(shells.connect(id(3), id(1)).is_none());
    }
}
