//! How reliable nodes have been, as an exponentially weighted share of rentals that they served to the end.

use scheduler::world::ids::NodeId;

use super::{StoreError, Tx};

/// Moves each node's figure a twentieth of the way towards 1, or towards 0 when it failed its tenant. A node that is
/// perfect already is not written to, so that the usual end of a rental locks no node.
pub async fn rate(tx: &mut Tx, served: &[(NodeId, bool)]) -> Result<(), StoreError> {
    if served.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "WITH rated AS (
             SELECT n.id, bool_and(s.well) AS well FROM unnest($1::uuid[], $2::boolean[]) AS s (node_id, well)
             JOIN nodes n ON n.id = s.node_id GROUP BY n.id
         ), locked AS (
             SELECT n.id, r.well FROM nodes n JOIN rated r ON r.id = n.id
             WHERE NOT r.well OR n.reliability_ppm < 1000000 ORDER BY n.id FOR UPDATE OF n
         )
         UPDATE nodes SET reliability_ppm = CASE WHEN l.well THEN reliability_ppm + (1000019 - reliability_ppm) / 20
                                                 ELSE reliability_ppm - reliability_ppm / 20 END
         FROM locked l WHERE nodes.id = l.id",
    )
    .bind(served.iter().map(|(node, _)| node.uuid()).collect::<Vec<_>>())
    .bind(served.iter().map(|(_, well)| *well).collect::<Vec<_>>())
    .execute(tx.conn())
    .await?;
    Ok(())
}
