//! Who belongs to an organisation, and as what.

use serde_json::{Value, json};
use souk_tests::{Client, TestMarket};
use time::Duration;

#[tokio::test]
async fn a_person_acts_for_one_organisation_at_a_time() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    market.clock.advance(Duration::seconds(1));
    let founded = ana.post("/v1/organisations", json!({"name": "Vision group"})).await.expect(201);
    let listed = ana.get("/v1/organisations").await.expect(200);
    let names: Vec<&str> = items(&listed.body).map(|item| item["organisation"]["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Vision group", "ana"]);
    assert!(items(&listed.body).all(|item| item["role"] == "owner"));

    let session = market.session("ana").await;
    market.clock.advance(Duration::seconds(1));
    let body = json!({"refresh_token": session.text("refresh_token"), "organisation_id": founded.text("id")});
    let switched = market.anyone.post("/v1/auth/refresh", body).await.expect(200);
    assert_eq!(switched.body["organisation"]["id"], founded.body["id"]);
    let elsewhere = market.anyone.with_token(&switched.text("access_token"));
    drop(elsewhere.post("/v1/providers", json!({"name": "Vision"})).await.expect(201));
    assert_eq!(items(&ana.get("/v1/providers").await.expect(200).body).count(), 0);
    // The next log-in goes to where the person worked last.
    assert_eq!(market.session("ana").await.body["organisation"]["id"], founded.body["id"]);
}

#[tokio::test]
async fn nobody_switches_to_an_organisation_of_others_and_the_token_is_not_consumed() {
    let market = TestMarket::start().await;
    let other = organisation(&market.tenant("ben").await).await;
    drop(market.tenant("ana").await);
    let session = market.session("ana").await;
    let refresh = |organisation: Value| {
        let body = json!({"refresh_token": session.text("refresh_token"), "organisation_id": organisation});
        let anyone = market.anyone.clone();
        async move { anyone.post("/v1/auth/refresh", body).await }
    };
    let refused = refresh(json!(other)).await.expect(404);
    assert_eq!(refused.body["field"], "organisation_id");
    drop(refresh(json!("bid_00000000000000000000000000000000")).await.expect(422));
    drop(refresh(Value::Null).await.expect(200));
}

#[tokio::test]
async fn a_new_member_works_with_its_role_and_loses_it_at_once() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    drop(market.tenant("ben").await);
    let members = format!("/v1/organisations/{}/members", organisation(&ana).await);
    let added = ana.post(&members, json!({"email": "Ben@example.org", "role": "admin"})).await.expect(201);
    assert_eq!(added.body["role"], "admin");
    let again = ana.post(&members, json!({"email": "ben@example.org", "role": "viewer"})).await.expect(409);
    assert_eq!(again.code(), "already_member");
    let unknown = ana.post(&members, json!({"email": "nobody@example.org", "role": "viewer"})).await.expect(404);
    assert_eq!(unknown.body["field"], "email");

    let ben = acting_for(&market, "ben", &ana).await;
    drop(ben.post("/v1/providers", json!({"name": "By Ben"})).await.expect(201));
    let path = format!("{members}/{}", added.text("user_id"));
    drop(ana.patch(&path, json!({"role": "viewer"})).await.expect(200));
    drop(ben.get("/v1/me").await.expect(401));
    let ben = acting_for(&market, "ben", &ana).await;
    drop(ben.get("/v1/providers").await.expect(200));
    assert_eq!(ben.post("/v1/providers", json!({"name": "Again"})).await.expect(403).code(), "forbidden");

    drop(ana.delete(&path).await.expect(204));
    drop(ben.get("/v1/me").await.expect(401));
    assert_eq!(ana.delete(&path).await.expect(404).code(), "not_found");
}

#[tokio::test]
async fn owners_are_made_by_owners_and_the_last_one_stays() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    for name in ["ben", "eve"] {
        drop(market.tenant(name).await);
    }
    let members = format!("/v1/organisations/{}/members", organisation(&ana).await);
    let me = user(&ana).await;
    assert_eq!(ana.delete(&format!("{members}/{me}")).await.expect(409).code(), "last_owner");
    assert_eq!(ana.patch(&format!("{members}/{me}"), json!({"role": "admin"})).await.expect(409).code(), "last_owner");

    let ben =
        ana.post(&members, json!({"email": "ben@example.org", "role": "admin"})).await.expect(201).text("user_id");
    let as_ben = acting_for(&market, "ben", &ana).await;
    let owner = json!({"email": "eve@example.org", "role": "owner"});
    assert_eq!(as_ben.post(&members, owner).await.expect(403).code(), "forbidden");
    assert_eq!(
        as_ben.patch(&format!("{members}/{ben}"), json!({"role": "owner"})).await.expect(403).code(),
        "forbidden"
    );
    assert_eq!(as_ben.delete(&format!("{members}/{me}")).await.expect(403).code(), "forbidden");

    drop(ana.patch(&format!("{members}/{ben}"), json!({"role": "owner"})).await.expect(200));
    drop(ana.delete(&format!("{members}/{me}")).await.expect(204));
    let as_ben = acting_for_id(&market, "ben", &members[18..][..36]).await;
    assert_eq!(items(&as_ben.get(&members).await.expect(200).body).count(), 1);
}

#[tokio::test]
async fn two_owners_cannot_unmake_each_other_at_the_same_moment() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    drop(market.tenant("ben").await);
    let members = format!("/v1/organisations/{}/members", organisation(&ana).await);
    let me = user(&ana).await;
    let ben =
        ana.post(&members, json!({"email": "ben@example.org", "role": "owner"})).await.expect(201).text("user_id");
    let as_ben = acting_for(&market, "ben", &ana).await;
    let (ours, bens) = (format!("{members}/{ben}"), format!("{members}/{me}"));
    let (first, second) = tokio::join!(ana.delete(&ours), as_ben.delete(&bens));
    let mut statuses = [first.status, second.status];
    statuses.sort_unstable();
    assert!(statuses == [204, 403] || statuses == [204, 401], "{statuses:?}");
}

#[tokio::test]
async fn another_organisations_members_do_not_exist() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let ben = market.tenant("ben").await;
    let members = format!("/v1/organisations/{}/members", organisation(&ben).await);
    let path = format!("{members}/{}", user(&ben).await);
    drop(ana.get(&members).await.expect(404));
    drop(ana.post(&members, json!({"email": "ana@example.org", "role": "owner"})).await.expect(404));
    drop(ana.patch(&path, json!({"role": "viewer"})).await.expect(404));
    drop(ana.delete(&path).await.expect(404));
    drop(ana.get("/v1/organisations/org_1/members").await.expect(404));
}

fn items(body: &Value) -> impl Iterator<Item = &Value> {
    body["items"].as_array().expect("a list").iter()
}

async fn organisation(client: &Client) -> String {
    client.get("/v1/me").await.expect(200).body["organisation"]["id"].as_str().unwrap().to_owned()
}

async fn user(client: &Client) -> String {
    client.get("/v1/me").await.expect(200).body["user"]["id"].as_str().unwrap().to_owned()
}

async fn acting_for(market: &TestMarket, name: &str, other: &Client) -> Client {
    acting_for_id(market, name, &organisation(other).await).await
}

async fn acting_for_id(market: &TestMarket, name: &str, organisation: &str) -> Client {
    let session = market.session(name).await;
    let body = json!({"refresh_token": session.text("refresh_token"), "organisation_id": organisation});
    let switched = market.anyone.post("/v1/auth/refresh", body).await.expect(200);
    market.anyone.with_token(&switched.text("access_token"))
}
