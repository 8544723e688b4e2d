//! What can be rented: the seeded pool, nodes, devices and asks.

use serde_json::json;
use souk::app::sync_devices::{DeviceSync, sync_devices};
use souk::entropy::Secret;
use souk::node::FoundDevice;
use souk::store::{Tx, enrolment_tokens};
use souk_tests::TestMarket;

#[tokio::test]
async fn a_new_market_has_a_pool_classes_and_profiles() {
    let market = TestMarket::start().await;
    let pools = market.anyone.get("/v1/pools").await.expect(200);
    let pool = &pools.body["items"][0];
    assert_eq!(pool["name"], "main");
    assert_eq!(pool["currency"], "USD");
    assert_eq!((&pool["share_policy"], &pool["price_rule"]), (&json!("finish_time_fair"), &json!("uniform_price")));
    assert_eq!((&pool["phi"], &pool["limit_cap_per_gpu_hour"]), (&json!("0.30"), &json!("100.00")));
    assert_eq!((&pool["last_round"], &pool["next_round_at"]), (&json!(null), &json!(null)));
    let classes = market.anyone.get("/v1/device-classes").await.expect(200);
    let keys: Vec<_> = classes.body["items"].as_array().unwrap().iter().map(|class| class["id"].clone()).collect();
    assert!(
        keys.contains(&json!("h100-80gb"))
            && keys.contains(&json!("a100-80gb.1g.10gb"))
            && keys.contains(&json!("cpu-node"))
    );
    let profiles = market.anyone.get("/v1/profiles?limit=200").await.expect(200);
    let resnet =
        profiles.body["items"].as_array().unwrap().iter().find(|profile| profile["name"] == "resnet-50").unwrap();
    let speed = json!({"class_id": "p100-16gb", "gang": 1, "units_per_second": "2.62"});
    assert!(resnet["speeds"].as_array().unwrap().contains(&speed));
}

#[tokio::test]
async fn what_a_provider_lists_shows_in_the_pools_figures() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let dear = market.supply(&ana, "h100-80gb", 8, "3.20", "1.40").await;
    market.supply(&ana, "h100-80gb", 4, "2.90", "1.55").await;
    let pool = market.anyone.get(&format!("/v1/pools/{}", dear.pool_id)).await.expect(200);
    assert!(pool.headers.contains_key("etag"));
    assert_eq!((&pool.body["nodes"], &pool.body["devices"]), (&json!(2), &json!(12)));
    let class = &pool.body["classes"][0];
    assert_eq!(class["class_id"], "h100-80gb");
    assert_eq!(
        (&class["devices"], &class["devices_free"], &class["devices_leased"]),
        (&json!(12), &json!(12), &json!(0))
    );
    assert_eq!(
        (&class["on_demand_from_per_gpu_hour"], &class["floor_from_per_gpu_hour"]),
        (&json!("2.90"), &json!("1.40"))
    );
    assert_eq!(class["entitlement_price_per_gpu_hour"], "1.40");
    assert_eq!((&class["price_per_gpu_hour"], &class["change_24h_bps"]), (&json!(null), &json!(null)));

    let providers = ana.get("/v1/providers").await.expect(200);
    assert_eq!((&providers.body["items"][0]["nodes"], &providers.body["items"][0]["devices"]), (&json!(2), &json!(12)));
    let nodes = ana.get(&format!("/v1/providers/{}/nodes", dear.provider_id)).await.expect(200);
    let node = nodes.body["items"].as_array().unwrap().iter().find(|node| node["id"] == dear.node_id.as_str()).unwrap();
    assert_eq!(
        (&node["state"], &node["adapter"], &node["actions"]),
        (&json!("ready"), &json!("simulated"), &json!(["drain"]))
    );
    assert_eq!(node["devices"].as_array().unwrap().len(), 8);
    assert_eq!(node["asks"][0]["id"], dear.ask_id.as_str());
}

