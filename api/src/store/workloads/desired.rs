//! What a node should run, as its agent asks for it; and what a tenant may see of a workload.

use scheduler::world::ids::{NodeId, RentalId};

use super::token;
use crate::rental::ClientToken;
use crate::store::{StoreError, Tx};

/// One workload that a node has or should have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Desired {
    /// Which.
    pub token: ClientToken,
    /// Whether it should run; otherwise it should be gone.
    pub wanted: bool,
    /// What to run, if anything.
    pub command: Option<String>,
    /// On which devices, as their driver calls them.
    pub devices: Vec<String>,
}

/// Everything that the node should run or still has to get rid of.
pub async fn desired_on(tx: &mut Tx, node: NodeId) -> Result<Vec<Desired>, StoreError> {
    let rows: Vec<(String, bool, Option<String>, Vec<String>)> = sqlx::query_as(
        "SELECT w.client_token,
                r.epoch = w.epoch AND r.state IN ('provisioning', 'pulling', 'starting', 'running', 'notice') AS wanted, r.command,
                ARRAY(SELECT d.uuid FROM leases l JOIN devices d ON d.id = l.device_id
                      WHERE l.rental_id = w.rental_id AND upper_inf(l.during) ORDER BY d.slot, d.id)
         FROM workloads w JOIN rentals r ON r.id = w.rental_id
         WHERE w.node_id = $1 AND w.gone_at IS NULL
         ORDER BY w.client_token",
    )
    .bind(node.uuid())
    .fetch_all(tx.conn())
    .await?;
    let desired = |(text, wanted, command, devices): (String, _, _, _)| {
        Ok(Desired { token: token(&text)?, wanted, command, devices })
    };
    rows.into_iter().map(desired).collect()
}

/// The end of what the rental's workload printed; empty before it printed anything.
pub async fn log(tx: &mut Tx, rental: RentalId) -> Result<String, StoreError> {
    let text: Option<String> =
        sqlx::query_scalar("SELECT log_tail FROM workloads WHERE rental_id = $1 ORDER BY epoch DESC LIMIT 1")
            .bind(rental.uuid())
            .fetch_optional(tx.conn())
            .await?;
    Ok(text.unwrap_or_default())
}
