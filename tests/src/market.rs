//! A running server over a database of its own.

use std::sync::Arc;

use actix_web::dev::ServerHandle;
use serde_json::json;
use souk::app::auth::Email;
use souk::app::make_operator::make_operator;
use souk::clock::FrozenClock;
use souk::config::Config;
use souk::entropy::SeededEntropy;
use souk::http::{Application, State};
use souk::store::Tx;
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;
use time::OffsetDateTime;
use time::macros::datetime;

use crate::client::{Client, Response};
use crate::database::TestDatabase;

/// When every test begins.
pub const START: OffsetDateTime = datetime!(2030-01-01 00:00:00 UTC);

/// Everybody's password.
pub const PASSWORD: &str = "correct horse battery staple";

/// A market with nothing in it. Dropped, it takes its database along.
pub struct TestMarket {
    /// The clock that the whole server goes by.
    pub clock: Arc<FrozenClock>,
    /// The server's parts, for stepping loops and looking into the store.
    pub state: State,
    /// A client without a token.
    pub anyone: Client,
    server: ServerHandle,
    // Dropped last: the database goes when the server has let go of it. A replica has none of its own.
    _database: Option<TestDatabase>,
}

impl TestMarket {
    /// Starts a server with the default settings of tests.
    pub async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    /// Starts a server whose settings were changed first.
    pub async fn start_with(change: impl FnOnce(&mut Config)) -> Self {
        let database = TestDatabase::create().await.expect("a test database");
        let mut config = Config {
            port: 0,
            allow_simulated: true,
            database_connections: 8,
            requests_per_minute: 1_000_000,
            logins_per_minute: 1_000_000,
            ..Config::default()
        };
        change(&mut config);
        let db =
            souk::store::connect(database.url(), config.database_connections).await.expect("the test database answers");
        Self::serve(config, db, Arc::new(FrozenClock::at(START)), 1, Some(database)).await
    }

    /// A second server on the same database, with the same clock. Drop it before the first.
    pub async fn replica(&self) -> Self {
        let options = self.state.db.connect_options();
        let db = PgPoolOptions::new().max_connections(8).connect_with((*options).clone()).await;
        let db = db.expect("the test database answers");
        let (config, clock) = ((*self.state.config).clone(), Arc::clone(&self.clock));
        Self::serve(config, db, clock, 2, None).await
    }

    async fn serve(
        config: Config,
        db: PgPool,
        clock: Arc<FrozenClock>,
        seed: u64,
        database: Option<TestDatabase>,
    ) -> Self {
        let state = State::assemble(config, db, clock.clone(), Arc::new(SeededEntropy::new(seed)))
            .await
            .expect("the state assembles");
        let application = Application::build(state.clone()).expect("a free port");
        let anyone = Client::new(&format!("http://127.0.0.1:{}", application.port()));
        let server = application.run();
        let handle = server.handle();
        // Workers of actix have runtimes of their own; only the accept loop's future runs here.
        tokio::spawn(server);
        Self { clock, state, anyone, server: handle, _database: database }
    }

    /// A second server over the same database and clock, as far as loops are concerned: it listens nowhere.
    pub async fn another_server(&self, seed: u64) -> State {
        let entropy = Arc::new(SeededEntropy::new(seed));
        let config = (*self.state.config).clone();
        State::assemble(config, self.state.db.clone(), self.clock.clone(), entropy).await.expect("the state assembles")
    }

    /// Registers a person with an organisation of its own.
    pub async fn tenant(&self, name: &str) -> Client {
        let body = json!({"email": format!("{name}@example.org"), "password": PASSWORD, "display_name": name});
        let session = self.anyone.post("/v1/auth/register", body).await.expect(201);
        self.anyone.with_token(&session.text("access_token"))
    }

    /// Registers a person who operates the marketplace.
    pub async fn operator(&self) -> Client {
        let email = Email::parse("operator@example.org").expect("an address");
        drop(self.tenant("operator").await);
        let mut tx = Tx::begin(&self.state.db).await.expect("the database answers");
        make_operator(&mut tx, &email).await.expect("the operator has registered");
        tx.commit().await.expect("the flag is set");
        self.login("operator").await
    }

    /// The same caller by an API key, which outlives the hours that a test lets pass.
    pub async fn lasting(&self, person: &Client, scopes: &[&str]) -> Client {
        let key = person.post("/v1/api-keys", json!({ "name": "test", "scopes": scopes })).await.expect(201);
        self.anyone.with_token(&key.text("secret"))
    }

    /// Logs a person in again, for a token that knows what has changed.
    pub async fn login(&self, name: &str) -> Client {
        self.anyone.with_token(&self.session(name).await.text("access_token"))
    }

    /// Logs a person in and answers the whole session.
    pub async fn session(&self, name: &str) -> Response {
        let body = json!({"email": format!("{name}@example.org"), "password": PASSWORD});
        self.anyone.post("/v1/auth/login", body).await.expect(200)
    }

    /// Credits the tenant's wallet, as an operator would.
    pub async fn fund(&self, operator: &Client, tenant: &Client, amount: &str) {
        let me = tenant.get("/v1/me").await.expect(200);
        let organisation = me.body["organisation"]["id"].as_str().expect("an organisation").to_owned();
        let key = self.state.entropy.secret("fund-");
        let body = json!({"organisation_id": organisation, "amount": amount, "reason": "test credit"});
        drop(operator.post_once("/v1/credits", key.reveal(), body).await.expect(201));
    }
}

impl Drop for TestMarket {
    fn drop(&mut self) {
        drop(self.server.stop(false));
    }
}
