//! Somebody who places bids without a pause, and keeps the receipts: what was asked for under which key, and what was
//! acknowledged.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use souk_tests::Client;

/// One request, and what came back.
#[derive(Debug, Clone)]
pub struct Receipt {
    body: Value,
    /// The bid, once it was acknowledged.
    pub id: Option<String>,
    /// Whether its end was acknowledged, too.
    pub cancelled: bool,
}

/// All requests by their keys.
#[derive(Debug, Default)]
pub struct Bidder {
    http: reqwest::Client,
    number: usize,
    /// What was asked for.
    pub receipts: BTreeMap<String, Receipt>,
}

impl Bidder {
    /// Places bids and takes most of them back, until this future is dropped.
    pub async fn trade(&mut self, name: &str, client: &Client) {
        loop {
            let key = format!("{name}-{}", self.number);
            let number = self.number;
            self.number += 1;
            let limit = format!("{}.{:02}", 1 + number % 3, number % 100);
            let body = json!({ "gpu": format!("H100:{}", 1 + number % 2), "limit_per_gpu_hour": limit });
            self.receipts.insert(key.clone(), Receipt { body, id: None, cancelled: false });
            self.place(&key, client).await;
            if !number.is_multiple_of(8) {
                self.cancel(&key, client).await;
            }
        }
    }

    /// Asks under that key, for the first time or again.
    async fn place(&mut self, key: &str, client: &Client) {
        let Some(receipt) = self.receipts.get(key) else { return };
        let Some(answer) = self.ask(client, "/v1/bids", key, &receipt.body).await else { return };
        let Some(receipt) = self.receipts.get_mut(key) else { return };
        let Some(id) = answer["id"].as_str() else { return };
        assert!(receipt.id.as_deref().is_none_or(|known| known == id), "{key} made {id} and {receipt:?}");
        receipt.id = Some(id.to_owned());
    }

    async fn cancel(&mut self, key: &str, client: &Client) {
        let Some(id) = self.receipts.get(key).and_then(|receipt| receipt.id.clone()) else { return };
        let answer = self.ask(client, &format!("/v1/bids/{id}/cancel"), &format!("{key}-cancel"), &json!({})).await;
        // A bid that runs is cancelled with notice or at once; acknowledged is what ends it for good.
        let cancelled = answer.is_some_and(|bid| bid["state"] == "cancelled");
        if let Some(receipt) = self.receipts.get_mut(key) {
            receipt.cancelled = cancelled;
        }
    }

    /// Repeats what was never answered, and some of what was: the same key must mean the same bid.
    pub async fn repeat(&mut self, client: &Client) {
        let doubtful = |receipt: &Receipt| receipt.id.is_none();
        let mut again: Vec<String> =
            self.receipts.iter().filter(|(_, one)| doubtful(one)).map(|(key, _)| key.clone()).collect();
        again.extend(self.receipts.keys().rev().take(20).cloned());
        for key in again {
            self.place(&key, client).await;
        }
    }

    /// The answer, unless it got lost with the server. An answer that says that the server is at fault is one that it must not
    /// give, except that it cannot serve now.
    async fn ask(&self, client: &Client, path: &str, key: &str, body: &Value) -> Option<Value> {
        let request = self.http.post(format!("{}{path}", client.base())).json(body);
        let request = request.bearer_auth(client.token().unwrap_or_default()).header("Idempotency-Key", key);
        let answer = request.send().await.ok()?;
        let status = answer.status().as_u16();
        let body = answer.json::<Value>().await.ok()?;
        assert!(status < 500 || status == 503, "{path}: {status} {body}");
        (status < 300).then_some(body)
    }
}
