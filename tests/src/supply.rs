//! Capacity for tests, listed through the public API as a provider would.

use serde_json::json;

use crate::client::Client;
use crate::market::TestMarket;

/// What one line of supply made.
#[derive(Debug, Clone)]
pub struct Supply {
    /// The seeded pool.
    pub pool_id: String,
    /// The caller's provider.
    pub provider_id: String,
    /// A simulated node of its own.
    pub node_id: String,
    /// The live ask on it.
    pub ask_id: String,
    /// Its devices, by slot.
    pub device_ids: Vec<String>,
}

impl TestMarket {
    /// The id of the pool that every market begins with.
    pub async fn pool_id(&self) -> String {
        let pools = self.anyone.get("/v1/pools").await.expect(200);
        pools.body["items"][0]["id"].as_str().expect("the seeded pool").to_owned()
    }

    /// Lists `devices` of `class` on a new simulated node of the caller's provider (created on first use), at a price and
    /// a floor.
    pub async fn supply(&self, provider: &Client, class: &str, devices: u32, price: &str, floor: &str) -> Supply {
        let node = self.node(provider, &[(class, devices)]).await;
        let body = json!({"node_id": node.node_id, "class_id": class, "price_per_gpu_hour": price, "floor_per_gpu_hour": floor});
        let ask = provider.post("/v1/asks", body).await.expect(201);
        Supply { ask_id: ask.text("id"), ..node }
    }

    /// A new simulated node with devices of several classes, nothing asked for them yet.
    pub async fn node(&self, provider: &Client, devices: &[(&str, u32)]) -> Supply {
        let provider_id = self.provider_of(provider).await;
        let pool_id = self.pool_id().await;
        let groups: Vec<_> = devices.iter().map(|(class, count)| json!({"class_id": class, "count": count})).collect();
        let name = format!("node-{}", self.state.entropy.seed());
        let body = json!({
            "pool_id": pool_id,
            "name": name,
            "hardware": {"cpu_milli": 96_000, "memory_mib": 393_216, "nvlink": true, "inet_down_mbps": 10_000,
                         "driver": "550.54.15", "cuda_max": "12.4", "devices": groups},
        });
        let node = provider.post(&format!("/v1/providers/{provider_id}/nodes"), body).await.expect(201);
        let listed = node.body["devices"].as_array().expect("devices");
        let device_ids = listed.iter().map(|device| device["id"].as_str().expect("an id").to_owned()).collect();
        Supply { pool_id, provider_id, node_id: node.text("id"), ask_id: String::new(), device_ids }
    }

    /// The caller's provider, created on first use.
    pub async fn provider_of(&self, client: &Client) -> String {
        let providers = client.get("/v1/providers").await.expect(200);
        if let Some(id) = providers.body["items"][0]["id"].as_str() {
            return id.to_owned();
        }
        client.post("/v1/providers", json!({"name": "Test provider"})).await.expect(201).text("id")
    }
}
