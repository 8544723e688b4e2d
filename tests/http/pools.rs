//! What operators set: pools, device classes, profiles.

use scheduler::world::{SharePolicy, Tilt};
use serde_json::{Value, json};
use souk::app::audit_rounds::{Range, audit_rounds};
use souk::loops::round;
use souk_tests::{Scene, TestMarket};

#[tokio::test]
async fn a_pool_is_opened_with_settings_that_follow_from_its_pace() {
    let market = TestMarket::start().await;
    let operator = market.operator().await;
    let pool = operator
        .post("/v1/pools", json!({"name": "campus", "currency": "EUR", "round_seconds": 30, "phi": "1"}))
        .await
        .expect(201);
    for (field, value) in [
        ("currency", json!("EUR")),
        ("round_seconds", json!(30)),
        ("notice_seconds", json!(30)),
        ("min_run_seconds", json!(150)),
        ("restart_seconds", json!(5)),
        ("tilt", json!("fair")),
        ("phi", json!("1.00")),
        ("fee_bps", json!(500)),
        ("classes", json!([])),
        ("version", json!(1)),
    ] {
        assert_eq!(pool.body[field], value, "{field}");
    }
    assert_eq!(operator.post("/v1/pools", json!({"name": "campus"})).await.expect(409).code(), "name_taken");
    let house: i64 =
        sqlx::query_scalar("SELECT count(*) FROM accounts WHERE currency = 'EUR' AND kind = 'platform_fee'")
            .fetch_one(&market.state.db)
            .await
            .unwrap();
    assert_eq!(house, 1, "the marketplace can earn in the new currency");
    let ana = market.tenant("ana").await;
    let provider = market.provider_of(&ana).await;
    let node = json!({"pool_id": pool.text("id"), "name": "n", "hardware": {"cpu_milli": 1, "memory_mib": 1, "devices": [{"class_id": "t4-16gb", "count": 1}]}});
    let refused = ana.post(&format!("/v1/providers/{provider}/nodes"), node).await.expect(409);
    assert_eq!((refused.code(), &refused.body["field"]), ("other_currency", &json!("pool_id")));
}

#[tokio::test]
async fn a_change_shows_at_once_and_is_told_to_everybody() {
    let market = TestMarket::start().await;
    let operator = market.operator().await;
    let ana = market.tenant("ana").await;
    let supply = market.supply(&ana, "h100-80gb", 2, "2.50", "1.00").await;
    let path = format!("/v1/pools/{}", supply.pool_id);
    let change = json!({
        "share_policy": "max_min", "round_seconds": 5, "phi": "0.123456", "limit_cap_per_gpu_hour": "7.5",
        "entitlement_prices": [{"class_id": "h100-80gb", "price_per_gpu_hour": "0.80"}],
    });
    let changed = operator.patch(&path, change).await.expect(200);
    assert_eq!((&changed.body["version"], &changed.body["share_policy"]), (&json!(2), &json!("max_min")));
    assert_eq!((&changed.body["phi"], &changed.body["limit_cap_per_gpu_hour"]), (&json!("0.123456"), &json!("7.50")));
    assert_eq!(changed.body["notice_seconds"], 60, "what is not named stays");
    assert_eq!(changed.body["classes"][0]["entitlement_price_per_gpu_hour"], "0.80");
    assert_eq!(market.anyone.get(&path).await.expect(200).body, changed.body);

    let same = operator.patch(&path, json!({"round_seconds": 5})).await.expect(200);
    assert_eq!(same.body["version"], 2, "a change that changes nothing leaves no trace");
    let back = json!({"entitlement_prices": [{"class_id": "h100-80gb", "price_per_gpu_hour": null}]});
    let back = operator.patch(&path, back).await.expect(200);
    assert_eq!(back.body["classes"][0]["entitlement_price_per_gpu_hour"], "1.00");
    let told: Vec<Value> =
        sqlx::query_scalar("SELECT body FROM events WHERE kind = 'pool.changed' AND pool_id IS NOT NULL ORDER BY id")
            .fetch_all(&market.state.db)
            .await
            .unwrap();
    assert_eq!(told.len(), 2);
}

