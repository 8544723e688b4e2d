//! Every route has an authorisation case, and every case holds: each route is really called by nobody, by each role, by
//! an operator, by API keys with one scope each, and by the owner of another organisation.

mod callers;
mod coverage;
mod objects;
mod table;

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::Value;
use souk_tests::{Client, TestMarket};

use self::callers::Callers;
use self::objects::Objects;
use self::table::{Case, Needs, table};

#[tokio::test]
async fn nobody_gets_in_without_a_token() {
    let market = TestMarket::start().await;
    for case in table() {
        let (status, code) = call(&market.anyone, &case, None).await;
        if matches!(case.needs, Needs::Nobody) {
            assert!(status != 401 && status != 403, "{case} is public and answered {status} {code}");
        } else {
            assert_eq!(status, 401, "{case} without a token answered {status} {code}");
        }
    }
}

#[tokio::test]
async fn a_token_that_is_not_ours_gets_nobody_in() {
    let market = TestMarket::start().await;
    let forged = "eyJhbGciOiJFZERTQSIsImtpZCI6IngifQ.eyJzdWIiOiJ1c3JfMSJ9.AAAA";
    for token in [forged, "souk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"] {
        for case in table().into_iter().filter(|case| !matches!(case.needs, Needs::Nobody)) {
            let (status, code) = call(&market.anyone.with_token(token), &case, None).await;
            assert_eq!(status, 401, "{case} with a forged token answered {status} {code}");
        }
    }
}

#[tokio::test]
async fn every_role_and_every_scope_gets_in_exactly_where_it_may() {
    let market = TestMarket::start().await;
    let callers = Callers::gather(&market).await;
    for case in table() {
        for (name, client, caller) in callers.all() {
            let (status, code) = call(client, &case, None).await;
            let refused = status == 401 || code == "forbidden";
            assert_eq!(!refused, case.needs.allow(caller), "{case} for {name} answered {status} {code}");
        }
    }
}

#[tokio::test]
async fn another_organisations_objects_do_not_exist() {
    let market = TestMarket::start().await;
    let objects = Objects::make(&market).await;
    let stranger = market.tenant("stranger").await;
    let mut tried: BTreeMap<&str, usize> = BTreeMap::new();
    for case in table() {
        let Some(object) = case.object else { continue };
        let id = objects.id(object);
        let (status, code) = call(&stranger, &case, Some(id)).await;
        assert_eq!((status, code.as_str()), (404, "not_found"), "{case} for a stranger with {id}");
        *tried.entry(object).or_default() += 1;
    }
    // The ids are real: their owner finds them. What removes them comes last.
    for case in table().into_iter().filter(|case| case.method == Method::GET) {
        let Some(object) = case.object else { continue };
        let (status, code) = call(&objects.owner, &case, Some(objects.id(object))).await;
        assert_ne!(status, 404, "{case} for its owner answered {status} {code}");
    }
    for object in objects.kinds() {
        assert!(tried.contains_key(object), "no route was tried with a stranger's {object}");
    }
}

/// Calls the route of the case; answers the status and the problem's code. Streams are not waited for.
async fn call(client: &Client, case: &Case, id: Option<&str>) -> (u16, String) {
    let mut request = reqwest::Client::new()
        .request(case.method.clone(), format!("{}{}", client.base(), case.path_with(id)))
        .header("Idempotency-Key", "authorisation");
    if let Some(token) = client.token() {
        request = request.bearer_auth(token);
    }
    if let Some(body) = &case.body {
        request = request.json(body);
    }
    let response = request.send().await.expect("the server answers");
    let status = response.status().as_u16();
    let problem = response.headers().get("content-type").is_some_and(|kind| kind == "application/problem+json");
    let body: Value = if problem { response.json().await.expect("a problem is JSON") } else { Value::Null };
    (status, body["code"].as_str().unwrap_or_default().to_owned())
}
