//! The scene: a durable PostgreSQL in a folder of its own on disk, a server in this process, and who trades there.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use actix_web::dev::ServerHandle;
use serde_json::{Value, json};

use crate::app::auth::Email;
use crate::app::make_operator::make_operator;
use crate::client::Client;
use crate::client::view::{Identified, Session};
use crate::clock::SystemClock;
use crate::config::Config;
use crate::embedded::{Embedded, Options};
use crate::entropy::{Entropy, Secret, SystemEntropy};
use crate::http::Application;
use crate::store::{self, Tx};
use crate::{State, demo};

/// Money enough for millions of bids.
const CREDIT: &str = "1000000.00";
/// Credits per tenant: the API gives no more at once.
const CREDITS: u32 = 20;

/// A folder that is gone when it is dropped.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// Below `parent`, which must be a disk for durability to cost what it costs.
    pub(super) fn below(parent: &Path) -> anyhow::Result<Self> {
        let mut bytes = [0; 6];
        SystemEntropy.fill(&mut bytes);
        let name: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let folder = parent.join(format!("souk-bench-{name}"));
        std::fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }

    /// Starts PostgreSQL there. On the main thread: it ends with the thread that started it.
    pub(super) fn postgres(&self) -> anyhow::Result<Embedded> {
        Ok(Embedded::start(&Options::new(self.0.join("postgres")))?)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _gone = std::fs::remove_dir_all(&self.0);
    }
}

/// A server and its tenants.
pub(super) struct Market {
    /// The server's parts.
    pub(super) state: State,
    /// Whose bids are placed.
    pub(super) tenants: Vec<Client>,
    server: ServerHandle,
}

impl Market {
    /// Starts a server on the database, with supply and funded tenants. No loop runs: bids are placed, not cleared.
    pub(super) async fn open(url: &str, tenants: usize) -> anyhow::Result<Self> {
        let config = Config {
            port: 0,
            allow_simulated: true,
            requests_per_minute: u32::MAX,
            logins_per_minute: 1_000,
            ..Config::default()
        };
        let db = store::connect(url, config.database_connections).await?;
        store::migrate(&db).await?;
        let state = State::assemble(config, db, Arc::new(SystemClock), Arc::new(SystemEntropy)).await?;
        let application = Application::build(state.clone())?;
        let anyone = Client::new(&format!("http://127.0.0.1:{}", application.port()))?;
        let server = application.run();
        let handle = server.handle();
        tokio::spawn(server);
        let mut market = Self { state, tenants: Vec::new(), server: handle };
        market.populate(&anyone, tenants).await?;
        Ok(market)
    }

    async fn populate(&mut self, anyone: &Client, tenants: usize) -> anyhow::Result<()> {
        let secret = (&SystemEntropy as &dyn Entropy).secret("bench-");
        let (_, session) = register(anyone, "operator", &secret).await?;
        let mut tx = Tx::begin(&self.state.db).await?;
        let email = Email::parse(&session.user.email).ok_or_else(|| anyhow::anyhow!("an odd address"))?;
        make_operator(&mut tx, &email).await?;
        tx.commit().await?;
        let login = json!({"email": session.user.email, "password": secret.reveal()});
        let session: Session = anyone.post("/v1/auth/login", &login).await?;
        let operator = anyone.with_token(Secret::presented(&session.access_token));
        supply(&operator).await?;
        for number in 0..tenants {
            let (tenant, session) = register(anyone, &format!("tenant{number}"), &secret).await?;
            for part in 0..CREDITS {
                let body = json!({"organisation_id": session.organisation.id, "amount": CREDIT, "reason": "bench"});
                let _: Value = operator.post_once("/v1/credits", &format!("{number}-{part}"), &body).await?;
            }
            self.tenants.push(tenant);
        }
        Ok(())
    }

    /// Stops the server and lets go of the database.
    pub(super) async fn close(self) {
        self.server.stop(false).await;
        self.state.db.close().await;
    }
}

async fn register(anyone: &Client, name: &str, secret: &Secret) -> anyhow::Result<(Client, Session)> {
    let body = json!({"email": format!("{name}@bench.example"), "password": secret.reveal(), "display_name": name});
    let session: Session = anyone.post("/v1/auth/register", &body).await?;
    Ok((anyone.with_token(Secret::presented(&session.access_token)), session))
}

/// A few nodes with asks, so that bids are checked against floors.
async fn supply(operator: &Client) -> anyhow::Result<()> {
    let pools: Vec<Identified> = operator.list("/v1/pools").await?;
    let pool = pools.first().ok_or_else(|| anyhow::anyhow!("the market has no pool"))?;
    let provider: Identified = operator.post("/v1/providers", &json!({"name": "Bench"})).await?;
    for shape in demo::model::Model::built_in()?.nodes.iter().filter(|shape| shape.nvlink && shape.devices == 8) {
        let hardware = json!({
            "cpu_milli": shape.cpu_milli,
            "memory_mib": shape.memory_mib,
            "nvlink": shape.nvlink,
            "devices": [{"class_id": shape.class, "count": shape.devices}],
        });
        let node = json!({"pool_id": pool.id, "name": shape.class, "hardware": hardware});
        let path = format!("/v1/providers/{}/nodes", provider.id);
        let Ok(node) = operator.post::<Identified>(&path, &node).await else { continue };
        let ask = json!({"node_id": node.id, "class_id": shape.class, "price_per_gpu_hour": "1.90", "floor_per_gpu_hour": "0.90"});
        let _: Value = operator.post("/v1/asks", &ask).await?;
    }
    Ok(())
}
