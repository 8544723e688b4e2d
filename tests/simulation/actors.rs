//! Who acts in the simulated market: tenants with more and less money, a provider, and bad luck. Whatever the market
//! answers is fine as long as it is an answer: never a fault of its own.

use rand::Rng as _;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use scheduler::world::ids::OrganisationId;
use serde_json::{Value, json};
use souk::app::lose_node::lose_node;
use souk::store::Tx;
use souk::store::liveness::Silent;
use souk_tests::{Client, Response, Scene, TestMarket};

const CLASSES: [(&str, &str); 2] = [("H100", "h100-80gb"), ("A100", "a100-80gb")];

struct Tenant {
    client: Client,
    organisation: OrganisationId,
}

pub struct Actors {
    tenants: Vec<Tenant>,
    provider: Client,
    scene: Scene,
    /// Whether the pool promises finish times: then jobs come through the door.
    promises: bool,
    keys: usize,
}

impl Actors {
    /// Four tenants, one of them poor, and a provider with four nodes.
    pub async fn enter(market: &TestMarket, scene: Scene, promises: bool, random: &mut StdRng) -> Self {
        let operator = market.operator().await;
        let mut tenants = Vec::new();
        for (name, money) in [("ana", "5000"), ("ben", "5000"), ("cleo", "500"), ("dan", "12")] {
            let client = market.tenant(name).await;
            market.fund(&operator, &client, money).await;
            let me = client.get("/v1/me").await.expect(200);
            let organisation = me.body["organisation"]["id"].as_str().and_then(|id| id.parse().ok());
            let client = with_key(&client).await;
            tenants.push(Tenant { client, organisation: organisation.expect("an organisation") });
        }
        let provider = with_key(&market.tenant("eve").await).await;
        let mut actors = Self { tenants, provider, scene, promises, keys: 0 };
        for _ in 0..4 {
            actors.list_node(market, random).await;
        }
        actors
    }

    fn key(&mut self) -> String {
        self.keys += 1;
        format!("key-{}", self.keys)
    }

    /// Somebody does something.
    pub async fn act(&mut self, market: &TestMarket, random: &mut StdRng) {
        match random.random_range(0..100) {
            0..40 => self.bid(random).await,
            40..52 => self.cancel(random).await,
            52..64 => self.submit(market, random).await,
            64..78 => self.rent(random).await,
            78..88 => self.leave(random).await,
            88..91 => self.move_node(random).await,
            91..95 => self.change_ask(random).await,
            // Where finish times are promised nodes are lost more often: that is what breaks them.
            95..97 if self.promises && random.random_ratio(2, 3) => self.lose_node(market, random).await,
            95..97 => self.list_node(market, random).await,
            97..98 => self.lose_node(market, random).await,
            _ => self.give_credit(market).await,
        }
    }

    async fn bid(&mut self, random: &mut StdRng) {
        let (model, _) = CLASSES[random.random_range(0..2)];
        let model = if random.random_ratio(1, 5) { "H100,A100" } else { model };
        let limit = random.random_range(50..400);
        let body = json!({
            "gpu": format!("{model}:{}", [1, 1, 1, 2, 2, 4][random.random_range(0..6)]),
            "limit_per_gpu_hour": format!("{}.{:02}", limit / 100, limit % 100),
            "reenter": random.random_ratio(2, 3),
        });
        let key = self.key();
        let tenant = &self.tenants[random.random_range(0..self.tenants.len())];
        answered(tenant.client.post_once("/v1/bids", &key, body).await);
    }

    async fn cancel(&mut self, random: &mut StdRng) {
        let key = self.key();
        let tenant = &self.tenants[random.random_range(0..self.tenants.len())];
        if let Some(id) = any(&tenant.client.get("/v1/bids").await.expect(200).body, random) {
            answered(tenant.client.post_once(&format!("/v1/bids/{id}/cancel"), &key, json!({})).await);
        }
    }

    async fn submit(&mut self, market: &TestMarket, random: &mut StdRng) {
        if self.promises {
            return self.submit_at_the_door(random).await;
        }
        let tenant = &self.tenants[random.random_range(0..2)];
        let available: i64 = sqlx::query_scalar(
            "SELECT balance_micros FROM accounts WHERE organisation_id = $1 AND kind = 'tenant_available'",
        )
        .bind(tenant.organisation.uuid())
        .fetch_one(&market.state.db)
        .await
        .expect("a balance");
        if available > 50_000_000 {
            let (_, class) = CLASSES[random.random_range(0..2)];
            let budget = ["0.05", "2", "20"][random.random_range(0..3)];
            let (gang, work) = (random.random_range(1..=2), random.random_range(60..2000));
            self.scene.job(tenant.organisation, class, gang, work, budget).await;
        }
    }

    async fn submit_at_the_door(&mut self, random: &mut StdRng) {
        let (model, _) = CLASSES[random.random_range(0..2)];
        let gang = [1, 1, 1, 2][random.random_range(0..4)];
        let work = random.random_range(20..400);
        let budget = ["0.50", "2", "20"][random.random_range(0..3)];
        let weight = ["0.5", "1", "2"][random.random_range(0..3)];
        let body = json!({
            "name": "run", "gpu": format!("{model}:{gang}"), "work": format!("0.{work:03}"), "budget": budget, "weight": weight,
        });
        let key = self.key();
        let tenant = &self.tenants[random.random_range(0..2)];
        answered(tenant.client.post("/v1/jobs/dry-run", body.clone()).await);
        let submitted = tenant.client.post_once("/v1/jobs", &key, body).await;
        if submitted.status == 201 && random.random_ratio(1, 12) {
            let path = format!("/v1/jobs/{}/cancel", submitted.text("id"));
            answered(tenant.client.post_once(&path, &format!("{key}-cancel"), json!({})).await);
        } else {
            answered(submitted);
        }
    }

