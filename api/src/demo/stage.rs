//! Sets the scene: the providers' nodes and asks, as far as they are not there yet. Safe to run again at any time and
//! after any interruption.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::notebook::Notebook;
use super::person::{Account, Person};
use super::population::PROVIDERS;
use super::supply::Listing;
use crate::client::view::Named;
use crate::client::{Client, ClientError};

/// The parts of a node that tell whether it is complete.
#[derive(Debug, Deserialize)]
struct ListedNode {
    id: String,
    name: String,
    asks: Vec<Value>,
}

/// Lists what is missing; returns how many nodes that were.
pub async fn set(anyone: &Client, notebook: &Notebook, pool: &str, listings: &[Listing]) -> Result<usize, ClientError> {
    let mut added = 0;
    for (place, provider) in PROVIDERS.iter().enumerate() {
        let own: Vec<&Listing> = listings.iter().filter(|listing| listing.provider == place).collect();
        if own.is_empty() {
            continue;
        }
        let mut person = Person::enter(anyone, Account::of(notebook, provider.slug, provider.name)).await?;
        let id = provider_of(&mut person, provider.name).await?;
        let path = format!("/v1/providers/{id}/nodes");
        let listed: Vec<ListedNode> = person.ask(async |client| client.list(&path).await).await?;
        let listed: BTreeMap<&str, &ListedNode> = listed.iter().map(|node| (node.name.as_str(), node)).collect();
        for listing in own {
            let node = match listed.get(listing.name.as_str()) {
                Some(node) if !node.asks.is_empty() => continue,
                Some(node) => node.id.clone(),
                None => {
                    let body = listing.node(pool);
                    person.ask(async |client| client.post::<Named>(&path, &body).await).await?.id
                }
            };
            let ask = listing.ask(&node);
            let _: Value = person.ask(async |client| client.post("/v1/asks", &ask).await).await?;
            added += 1;
        }
    }
    Ok(added)
}

async fn provider_of(person: &mut Person, name: &str) -> Result<String, ClientError> {
    let known: Vec<Named> = person.ask(async |client| client.list("/v1/providers").await).await?;
    if let Some(provider) = known.into_iter().find(|provider| provider.name == name) {
        return Ok(provider.id);
    }
    let body = json!({"name": name});
    Ok(person.ask(async |client| client.post::<Named>("/v1/providers", &body).await).await?.id)
}
