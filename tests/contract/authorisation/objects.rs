//! One object of every kind that belongs to an organisation.

use std::collections::BTreeMap;

use serde_json::json;
use souk_tests::{Client, TestMarket};

/// The objects' ids by their prefixes, and who owns them.
pub struct Objects {
    /// A client of their owner.
    pub owner: Client,
    ids: BTreeMap<&'static str, String>,
}

impl Objects {
    /// Makes them through the public API.
    pub async fn make(market: &TestMarket) -> Self {
        let operator = market.operator().await;
        let owner = market.tenant("owner").await;
        market.fund(&operator, &owner, "1000").await;
        let supply = market.supply(&owner, "h100-80gb", 8, "3.00", "1.00").await;
        let me = owner.get("/v1/me").await.expect(200);
        let key = owner.post("/v1/api-keys", json!({"name": "k", "scopes": ["read"]})).await.expect(201);
        let line = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJwt2DTk4sg7Cs+afnUBHH25eTX/z6EbRwGnooljenxf";
        let ssh = owner.post("/v1/ssh-keys", json!({"name": "k", "public_key": line})).await.expect(201);
        let bid = json!({"gpu": "H100:1", "limit_per_gpu_hour": "2.00"});
        let bid = owner.post_once("/v1/bids", "bid", bid).await.expect(201);
        let job = json!({"name": "j", "gpu": "H100:1", "work": "1", "budget": "10.00"});
        let job = owner.post_once("/v1/jobs", "job", job).await.expect(201);
        // A round explains the bid, and grants it.
        souk::loops::round::step(&market.state).await.unwrap();
        let asked = json!({"ask_id": supply.ask_id, "devices": 1});
        let quote = owner.post("/v1/quotes", asked.clone()).await.expect(201);
        let rental = owner.post_once("/v1/rentals", "rental", asked).await.expect(201);
        let ids = [
            ("org", me.body["organisation"]["id"].as_str().unwrap().to_owned()),
            ("key", key.text("id")),
            ("ssh", ssh.text("id")),
            ("prv", supply.provider_id),
            ("node", supply.node_id),
            ("ask", supply.ask_id),
            ("bid", bid.text("id")),
            ("job", job.text("id")),
            ("quo", quote.text("id")),
            ("rnt", rental.text("id")),
        ];
        Self { owner, ids: ids.into() }
    }

    /// The id of the object of that kind.
    pub fn id(&self, kind: &str) -> &str {
        self.ids.get(kind).unwrap_or_else(|| panic!("make an object with an id that begins with {kind}_"))
    }

    /// The kinds that there are.
    pub fn kinds(&self) -> impl Iterator<Item = &'static str> {
        self.ids.keys().copied()
    }
}