    async fn rent(&mut self, random: &mut StdRng) {
        let key = self.key();
        let asks = self.provider.get("/v1/asks").await.expect(200).body;
        let tenant = &self.tenants[random.random_range(0..self.tenants.len())];
        if let Some(ask_id) = any(&asks, random) {
            let body = json!({"ask_id": ask_id, "devices": random.random_range(1..=3)});
            answered(tenant.client.post_once("/v1/rentals", &key, body).await);
        }
    }

    async fn leave(&mut self, random: &mut StdRng) {
        let key = self.key();
        let tenant = &self.tenants[random.random_range(0..self.tenants.len())];
        let verb = ["end", "end", "stop", "start"][random.random_range(0..4)];
        if let Some(id) = any(&tenant.client.get("/v1/rentals").await.expect(200).body, random) {
            answered(tenant.client.post_once(&format!("/v1/rentals/{id}/{verb}"), &key, json!({})).await);
        }
    }

    async fn nodes(&self, market: &TestMarket) -> Vec<String> {
        let provider = market.provider_of(&self.provider).await;
        let nodes = self.provider.get(&format!("/v1/providers/{provider}/nodes")).await.expect(200).body;
        ids(&nodes)
    }

    async fn move_node(&mut self, random: &mut StdRng) {
        let asks = self.provider.get("/v1/asks").await.expect(200).body;
        let nodes: Vec<&str> =
            asks["items"].as_array().expect("items").iter().filter_map(|ask| ask["node_id"].as_str()).collect();
        if let Some(node) = nodes.choose(random) {
            let verb = ["drain", "resume", "resume"][random.random_range(0..3)];
            answered(self.provider.post(&format!("/v1/nodes/{node}/{verb}"), json!({})).await);
        }
    }

    async fn change_ask(&mut self, random: &mut StdRng) {
        let asks = self.provider.get("/v1/asks").await.expect(200).body;
        let Some(ask) = asks["items"].as_array().expect("items").choose(random).cloned() else { return };
        if random.random_ratio(1, 4) {
            let id = ask["id"].as_str().expect("an id");
            answered(self.provider.post(&format!("/v1/asks/{id}/withdraw"), json!({})).await);
        } else {
            let floor = random.random_range(40..150);
            let body = json!({
                "node_id": ask["node_id"], "class_id": ask["class_id"],
                "price_per_gpu_hour": "2.50", "floor_per_gpu_hour": format!("{}.{:02}", floor / 100, floor % 100),
            });
            answered(self.provider.post("/v1/asks", body).await);
        }
    }

    async fn list_node(&mut self, market: &TestMarket, random: &mut StdRng) {
        if sqlx::query_scalar::<_, i64>("SELECT count(*) FROM nodes WHERE state = 'ready'")
            .fetch_one(&market.state.db)
            .await
            .expect("a count")
            < 6
        {
            let (_, class) = CLASSES[random.random_range(0..2)];
            let floor = ["0.60", "0.80", "1.00"][random.random_range(0..3)];
            market.supply(&self.provider, class, [2, 4, 4, 8][random.random_range(0..4)], "2.50", floor).await;
        }
    }

    /// A simulated node never falls silent by itself: it is lost as the liveness loop would lose it.
    async fn lose_node(&mut self, market: &TestMarket, random: &mut StdRng) {
        let nodes = self.nodes(market).await;
        let Some(node) = nodes.choose(random) else { return };
        let silent: Option<Silent> = sqlx::query_as(
            "SELECT n.id, n.name, n.pool_id, n.provider_id, p.organisation_id, n.heartbeat_at, n.version
             FROM nodes n JOIN providers p ON p.id = n.provider_id
             WHERE 'node_' || replace(n.id::text, '-', '') = $1 AND n.state IN ('ready', 'draining')",
        )
        .bind(node)
        .fetch_optional(&market.state.db)
        .await
        .expect("a node");
        if let Some(silent) = silent {
            let now = market.state.clock.now();
            let mut tx = Tx::begin(&market.state.db).await.expect("a transaction");
            lose_node(&mut tx, &*market.state.entropy, &silent, now).await.expect("lost");
            tx.commit().await.expect("committed");
        }
    }

    async fn give_credit(&mut self, market: &TestMarket) {
        let operator = market.login("operator").await;
        market.fund(&operator, &self.tenants[3].client, "3").await;
    }
}

/// A program acts for them: an access token would not outlive the first ten minutes of virtual time.
async fn with_key(person: &Client) -> Client {
    let scopes = ["read", "bids:write", "jobs:write", "rentals:write", "supply:write", "wallet:read"];
    let key = person.post("/v1/api-keys", json!({"name": "simulation", "scopes": scopes})).await.expect(201);
    person.with_token(&key.text("secret"))
}

/// Refusals are part of the game; faults are not.
fn answered(response: Response) {
    assert!(response.status < 500, "{}: {}", response.status, response.body);
}

fn ids(list: &Value) -> Vec<String> {
    let items = list["items"].as_array().expect("items");
    items.iter().filter_map(|item| item["id"].as_str()).map(str::to_owned).collect()
}

fn any(list: &Value, random: &mut StdRng) -> Option<String> {
    ids(list).choose(random).cloned()
}
