//! The machine itself as a node of its own market: with `souk serve --demo` somebody who has no GPU rents the machine in
//! front of him, opens a shell in it, and sees what that costs.
//!
//! It is enrolled like any node, over the public API, by an agent that runs beside the server.

use std::net::IpAddr;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};
use souk_agent::identity::{Enrolment, Identity};
use souk_agent::{Node, Settings, discovery};
use tokio_util::sync::CancellationToken;

use crate::client::view::Named;
use crate::client::{Client, ClientError};
use crate::config::Config;
use crate::demo::notebook::Notebook;
use crate::demo::person::{Account, Person};

/// The provider's name.
const PROVIDER: &str = "This machine";
/// What it costs per hour: little, since everybody knows what it is.
const PRICE: &str = "0.05";
/// The least that a bid has to offer for it.
const FLOOR: &str = "0.01";

#[derive(Deserialize)]
struct ListedNode {
    devices: Vec<ListedDevice>,
    asks: Vec<Value>,
}

#[derive(Deserialize)]
struct ListedDevice {
    class_id: String,
}

#[derive(Deserialize)]
struct EnrolmentToken {
    token: String,
}

/// Offers the machine until it is time to stop. A failure leaves the market alone.
pub(super) async fn offer(config: &Config, anyone: &Client, notebook: &Notebook, stop: CancellationToken) {
    if !config.address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback()) {
        tracing::warn!(
            "this machine is not offered: the server can be reached from others, who could run programs on it"
        );
        return;
    }
    match enrol(config, anyone, notebook).await {
        Ok(node) => node.run(stop).await,
        Err(error) => tracing::error!(error = format!("{error:#}"), "this machine is not offered"),
    }
}

async fn enrol(config: &Config, anyone: &Client, notebook: &Notebook) -> anyhow::Result<Node> {
    let mut person = Person::enter(anyone, Account::of(notebook, "this-machine", PROVIDER)).await?;
    let data_dir = config.data_dir.join("node");
    let known = known(&mut person, anyone.server(), &data_dir).await?;
    let token = if known { None } else { Some(token(&mut person).await?) };
    let server = anyone.server().to_owned();
    let node = Node::start(&Settings { server, token, name: discovery::machine_name(), data_dir }).await?;
    ask_a_price(&mut person, node.id()).await?;
    Ok(node)
}

/// Whether this market knows the node of that folder. The port may have changed since; a node of another market, whose
/// data is gone, enrols anew.
async fn known(person: &mut Person, server: &str, data_dir: &Path) -> anyhow::Result<bool> {
    let identity = Identity::load(data_dir)?;
    let Some(enrolment) = identity.enrolment()? else { return Ok(false) };
    let path = format!("/v1/nodes/{}", enrolment.node_id);
    match person.ask(async |client| client.get::<Value>(&path).await).await {
        Ok(_) => {
            identity.keep(&Enrolment { server: server.to_owned(), ..enrolment })?;
            Ok(true)
        }
        Err(error) if error.code() == "not_found" => {
            identity.forget()?;
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}

async fn token(person: &mut Person) -> Result<String, ClientError> {
    let pools: Vec<Named> = person.ask(async |client| client.list("/v1/pools").await).await?;
    let pool = pools.into_iter().next().map(|pool| pool.id);
    let provider = provider(person).await?;
    let path = format!("/v1/providers/{provider}/enrolment-tokens");
    let body = json!({ "pool_id": pool });
    Ok(person.ask(async |client| client.post::<EnrolmentToken>(&path, &body).await).await?.token)
}

async fn provider(person: &mut Person) -> Result<String, ClientError> {
    let known: Vec<Named> = person.ask(async |client| client.list("/v1/providers").await).await?;
    if let Some(provider) = known.into_iter().find(|provider| provider.name == PROVIDER) {
        return Ok(provider.id);
    }
    Ok(person.ask(async |client| client.post::<Named>("/v1/providers", &json!({ "name": PROVIDER })).await).await?.id)
}

async fn ask_a_price(person: &mut Person, node: &str) -> Result<(), ClientError> {
    let path = format!("/v1/nodes/{node}");
    let listed: ListedNode = person.ask(async |client| client.get(&path).await).await?;
    let Some(device) = listed.devices.first().filter(|_| listed.asks.is_empty()) else { return Ok(()) };
    let body = json!({
        "node_id": node, "class_id": device.class_id, "price_per_gpu_hour": PRICE, "floor_per_gpu_hour": FLOOR,
    });
    let _: Value = person.ask(async |client| client.post("/v1/asks", &body).await).await?;
    Ok(())
}
