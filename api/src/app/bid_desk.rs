//! Where bids are placed. Bids that arrive while others are being written wait for each other's commit: one transaction
//! places them all, and each has its own outcome. At 32 callers that is several times the rate of one commit each,
//! and a single caller waits for nobody.

use std::collections::BTreeMap;
use std::sync::Arc;

use scheduler::world::Micros;
use scheduler::world::ids::OrganisationId;
use sqlx::PgPool;
use tokio::sync::{Mutex, mpsc, oneshot};

use super::catalogue::Catalogue;
use super::once::{self, Fingerprint, Key, OnceError, Reply};
use super::place_bid::Placing;
use super::{Caller, Ctx};
use crate::clock::Clock;
use crate::config::limits;
use crate::entropy::Entropy;
use crate::ledger::hold;
use crate::store::bids::{self, PlacedBid};
use crate::store::idempotency::{self, Record};
use crate::store::{StoreError, Tx, metering};

/// Takes bids and places them together.
#[derive(Clone)]
pub struct BidDesk {
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) catalogue: Arc<Catalogue>,
    db: PgPool,
    queue: mpsc::Sender<Turn>,
}

/// A bid on its way to the desk, with what is kept under its key.
#[derive(Debug, Clone)]
pub struct Waiting {
    /// The bid and its hold.
    pub placing: Placing,
    /// The caller's key.
    pub key: Key,
    /// What makes two calls the same call.
    pub fingerprint: Fingerprint,
    /// What is answered now and under this key ever after.
    pub reply: Reply,
}

/// Why the desk did not place a bid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeskError {
    /// The wallet does not cover the hold.
    #[error(
        "the bid sets {needed} {currency} aside and the wallet has {available} available; add {missing} or lower the limit"
    )]
    InsufficientFunds {
        /// What the hold takes.
        needed: Micros,
        /// What there is.
        available: Micros,
        /// The difference.
        missing: Micros,
        /// The currency.
        currency: String,
    },
    /// The organisation has no wallet in the pool's currency.
    #[error("the pool trades in {0}, and the organisation has no wallet in that currency")]
    OtherCurrency(String),
    /// The key was used for something else.
    #[error("this Idempotency-Key was used with another request; use a new key for a new request")]
    KeyReused,
    /// More bids wait than the desk takes, or the database failed. Nothing was placed.
    #[error("the bid was not placed; send the same request again")]
    Unavailable,
}

impl From<OnceError> for DeskError {
    fn from(error: OnceError) -> Self {
        match error {
            OnceError::Reused => Self::KeyReused,
            OnceError::Store(_) => Self::Unavailable,
        }
    }
}

struct Turn {
    waiting: Waiting,
    answer: oneshot::Sender<Result<Reply, DeskError>>,
}

impl BidDesk {
    /// Opens the desk. It closes when its last clone is gone.
    #[must_use]
    pub fn open(db: PgPool, clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Self {
        let (queue, turns) = mpsc::channel(limits::BIDS_WAITING);
        let turns = Arc::new(Mutex::new(turns));
        for _ in 0..limits::BID_DESKS {
            tokio::spawn(serve(db.clone(), Arc::clone(&entropy), Arc::clone(&turns)));
        }
        let catalogue = Arc::new(Catalogue::new(db.clone()));
        Self { clock, entropy, catalogue, db, queue }
    }

    /// Places a bid, together with those that wait at the same moment.
    pub async fn place(&self, waiting: Waiting) -> Result<Reply, DeskError> {
        let (answer, answered) = oneshot::channel();
        self.queue.try_send(Turn { waiting, answer }).map_err(|_| DeskError::Unavailable)?;
        answered.await.unwrap_or(Err(DeskError::Unavailable))
    }

    /// The reply kept under the key, if this very call was answered before.
    pub async fn replay(
        &self,
        caller: Caller,
        key: &Key,
        fingerprint: &Fingerprint,
    ) -> Result<Option<Reply>, OnceError> {
        let tx = Tx::begin(&self.db).await?;
        let mut ctx = Ctx { tx, now: self.clock.now(), entropy: &*self.entropy, caller };
        once::replay(&mut ctx, key, fingerprint).await
    }
}

async fn serve(db: PgPool, entropy: Arc<dyn Entropy>, turns: Arc<Mutex<mpsc::Receiver<Turn>>>) {
    let mut taken = Vec::with_capacity(limits::BIDS_TOGETHER);
    while turns.lock().await.recv_many(&mut taken, limits::BIDS_TOGETHER).await > 0 {
        let (waiting, answers): (Vec<_>, Vec<_>) = taken.drain(..).map(|turn| (turn.waiting, turn.answer)).unzip();
        for (answer, outcome) in answers.into_iter().zip(place_apart(&db, &*entropy, &waiting).await) {
            // Whoever went away meanwhile finds its reply under its key.
            drop(answer.send(outcome));
        }
    }
}

/// Places the bids together; where that fails, one by one, so that none of them spoils the others.
async fn place_apart(db: &PgPool, entropy: &dyn Entropy, waiting: &[Waiting]) -> Vec<Result<Reply, DeskError>> {
    match place_together(db, entropy, waiting).await {
        Ok(outcomes) => outcomes,
        Err(error) => {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                bids = waiting.len(),
                "bids were not placed together"
            );
            let mut outcomes = Vec::with_capacity(waiting.len());
            for one in waiting {
                let outcome = place_together(db, entropy, std::slice::from_ref(one)).await;
                outcomes.extend(outcome.unwrap_or_else(|error| {
                    tracing::error!(error = &error as &dyn std::error::Error, "a bid was not placed");
                    vec![Err(DeskError::Unavailable)]
                }));
            }
            outcomes
        }
    }
}