#[tokio::test]
async fn settings_that_no_pool_can_have_are_refused_and_named() {
    let market = TestMarket::start().await;
    let operator = market.operator().await;
    let path = format!("/v1/pools/{}", market.pool_id().await);
    let before = market.anyone.get(&path).await.expect(200).body;
    for (field, value) in [
        ("round_seconds", json!(0)),
        ("round_seconds", json!(86_401)),
        ("notice_seconds", json!(-1)),
        ("min_run_seconds", json!(86_401)),
        ("restart_seconds", json!(-5)),
        ("fee_bps", json!(5001)),
        ("phi", json!("1.000001")),
        ("phi", json!("-0")),
        ("phi", json!("0.0000001")),
        ("phi", json!("NaN")),
        ("limit_cap_per_gpu_hour", json!("0")),
        ("limit_cap_per_gpu_hour", json!("1e9")),
        ("limit_cap_per_gpu_hour", json!("1000000.01")),
        ("limit_cap_per_gpu_hour", json!("9".repeat(40))),
    ] {
        let answer = operator.patch(&path, json!({field: value})).await.expect(422);
        assert_eq!((answer.code(), &answer.body["field"]), ("invalid_value", &json!(field)), "{field} = {value}");
    }
    for body in [
        json!({"share_policy": "themis"}),
        json!({"tilt": "slow"}),
        json!({"price_rule": ""}),
        json!({"round_seconds": 1.5}),
        json!({"fee_bps": 99_999_999_999_i64}),
        json!({"name": "other"}),
        json!({"currency": "EUR"}),
        json!({"entitlement_prices": [{"class_id": "h100-80gb", "price_per_gpu_hour": "-1"}]}),
        json!({"entitlement_prices": [{"class_id": "nothing", "price_per_gpu_hour": "1"}]}),
        json!({"entitlement_prices": [{"class_id": "t4-16gb", "price_per_gpu_hour": "1"}, {"class_id": "t4-16gb", "price_per_gpu_hour": "2"}]}),
    ] {
        drop(operator.patch(&path, body).await.expect(422));
    }
    assert_eq!(market.anyone.get(&path).await.expect(200).body, before);
    for name in ["", "Main", "-x", "a b", "'; --", "ü", &"a".repeat(64)] {
        let answer = operator.post("/v1/pools", json!({"name": name})).await.expect(422);
        assert_eq!(answer.body["field"], "name", "{name}");
    }
    let nowhere =
        operator.patch("/v1/pools/pool_00000000000000000000000000000000", json!({"fee_bps": 1})).await.expect(404);
    assert_eq!(nowhere.code(), "not_found");
}

#[tokio::test]
async fn only_an_operator_opens_and_changes() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let path = format!("/v1/pools/{}", market.pool_id().await);
    assert_eq!(ana.patch(&path, json!({"fee_bps": 0})).await.expect(403).code(), "forbidden");
    assert_eq!(ana.post("/v1/pools", json!({"name": "mine"})).await.expect(403).code(), "forbidden");
    let class = json!({"id": "x-1gb", "vendor": "nvidia", "model": "X", "memory_mib": 1024});
    assert_eq!(ana.post("/v1/device-classes", class).await.expect(403).code(), "forbidden");
}

