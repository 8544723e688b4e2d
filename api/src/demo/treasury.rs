//! The operator's part: settings of the demo's pool, and money for tenants who run low, each time with a reason.

use scheduler::world::Micros;
use serde_json::{Value, json};

use super::person::Person;
use crate::client::ClientError;
use crate::client::view::Wallet;
use crate::clock::Clock;

/// Below this a tenant is given more.
const LOW: Micros = Micros::new(400_000_000);
/// What is given.
const ALLOWANCE: &str = "1500.00";
/// One tenant is given money at most once in so many seconds: what is asked for twice is given once.
const APART_SECONDS: i64 = 20;

/// Whether the wallet needs more.
#[must_use]
pub fn is_low(wallet: &Wallet) -> bool {
    wallet.available.parse::<Micros>().is_ok_and(|available| available < LOW)
}

/// Gives a tenant its allowance.
pub async fn give(operator: &mut Person, to: &str, name: &str, clock: &dyn Clock) -> Result<(), ClientError> {
    let window = clock.now().unix_timestamp() / APART_SECONDS;
    let key = format!("demo-allowance-{to}-{window}");
    let body = json!({"organisation_id": to, "amount": ALLOWANCE, "reason": format!("demo allowance for {name}")});
    let _: Value = operator.ask(async |client| client.post_once("/v1/credits", &key, &body).await).await?;
    Ok(())
}
