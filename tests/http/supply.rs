//! What can be rented: the seeded pool, nodes, devices and asks.

use serde_json::json;
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