#[tokio::test]
async fn a_new_class_and_a_profile_on_it_can_be_listed_and_rented() {
    let market = TestMarket::start().await;
    let operator = market.operator().await;
    let class = json!({"id": "gb300-288gb", "vendor": "nvidia", "model": "GB300", "memory_mib": 294_912});
    assert_eq!(operator.post("/v1/device-classes", class.clone()).await.expect(201).body["mig_profile"], json!(null));
    let again = operator.post("/v1/device-classes", class.clone()).await.expect(409);
    assert_eq!((again.code(), &again.body["field"]), ("name_taken", &json!("id")));
    for (field, value) in [
        ("id", json!("GB300")),
        ("vendor", json!("unknown")),
        ("model", json!("4090")),
        ("memory_mib", json!(0)),
        ("mig_profile", json!("half")),
    ] {
        let mut bad = class.clone();
        bad["id"] = json!("other-1gb");
        bad[field] = value;
        assert_eq!(operator.post("/v1/device-classes", bad).await.expect(422).body["field"], field);
    }

    let speeds = json!([{"class_id": "gb300-288gb", "gang": 8, "units_per_second": "7.925"}, {"class_id": "gb300-288gb", "gang": 1, "units_per_second": "0"}]);
    let profile = json!({"name": "llama", "unit": "steps", "source": "measured", "speeds": speeds});
    let made = operator.post("/v1/profiles", profile.clone()).await.expect(201);
    assert_eq!(made.body["speeds"][0]["units_per_second"], "7.925");
    assert_eq!(operator.post("/v1/profiles", profile.clone()).await.expect(409).code(), "name_taken");
    for (speeds, code, field) in [
        (json!([]), "invalid_value", "speeds"),
        (json!([{"class_id": "nothing", "gang": 1, "units_per_second": "1"}]), "no_such_class", "speeds.class_id"),
        (json!([{"class_id": "gb300-288gb", "gang": 65, "units_per_second": "1"}]), "invalid_value", "speeds.gang"),
        (
            json!([{"class_id": "gb300-288gb", "gang": 1, "units_per_second": "0.0001"}]),
            "invalid_value",
            "speeds.units_per_second",
        ),
        (
            json!([{"class_id": "gb300-288gb", "gang": 1, "units_per_second": "-1"}]),
            "invalid_value",
            "speeds.units_per_second",
        ),
        (
            json!([{"class_id": "gb300-288gb", "gang": 1, "units_per_second": "1"}, {"class_id": "gb300-288gb", "gang": 1, "units_per_second": "2"}]),
            "invalid_value",
            "speeds",
        ),
    ] {
        let mut bad = profile.clone();
        (bad["name"], bad["speeds"]) = (json!("other"), speeds);
        let answer = operator.post("/v1/profiles", bad).await.expect(422);
        assert_eq!((answer.code(), &answer.body["field"]), (code, &json!(field)));
    }

    let ana = market.tenant("ana").await;
    market.supply(&ana, "gb300-288gb", 4, "9.00", "5.00").await;
    let found = market.anyone.get("/v1/offers?gpu=GB300:4").await.expect(200);
    assert_eq!(found.body["items"][0]["class_id"], "gb300-288gb");
}

#[tokio::test]
async fn a_pool_goes_through_all_policies_and_tilts_while_jobs_run_and_every_round_replays() {
    let market = TestMarket::start().await;
    let scene = Scene::set(&market.state).await;
    for class in ["h100-80gb", "a100-80gb"] {
        scene.node(class, 4, "1.00", "2.00").await;
    }
    let ana = scene.organisation("1000").await;
    for (class, gang) in [("h100-80gb", 1), ("h100-80gb", 2), ("a100-80gb", 4), ("h100-80gb", 4), ("a100-80gb", 2)] {
        scene.job(ana, class, gang, 100_000, "100").await;
    }
    let operator = market.operator().await;
    let path = format!("/v1/pools/{}", scene.pool);
    // Short rounds, so that the operator's session outlasts them.
    drop(operator.patch(&path, json!({"round_seconds": 20})).await.expect(200));
    let mut chosen = Vec::new();
    for (policy, tilt) in SharePolicy::ALL.iter().flat_map(|policy| Tilt::ALL.iter().map(move |tilt| (policy, tilt))) {
        let change = json!({"share_policy": policy.as_str(), "tilt": tilt.as_str()});
        let changed = operator.patch(&path, change.clone()).await.expect(200).body;
        assert_eq!(json!({"share_policy": changed["share_policy"], "tilt": changed["tilt"]}), change);
        assert_eq!(market.anyone.get(&path).await.expect(200).body["tilt"], change["tilt"]);
        round::step(&market.state).await.expect("a plan that is verified and applied");
        market.clock.advance(time::Duration::seconds(20));
        chosen.push((policy.as_str().to_owned(), tilt.as_str().to_owned()));
    }
    let went_by: Vec<(String, String)> = sqlx::query_as(
        "SELECT record::jsonb #>> '{rules,share_policy}', record::jsonb #>> '{rules,tilt}' FROM rounds ORDER BY number",
    )
    .fetch_all(&market.state.db)
    .await
    .unwrap();
    assert_eq!(went_by, chosen, "each round went by what was chosen before it");
    let report = audit_rounds(&market.state.db, Range::default()).await.expect("an audit");
    assert_eq!(report.findings, []);
    let running: i64 = sqlx::query_scalar("SELECT count(*) FROM jobs WHERE state = 'running'")
        .fetch_one(&market.state.db)
        .await
        .unwrap();
    assert!(running > 0, "jobs run throughout");
}