/// One transaction: lock the wallets, read the keys, decide, write.
async fn place_together(
    db: &PgPool,
    entropy: &dyn Entropy,
    waiting: &[Waiting],
) -> Result<Vec<Result<Reply, DeskError>>, StoreError> {
    let mut tx = Tx::begin(db).await?;
    let owners: Vec<_> = waiting.iter().map(Waiting::owner).collect();
    let keys: Vec<_> = waiting.iter().map(|one| (one.owner(), one.key.as_str())).collect();
    let wallets = metering::lock_wallets(&mut tx, &owners).await?;
    let records = idempotency::find_all(&mut tx, &keys).await?;
    let (outcomes, accepted) = decide(waiting, wallets, records);
    let placed: Vec<_> = accepted.iter().map(|one| one.placed(entropy)).collect();
    bids::place(&mut tx, &placed).await?;
    tx.commit().await?;
    Ok(outcomes)
}

type Wallets = Vec<(OrganisationId, String, Micros)>;
type Records = Vec<(OrganisationId, String, Record)>;
type Outcomes<'a> = (Vec<Result<Reply, DeskError>>, Vec<&'a Waiting>);

/// First come, first served: each bid finds what those before it left in the wallet and under the keys.
fn decide(waiting: &[Waiting], wallets: Wallets, records: Records) -> Outcomes<'_> {
    let mut wallets: BTreeMap<_, _> =
        wallets.into_iter().map(|(owner, currency, sum)| ((owner, currency), sum)).collect();
    let mut records: BTreeMap<_, _> = records.into_iter().map(|(owner, key, record)| ((owner, key), record)).collect();
    let (mut outcomes, mut accepted) = (Vec::with_capacity(waiting.len()), Vec::new());
    for one in waiting {
        let key = (one.owner(), one.key.as_str().to_owned());
        let outcome = match records.get(&key) {
            Some(record) => one.fingerprint.reply_in(record.clone()).map_err(DeskError::from),
            None => one.pay(&mut wallets),
        };
        if outcome.as_ref().is_ok_and(|reply| !reply.replayed) {
            records.insert(key, one.fingerprint.record(&one.reply));
            accepted.push(one);
        }
        outcomes.push(outcome);
    }
    (outcomes, accepted)
}

impl Waiting {
    const fn owner(&self) -> OrganisationId {
        self.placing.bid.organisation
    }

    fn pay(&self, wallets: &mut BTreeMap<(OrganisationId, String), Micros>) -> Result<Reply, DeskError> {
        let Placing { hold: needed, currency, .. } = &self.placing;
        let available = wallets
            .get_mut(&(self.owner(), currency.clone()))
            .ok_or_else(|| DeskError::OtherCurrency(currency.clone()))?;
        match available.checked_sub(*needed) {
            Some(left) if left >= Micros::ZERO => {
                *available = left;
                Ok(self.reply.clone())
            }
            _ => Err(DeskError::InsufficientFunds {
                needed: *needed,
                available: *available,
                missing: needed.checked_sub(*available).unwrap_or(*needed),
                currency: currency.clone(),
            }),
        }
    }

    fn placed(&self, entropy: &dyn Entropy) -> PlacedBid<'_> {
        let Placing { bid, hold, currency, .. } = &self.placing;
        let now = bid.created_at;
        PlacedBid {
            bid,
            hold: entropy.id(now),
            currency,
            amount: *hold,
            transfer: entropy.id(now),
            moved: hold::set_aside(bid.organisation, bid.demand(), *hold, "bid placed"),
            event: entropy.id(now),
            key: self.key.as_str(),
            record: self.fingerprint.record(&self.reply),
        }
    }
}

#[cfg(test)]
#[path = "bid_desk_tests.rs"]
mod tests;