#[tokio::test]
async fn the_identity_of_devices_and_offers_survives_a_hundred_rescans() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let node = market.node(&ana, &[("cpu-node", 1)]).await;
    let found: Vec<FoundDevice> = [("Tesla T4", 15_360), ("NVIDIA H100 80GB HBM3", 81_559), ("Strange Thing", 4096)]
        .into_iter()
        .zip(1..)
        .map(|((model, memory_mib), slot)| FoundDevice {
            uuid: format!("GPU-{slot}"),
            slot,
            model: model.into(),
            memory_mib,
        })
        .collect();
    let rescan = async || {
        let mut tx = Tx::begin(&market.state.db).await.unwrap();
        let (pool, id) = (node.pool_id.parse().unwrap(), node.node_id.parse().unwrap());
        let sync =
            sync_devices(&mut tx, &*market.state.entropy, pool, id, &found, market.state.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
        sync
    };
    assert_eq!(rescan().await.unknown, ["GPU-3"]);
    let listed = ana.get(&format!("/v1/nodes/{}", node.node_id)).await.expect(200).body["devices"].clone();
    let classes: Vec<_> =
        listed.as_array().unwrap().iter().map(|device| device["class_id"].as_str().unwrap()).collect();
    assert_eq!(classes, ["cpu-node", "t4-16gb", "h100-80gb", "unknown-strange-thing-4096mib"]);
    assert_eq!(listed[0]["state"], "faulty", "the machine's own device was not found again");
    for class in &classes[1..] {
        let ask =
            json!({"node_id": node.node_id, "class_id": class, "price_per_gpu_hour": "1", "floor_per_gpu_hour": "1"});
        drop(ana.post("/v1/asks", ask).await.expect(201));
    }
    let offers = market.anyone.get("/v1/offers").await.expect(200).body;
    assert_eq!(offers["items"].as_array().unwrap().len(), 3);
    for _ in 0..100 {
        assert_eq!(rescan().await, DeviceSync::default());
    }
    assert_eq!(ana.get(&format!("/v1/nodes/{}", node.node_id)).await.expect(200).body["devices"], listed);
    assert_eq!(market.anyone.get("/v1/offers").await.expect(200).body, offers);
}

#[tokio::test]
async fn an_enrolment_token_is_shown_once_and_used_once() {
    let market = TestMarket::start_with(|config| config.public_url = Some("https://souk.example/".into())).await;
    let ana = market.tenant("ana").await;
    let (provider, pool) = (market.provider_of(&ana).await, market.pool_id().await);
    let path = format!("/v1/providers/{provider}/enrolment-tokens");
    let made = ana.post(&path, json!({"pool_id": pool})).await.expect(201);
    let token = made.text("token");
    assert_eq!(made.text("command"), format!("souk agent --server https://souk.example --token {token}"));
    assert_eq!(made.body["expires_at"], "2030-01-02T00:00:00.000Z");
    let stored: Vec<Vec<u8>> =
        sqlx::query_scalar("SELECT token_hash FROM enrolment_tokens").fetch_all(&market.state.db).await.unwrap();
    assert_eq!(stored, [Secret::presented(&token).hash().to_vec()]);

    let node = market.node(&ana, &[("cpu-node", 1)]).await.node_id.parse().unwrap();
    let (now, hash) = (market.state.clock.now(), Secret::presented(&token).hash());
    let mut tx = Tx::begin(&market.state.db).await.unwrap();
    let late = now + souk::config::limits::ENROLMENT_TOKEN;
    assert_eq!(enrolment_tokens::claim(&mut tx, &hash, node, late).await.unwrap(), None);
    let claimed = enrolment_tokens::claim(&mut tx, &hash, node, now).await.unwrap();
    assert_eq!(claimed, Some((provider.parse().unwrap(), pool.parse().unwrap())));
    assert_eq!(enrolment_tokens::claim(&mut tx, &hash, node, now).await.unwrap(), None);
    tx.commit().await.unwrap();

    let bea = market.tenant("bea").await;
    assert_eq!(bea.post(&path, json!({"pool_id": pool})).await.expect(404).code(), "not_found");
    let nowhere = json!({"pool_id": "pool_00000000000000000000000000000000"});
    assert_eq!(ana.post(&path, nowhere).await.expect(422).body["field"], "pool_id");
}

