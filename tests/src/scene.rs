//! A market's rows, written directly: for tests about rounds that should not depend on how supply and demand are made,
//! and for markets too large to be made one request at a time.

use scheduler::world::DemandId;
use scheduler::world::ids::{BidId, DeviceId, JobId, NodeId, OrganisationId, PoolId, ProviderId, UserId};
use scheduler::world::money::{Micros, PricePerHour};
use souk::State;
use souk::ledger::{Account, Transfer, TransferKind, hold};
use souk::store::holds::{self, NewHold};
use souk::store::{Tx, ledger, pools};
use time::OffsetDateTime;
use uuid::Uuid;

/// A pool with a provider, and an operator's purse.
#[derive(Debug, Clone)]
pub struct Scene {
    state: SceneState,
    /// The pool.
    pub pool: PoolId,
    /// The provider of every node.
    pub provider: ProviderId,
    user: UserId,
}

#[derive(Clone)]
struct SceneState(State);

impl std::fmt::Debug for SceneState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("State")
    }
}

/// A price, in decimal.
#[must_use]
pub fn price(text: &str) -> PricePerHour {
    text.parse().expect("a price")
}

impl Scene {
    /// Uses the market's first pool.
    pub async fn set(state: &State) -> Self {
        let now = state.clock.now();
        let pool: Uuid =
            sqlx::query_scalar("SELECT id FROM pools ORDER BY id LIMIT 1").fetch_one(&state.db).await.expect("a pool");
        let user: UserId = state.entropy.id(now);
        let email = format!("{}@example.org", user.uuid().simple());
        sqlx::query(
            "INSERT INTO users (id, email, display_name, password_hash, created_at) VALUES ($1, $2, 'x', 'x', $3)",
        )
        .bind(user.uuid())
        .bind(email)
        .bind(now)
        .execute(&state.db)
        .await
        .expect("a user");
        let provider: ProviderId = state.entropy.id(now);
        let scene = Self { state: SceneState(state.clone()), pool: pool.into(), provider, user };
        let owner = scene.organisation("0.000001").await;
        sqlx::query(
            "INSERT INTO providers (id, organisation_id, name, currency, created_at) VALUES ($1, $2, 'x', 'USD', $3)",
        )
        .bind(provider.uuid())
        .bind(owner.uuid())
        .bind(now)
        .execute(&state.db)
        .await
        .expect("a provider");
        let mut tx = Tx::begin(&state.db).await.expect("a transaction");
        ledger::open_provider(&mut tx, &*state.entropy, provider, "USD", now).await.expect("accounts");
        tx.commit().await.expect("committed");
        scene
    }

    fn state(&self) -> &State {
        &self.state.0
    }

    fn now(&self) -> OffsetDateTime {
        self.state().clock.now()
    }

    fn id<I: From<Uuid>>(&self) -> I {
        self.state().entropy.id(self.now())
    }

    /// Changes settings of the pool, in SQL: `round_seconds = 60, phi_ppm = 0`.
    pub async fn settings(&self, assignments: &str) {
        sqlx::query(&format!("UPDATE pools SET {assignments} WHERE id = $1"))
            .bind(self.pool.uuid())
            .execute(&self.state().db)
            .await
            .expect("settings that fit");
    }

    /// An organisation with money.
    pub async fn organisation(&self, credit: &str) -> OrganisationId {
        let (state, now, id) = (self.state(), self.now(), self.id::<OrganisationId>());
        sqlx::query("INSERT INTO organisations (id, name, currency, created_at) VALUES ($1, 'x', 'USD', $2)")
            .bind(id.uuid())
            .bind(now)
            .execute(&state.db)
            .await
            .expect("an organisation");
        let mut tx = Tx::begin(&state.db).await.expect("a transaction");
        ledger::open_tenant(&mut tx, &*state.entropy, id, "USD", now).await.expect("accounts");
        let amount: Micros = credit.parse().expect("an amount");
        let accounts = (Account::OperatorCredit, Account::TenantAvailable(id));
        let transfer = Transfer::between(TransferKind::Credit, id, "test credit", accounts, amount);
        ledger::post(&mut tx, self.id(), &transfer, "USD", now).await.expect("posted");
        tx.commit().await.expect("committed");
        id
    }

