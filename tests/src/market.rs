//! A running server over a database of its own.

use std::sync::Arc;

use actix_web::dev::ServerHandle;
use serde_json::json;
use souk::clock::FrozenClock;
use souk::config::Config;
use souk::entropy::SeededEntropy;
use souk::http::{Application, State};
use time::OffsetDateTime;
use time::macros::datetime;

use crate::client::Client;
use crate::database::TestDatabase;

/// When every test begins.
pub const START: OffsetDateTime = datetime!(2030-01-01 00:00:00 UTC);

/// A market with nothing in it. Dropped, it takes its database along.
pub struct TestMarket {
    /// The clock that the whole server goes by.
    pub clock: Arc<FrozenClock>,
    /// The server's parts, for stepping loops and looking into the store.
    pub state: State,
    /// A client without a token.
    pub anyone: Client,
    server: ServerHandle,
    // Dropped last: the database goes when the server has let go of it.
    _database: TestDatabase,
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
            ..Config::default()
        };
        change(&mut config);
        let db =
            souk::store::connect(database.url(), config.database_connections).await.expect("the test database answers");
        let clock = Arc::new(FrozenClock::at(START));
        let state = State::assemble(config, db, clock.clone(), Arc::new(SeededEntropy::new(1)))
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

    /// Registers a person with an organisation of its own.
    pub async fn tenant(&self, name: &str) -> Client {
        let body = json!({"email": format!("{name}@example.org"), "password": "correct horse battery staple", "display_name": name});
        let session = self.anyone.post("/v1/auth/register", body).await.expect(201);
        self.anyone.with_token(&session.text("access_token"))
    }
}

impl Drop for TestMarket {
    fn drop(&mut self) {
        drop(self.server.stop(false));
    }
}
