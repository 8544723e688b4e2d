//! One caller of each kind, in one organisation, with what the permissions should see of it.

use serde_json::json;
use souk::app::auth::Email;
use souk::app::make_operator::make_operator;
use souk::app::{Caller, Role, Scope, Via};
use souk::store::Tx;
use souk_tests::{Client, TestMarket};

/// The callers.
pub struct Callers(Vec<(String, Client, Caller)>);

impl Callers {
    /// Registers them and gives them their roles and keys.
    pub async fn gather(market: &TestMarket) -> Self {
        let owner = market.tenant("owner").await;
        let me = owner.get("/v1/me").await.expect(200);
        let organisation = me.body["organisation"]["id"].as_str().unwrap().to_owned();
        let base = Caller {
            organisation: organisation.parse().unwrap(),
            user: me.body["user"]["id"].as_str().unwrap().parse().unwrap(),
            role: Role::Owner,
            operator: false,
            via: Via::Token,
        };
        let mut callers = Vec::new();
        for role in Role::ALL {
            let name = format!("a_{}", role.as_str());
            drop(market.tenant(&name).await);
            let body = json!({"email": format!("{name}@example.org"), "role": role.as_str()});
            drop(owner.post(&format!("/v1/organisations/{organisation}/members"), body).await.expect(201));
            callers.push((name.clone(), act_for(market, &name, &organisation).await, Caller { role, ..base.clone() }));
        }
        // An operator is one by a flag, whatever its role; this one is a viewer.
        let mut tx = Tx::begin(&market.state.db).await.unwrap();
        make_operator(&mut tx, &Email::parse("a_viewer@example.org").unwrap()).await.unwrap();
        tx.commit().await.unwrap();
        let operator = Caller { role: Role::Viewer, operator: true, ..base.clone() };
        callers.push(("an operator".to_owned(), act_for(market, "a_viewer", &organisation).await, operator));
        for scope in Scope::ALL {
            let body = json!({"name": scope.as_str(), "scopes": [scope.as_str()]});
            let made = owner.post("/v1/api-keys", body).await.expect(201);
            let via = Via::ApiKey { id: made.text("id").parse().unwrap(), scopes: [scope].into() };
            let client = market.anyone.with_token(&made.text("secret"));
            callers.push((format!("a key for {}", scope.as_str()), client, Caller { via, ..base.clone() }));
        }
        Self(callers)
    }

    /// All of them, by name.
    pub fn all(&self) -> impl Iterator<Item = (&str, &Client, &Caller)> {
        self.0.iter().map(|(name, client, caller)| (name.as_str(), client, caller))
    }
}

async fn act_for(market: &TestMarket, name: &str, organisation: &str) -> Client {
    let session = market.session(name).await;
    let body = json!({"refresh_token": session.text("refresh_token"), "organisation_id": organisation});
    let switched = market.anyone.post("/v1/auth/refresh", body).await.expect(200);
    market.anyone.with_token(&switched.text("access_token"))
}
