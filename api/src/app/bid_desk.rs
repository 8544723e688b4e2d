//! Where bids are placed. Bids that arrive while others are being written are written together by the next commit, and each
//! has its own outcome. With many callers that is several times the rate of a commit each; one caller waits for nobody.

use std::collections::BTreeSet;
use std::sync::Arc;

use scheduler::world::Micros;
use scheduler::world::ids::OrganisationId;
use sqlx::PgPool;
use tokio::sync::{mpsc, oneshot};

use super::catalogue::Catalogue;
use super::once::{Fingerprint, Key, OnceError, Reply};
use super::place_bid::Placing;
use crate::clock::Clock;
use crate::config::limits;
use crate::entropy::Entropy;
use crate::store::bids::{self, NewBid, Placed};
use crate::store::{StoreError, Tx, aside, idempotency};

/// Takes bids and places them together.
#[derive(Clone)]
pub struct BidDesk {
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) catalogue: Arc<Catalogue>,
    db: PgPool,
    queues: Arc<[mpsc::Sender<Turn>]>,
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
    /// What is answered now and kept under this key.
    pub reply: Reply,
}

/// Why the desk did not place a bid.
#[derive(Debug, thiserror::Error)]
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
    /// More bids wait than the desk takes.
    #[error("too many bids wait to be placed; send the same request again in a moment")]
    Busy,
    /// The key was used for something else, or what is kept under it cannot be read.
    #[error(transparent)]
    Once(#[from] OnceError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The bid comes back with its outcome; without one when the bids could not be written together.
type Outcome = (Waiting, Option<Placed>);

struct Turn {
    waiting: Waiting,
    answer: oneshot::Sender<Outcome>,
}

impl BidDesk {
    /// Opens the desk. It closes when its last clone is gone.
    #[must_use]
    pub fn open(db: PgPool, clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Self {
        let desks = aside(&db, limits::bid_desks());
        let open = |_| {
            let (queue, turns) = mpsc::channel(limits::BIDS_WAITING);
            tokio::spawn(serve(desks.clone(), Arc::clone(&entropy), turns));
            queue
        };
        let queues = (0..limits::bid_desks()).map(open).collect();
        let catalogue = Arc::new(Catalogue::new(db.clone()));
        Self { clock, entropy, catalogue, db, queues }
    }

    /// Places a bid, together with those that wait at the same moment.
    pub async fn place(&self, waiting: Waiting) -> Result<Reply, DeskError> {
        let (answer, answered) = oneshot::channel();
        self.queue(waiting.owner()).try_send(Turn { waiting, answer }).map_err(|_| DeskError::Busy)?;
        match answered.await.map_err(|_| DeskError::Busy)? {
            (waiting, Some(Placed::Yes)) => Ok(waiting.reply),
            // Others took a part of the wallet or spoiled the statement: by itself it gets its own exact answer.
            (waiting, _) => self.place_alone(waiting).await,
        }
    }

    /// The bids of an organisation all go to one desk: its wallet is locked by one commit at a time anyway, and commits of
    /// different desks do not wait for each other's wallets.
    fn queue(&self, owner: OrganisationId) -> &mpsc::Sender<Turn> {
        let desks = u128::try_from(self.queues.len()).unwrap_or(1);
        let desk = usize::try_from(owner.uuid().as_u128() % desks).unwrap_or(0);
        &self.queues[desk]
    }

    async fn place_alone(&self, waiting: Waiting) -> Result<Reply, DeskError> {
        if let Some(reply) = self.replay(waiting.owner(), &waiting.key, &waiting.fingerprint).await? {
            return Ok(reply);
        }
        let placed = place_together(&self.db, &*self.entropy, std::slice::from_ref(&waiting)).await?;
        let Placing { hold: needed, currency, .. } = waiting.placing.clone();
        match placed.first() {
            Some(Placed::Yes) => Ok(waiting.reply),
            Some(Placed::Short { available }) => {
                let (needed, available) = (needed, *available);
                let missing = needed.checked_sub(available).unwrap_or(needed);
                Err(DeskError::InsufficientFunds { needed, available, missing, currency })
            }
            Some(Placed::NoWallet) => Err(DeskError::OtherCurrency(currency)),
            // Another call with this key was faster.
            Some(Placed::KeyUsed) | None => {
                let reply = self.replay(waiting.owner(), &waiting.key, &waiting.fingerprint).await?;
                reply.ok_or(DeskError::Busy)
            }
        }
    }

    /// The reply kept under the key, if this very call was answered before.
    pub(super) async fn replay(
        &self,
        owner: OrganisationId,
        key: &Key,
        fingerprint: &Fingerprint,
    ) -> Result<Option<Reply>, OnceError> {
        let mut tx = Tx::begin(&self.db).await?;
        let record = idempotency::find(&mut tx, owner, key.as_str()).await?;
        record.map(|record| fingerprint.reply_in(record)).transpose()
    }
}

async fn serve(db: PgPool, entropy: Arc<dyn Entropy>, mut turns: mpsc::Receiver<Turn>) {
    let mut taken = Vec::with_capacity(limits::BIDS_TOGETHER);
    let mut busy = false;
    while turns.recv_many(&mut taken, limits::BIDS_TOGETHER).await > 0 {
        // A statement and its commit cost little more for many bids than for one. Where several came at once, those who were
        // answered a moment ago come again in a moment.
        if busy {
            tokio::time::sleep(limits::BIDS_GATHERED).await;
            let room = limits::BIDS_TOGETHER.saturating_sub(taken.len());
            if room > 0 && !turns.is_empty() {
                turns.recv_many(&mut taken, room).await;
            }
        }
        busy = taken.len() > 1;
        let (waiting, answers): (Vec<_>, Vec<_>) = taken.drain(..).map(|turn| (turn.waiting, turn.answer)).unzip();
        let placed = place_together(&db, &*entropy, &waiting).await.unwrap_or_else(|error| {
            tracing::warn!(error = &error as &dyn std::error::Error, bids = waiting.len(), "bids go one by one");
            Vec::new()
        });
        let outcomes = placed.into_iter().map(Some).chain(std::iter::repeat(None));
        for ((answer, waiting), outcome) in answers.into_iter().zip(waiting).zip(outcomes) {
            // Whoever went away meanwhile finds its reply under its key.
            drop(answer.send((waiting, outcome)));
        }
    }
}

/// One commit for all of them.
async fn place_together(db: &PgPool, entropy: &dyn Entropy, waiting: &[Waiting]) -> Result<Vec<Placed>, StoreError> {
    let mut keys = BTreeSet::new();
    let fresh: Vec<_> = waiting.iter().map(|one| keys.insert((one.owner(), one.key.as_str()))).collect();
    let new: Vec<_> =
        waiting.iter().zip(&fresh).filter(|(_, fresh)| **fresh).map(|(one, _)| one.new_bid(entropy)).collect();
    let mut placed = bids::place(db, &new).await?.into_iter();
    // A key that occurs twice is used by the time its second bid is looked at.
    Ok(fresh.into_iter().map(|fresh| if fresh { placed.next() } else { None }.unwrap_or(Placed::KeyUsed)).collect())
}

impl Waiting {
    const fn owner(&self) -> OrganisationId {
        self.placing.bid.organisation
    }

    fn new_bid(&self, entropy: &dyn Entropy) -> NewBid<'_> {
        let Placing { bid, hold, currency, .. } = &self.placing;
        let now = bid.created_at;
        NewBid {
            bid,
            hold: entropy.id(now),
            currency,
            amount: *hold,
            transfer: entropy.id(now),
            event: entropy.id(now),
            key: self.key.as_str(),
            record: self.fingerprint.record(&self.reply),
        }
    }
}
