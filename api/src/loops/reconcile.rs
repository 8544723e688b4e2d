//! Compares what is on the nodes with what should be, node by node, those first that were not looked at for longest.
//!
//! What is there and belongs to nobody is ended: a call whose answer got lost, a rental that ended while its workload was
//! being started, a workload that came back. What should be there and is not, twice in a row, has vanished, and its
//! rental ends.

use std::collections::BTreeSet;

use scheduler::world::ids::NodeId;
use time::Duration;

use super::{LoopError, Step};
use crate::State;
use crate::node::Adapter;
use crate::rental::{ClientToken, Observed, Sighting};
use crate::store::Tx;
use crate::store::workloads::{self, Expected};

/// Nodes compared in one step.
const BATCH: i64 = 64;
/// Between two looks at the same node.
const EVERY: Duration = Duration::seconds(30);

/// Compares one batch of nodes.
pub async fn step(state: &State) -> Result<Step, LoopError> {
    let now = state.clock.now();
    let mut tx = Tx::begin(&state.db).await?;
    let nodes = workloads::claim_nodes(&mut tx, now - EVERY, BATCH, now).await?;
    tx.commit().await?;
    for adapter in Adapter::ALL {
        let nodes: Vec<_> = nodes.iter().filter(|(_, of)| *of == adapter).map(|(node, _)| *node).collect();
        if !nodes.is_empty() {
            compare(state, adapter, &nodes).await?;
        }
    }
    let full = i64::try_from(nodes.len()).is_ok_and(|found| found == BATCH);
    Ok(if full { Step::Worked } else { Step::Idle })
}

async fn compare(state: &State, adapter: Adapter, nodes: &[NodeId]) -> Result<(), LoopError> {
    let provider = state.providers.of(adapter);
    // What is expected is read before what is there: a workload that is asked for in between is listed and, at worst,
    // not yet expected. So those are looked up once more before they are ended.
    let mut tx = Tx::begin(&state.db).await?;
    let expected = workloads::expected_on(&mut tx, nodes).await?;
    drop(tx);
    let listed = match provider.list(nodes).await {
        Ok(listed) => listed,
        Err(error) => {
            tracing::warn!(adapter = adapter.as_str(), %error, "a provider could not be listed");
            return Ok(());
        }
    };
    let known: BTreeSet<_> = expected.iter().filter(|one| one.wanted).map(|one| one.token).collect();
    let stray: Vec<ClientToken> = listed.iter().filter(|token| !known.contains(token)).copied().collect();
    let mut tx = Tx::begin(&state.db).await?;
    let stray = workloads::unwanted(&mut tx, &stray).await?;
    workloads::news(&mut tx, &news(&expected, &listed), state.clock.now()).await?;
    tx.commit().await?;
    for token in stray {
        tracing::info!(%token, "ending a workload that nobody wants");
        if let Err(error) = provider.terminate(&token).await {
            tracing::warn!(%token, %error, "a stray workload could not be ended and will be found again");
        }
    }
    Ok(())
}

/// What the list says about wanted workloads: those that were seen before and are not there; and those that are there
/// although nobody had heard of it, or after they had been missing. The rest is no news.
fn news(expected: &[Expected], listed: &[ClientToken]) -> Vec<Sighting> {
    let listed: BTreeSet<_> = listed.iter().collect();
    let sighting = |one: &Expected| match (listed.contains(&one.token), one.seen, one.missing) {
        (false, true, _) => Some(Sighting { token: one.token, seen: None }),
        (true, false, _) | (true, _, true) => Some(Sighting { token: one.token, seen: Some(Observed::Pulling) }),
        _ => None,
    };
    expected.iter().filter(|one| one.wanted).filter_map(sighting).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_news_only_where_it_differs_from_what_is_known() {
        let token = |epoch| ClientToken { rental: uuid::Uuid::from_u128(1).into(), epoch };
        let expected = |epoch, wanted, seen, missing| Expected { token: token(epoch), wanted, seen, missing };
        let all = [
            expected(1, true, true, false),
            expected(2, true, false, false),
            expected(3, false, true, false),
            expected(4, true, true, false),
            expected(5, true, false, false),
            expected(6, true, true, true),
        ];
        let news: Vec<_> = news(&all, &[token(4), token(5), token(6)])
            .into_iter()
            .map(|one| (one.token.epoch, one.seen.is_some()))
            .collect();
        assert_eq!(news, [(1, false), (5, true), (6, true)]);
    }
}