    /// A ready node of the simulated adapter with free devices and an ask.
    pub async fn node(&self, class: &str, devices: u32, floor: &str, posted: &str) -> (NodeId, Vec<DeviceId>) {
        let (db, now, node) = (&self.state().db, self.now(), self.id::<NodeId>());
        sqlx::query(
            "INSERT INTO nodes (id, pool_id, provider_id, name, adapter, state, cpu_milli, memory_mib, created_at)
             VALUES ($1, $2, $3, $4, 'simulated', 'ready', 1000, 1024, $5)",
        )
        .bind(node.uuid())
        .bind(self.pool.uuid())
        .bind(self.provider.uuid())
        .bind(node.to_string())
        .bind(now)
        .execute(db)
        .await
        .expect("a node");
        let mut ids = Vec::new();
        for slot in 0..i32::try_from(devices).expect("few devices") {
            let device: DeviceId = self.id();
            sqlx::query(
                "INSERT INTO devices (id, pool_id, node_id, class_id, uuid, slot, state, created_at)
                 VALUES ($1, $2, $3, $4, $5, $6, 'free', $7)",
            )
            .bind(device.uuid())
            .bind(self.pool.uuid())
            .bind(node.uuid())
            .bind(class)
            .bind(device.to_string())
            .bind(slot)
            .bind(now)
            .execute(db)
            .await
            .expect("a device");
            ids.push(device);
        }
        sqlx::query(
            "INSERT INTO asks (id, pool_id, provider_id, node_id, class_id, currency, price_micros_per_hour,
                               floor_micros_per_hour, min_chunk, created_at)
             VALUES ($1, $2, $3, $4, $5, 'USD', $6, $7, 1, $8)",
        )
        .bind(self.id::<Uuid>())
        .bind(self.pool.uuid())
        .bind(self.provider.uuid())
        .bind(node.uuid())
        .bind(class)
        .bind(price(posted).micros())
        .bind(price(floor).micros())
        .bind(now)
        .execute(db)
        .await
        .expect("an ask");
        (node, ids)
    }

    /// An open bid with its hold.
    pub async fn bid(&self, owner: OrganisationId, class: &str, gang: i32, limit: &str) -> BidId {
        let (state, now, bid) = (self.state(), self.now(), self.id::<BidId>());
        let limit = price(limit);
        sqlx::query(
            "INSERT INTO bids (id, organisation_id, pool_id, created_by, request, class_ids, gang, limit_micros_per_hour,
                               reenter, state, created_at)
             VALUES ($1, $2, $3, $4, 'x', $5, $6, $7, TRUE, 'open', $8)",
        )
        .bind(bid.uuid())
        .bind(owner.uuid())
        .bind(self.pool.uuid())
        .bind(self.user.uuid())
        .bind(vec![class])
        .bind(gang)
        .bind(limit.micros())
        .bind(now)
        .execute(&state.db)
        .await
        .expect("a bid");
        let mut tx = Tx::begin(&state.db).await.expect("a transaction");
        let min_run = pools::find(&mut tx, self.pool).await.expect("a pool").expect("a pool").settings.min_run_seconds;
        let min_run = scheduler::world::Millis::new(i64::from(min_run) * 1000);
        self.hold(&mut tx, owner, DemandId::Bid(bid), hold::required(limit, gang, min_run).expect("an amount")).await;
        tx.commit().await.expect("committed");
        bid
    }

    /// A queued job without a profile: its work is counted in device-seconds.
    pub async fn job(&self, owner: OrganisationId, class: &str, gang: i32, device_seconds: i64, budget: &str) -> JobId {
        let (state, now, job) = (self.state(), self.now(), self.id::<JobId>());
        let budget: Micros = budget.parse().expect("an amount");
        sqlx::query(
            "INSERT INTO jobs (id, organisation_id, pool_id, created_by, name, request, class_ids, gang, weight_milli, work_milliunits,
                               fairness, budget_micros, state, advanced_at, created_at)
             VALUES ($1, $2, $3, $4, 'x', 'x', $5, $6, 1000, $7, '{}', $8, 'queued', $9, $9)",
        )
        .bind(job.uuid())
        .bind(owner.uuid())
        .bind(self.pool.uuid())
        .bind(self.user.uuid())
        .bind(vec![class])
        .bind(gang)
        .bind(device_seconds * 1000)
        .bind(budget.get())
        .bind(now)
        .execute(&state.db)
        .await
        .expect("a job");
        let mut tx = Tx::begin(&state.db).await.expect("a transaction");
        self.hold(&mut tx, owner, DemandId::Job(job), budget).await;
        tx.commit().await.expect("committed");
        job
    }

    async fn hold(&self, tx: &mut Tx, owner: OrganisationId, subject: DemandId, amount: Micros) {
        let new = NewHold { id: self.id(), organisation: owner, currency: "USD", subject, amount };
        holds::open(tx, &new, self.id(), "test", self.now()).await.expect("enough money");
    }
}