#[tokio::test]
async fn a_drained_node_takes_nothing_new_and_comes_back() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let supply = market.supply(&ana, "h100-80gb", 2, "2.50", "1.00").await;
    let step =
        async |step: &str| ana.post(&format!("/v1/nodes/{}/{step}", supply.node_id), json!({})).await.expect(200);
    let drained = step("drain").await;
    assert_eq!((&drained.body["state"], &drained.body["actions"]), (&json!("draining"), &json!(["resume"])));
    assert_eq!(step("drain").await.body, drained.body, "draining twice changes nothing");
    let rented = ana.post_once("/v1/rentals", "r", json!({"ask_id": supply.ask_id, "devices": 1})).await;
    assert_eq!(rented.status, 409, "{}", rented.body);
    let back = step("resume").await;
    assert_eq!((&back.body["state"], &back.body["version"]), (&json!("ready"), &json!(3)));
    let told: Vec<String> =
        sqlx::query_scalar("SELECT kind FROM events WHERE kind LIKE 'node.%' AND subject = $1 ORDER BY kind")
            .bind(&supply.node_id)
            .fetch_all(&market.state.db)
            .await
            .unwrap();
    assert_eq!(told, ["node.draining", "node.enrolled", "node.ready", "node.ready"]);
}

#[tokio::test]
async fn a_server_for_real_devices_takes_no_simulated_ones() {
    let market = TestMarket::start_with(|config| config.allow_simulated = false).await;
    let ana = market.tenant("ana").await;
    let (provider, pool) = (market.provider_of(&ana).await, market.pool_id().await);
    let body = json!({"pool_id": pool, "name": "n", "hardware": {"cpu_milli": 1, "memory_mib": 1, "devices": [{"class_id": "t4-16gb", "count": 1}]}});
    let refused = ana.post(&format!("/v1/providers/{provider}/nodes"), body).await.expect(403);
    assert_eq!(refused.code(), "simulated_not_allowed");
}

#[tokio::test]
async fn hardware_that_no_node_has_is_refused_and_named() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let (provider, pool) = (market.provider_of(&ana).await, market.pool_id().await);
    let path = format!("/v1/providers/{provider}/nodes");
    let good = json!({"pool_id": pool, "name": "n", "hardware": {"cpu_milli": 1000, "memory_mib": 1024, "devices": [{"class_id": "t4-16gb", "count": 1}]}});
    for (pointer, value, code, field) in [
        ("/hardware/cpu_milli", json!(0), "invalid_value", "hardware.cpu_milli"),
        ("/hardware/memory_mib", json!(-1), "invalid_value", "hardware.memory_mib"),
        ("/hardware/memory_mib", json!(i64::MAX), "invalid_value", "hardware.memory_mib"),
        ("/hardware/devices", json!([]), "invalid_value", "hardware.devices"),
        ("/hardware/devices/0/count", json!(0), "invalid_value", "hardware.count"),
        ("/hardware/devices/0/count", json!(1025), "invalid_value", "hardware.count"),
        ("/hardware/devices/0/class_id", json!("nothing"), "no_such_class", "hardware.devices.class_id"),
        ("/hardware/devices/0/class_id", json!("NOTHING"), "invalid_value", "hardware.devices.class_id"),
        ("/name", json!(""), "invalid_value", "name"),
        ("/name", json!("x".repeat(101)), "invalid_value", "name"),
        ("/pool_id", json!("pool_00000000000000000000000000000000"), "invalid_value", "pool_id"),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap() = value.clone();
        let answer = ana.post(&path, bad).await.expect(422);
        assert_eq!((answer.code(), &answer.body["field"]), (code, &json!(field)), "{pointer} = {value}");
    }
    for (field, value) in [("driver", json!("v550")), ("cuda_max", json!("12.x")), ("inet_down_mbps", json!(-1))] {
        let mut bad = good.clone();
        bad["hardware"][field] = value;
        assert_eq!(ana.post(&path, bad).await.expect(422).body["field"], format!("hardware.{field}"));
    }
    let mut twice = good.clone();
    twice["hardware"]["devices"] = json!([{"class_id": "t4-16gb", "count": 1}, {"class_id": "t4-16gb", "count": 2}]);
    assert_eq!(ana.post(&path, twice).await.expect(422).body["field"], "hardware.devices");
    drop(ana.post(&path, good.clone()).await.expect(201));
    let taken = ana.post(&path, good).await.expect(409);
    assert_eq!((taken.code(), &taken.body["field"]), ("name_taken", &json!("name")));
}
