//! Searching what can be rented.

use serde_json::{Value, json};
use souk_tests::{Client, Response, TestMarket};

async fn search(client: &Client, parameters: &[(&str, &str)]) -> Response {
    let query = parameters.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect::<Vec<_>>();
    client.get(&format!("/v1/offers?{}", query.join("&"))).await
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

fn classes(answer: &Response) -> Vec<&str> {
    answer.body["items"].as_array().unwrap().iter().map(|offer| offer["class_id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_node_with_two_models_is_two_offers_with_an_identity_that_outlives_their_asks() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let node = market.node(&ana, &[("h100-80gb", 4), ("t4-16gb", 2)]).await;
    let ask = |class: &str, price: &str| json!({"node_id": node.node_id, "class_id": class, "price_per_gpu_hour": price, "floor_per_gpu_hour": "0.10"});
    drop(ana.post("/v1/asks", ask("h100-80gb", "2.50")).await.expect(201));
    drop(ana.post("/v1/asks", ask("t4-16gb", "0.40")).await.expect(201));
    let found = search(&market.anyone, &[]).await.expect(200);
    assert_eq!(classes(&found), ["t4-16gb", "h100-80gb"]);
    assert_eq!(found.body["filters"], json!([]));
    let offer = &found.body["items"][1];
    assert_eq!(
        (&offer["devices_total"], &offer["devices_free"], &offer["largest_block"]),
        (&json!(4), &json!(4), &json!(4))
    );
    assert_eq!((&offer["price_per_gpu_hour"], &offer["market_price_per_gpu_hour"]), (&json!("2.50"), &json!(null)));
    assert_eq!(
        (&offer["driver"], &offer["cuda_max"], &offer["reliability"]),
        (&json!("550.54.15"), &json!("12.4"), &json!(1.0))
    );

    let ids = |answer: &Response| -> Vec<Value> {
        let mut ids: Vec<_> =
            answer.body["items"].as_array().unwrap().iter().map(|offer| offer["id"].clone()).collect();
        ids.sort_by_key(ToString::to_string);
        ids
    };
    let before = ids(&found);
    for _ in 0..3 {
        drop(ana.post("/v1/asks", ask("h100-80gb", "0.30")).await.expect(201));
    }
    let after = search(&market.anyone, &[]).await.expect(200);
    assert_eq!(ids(&after), before);
    assert_eq!(classes(&after), ["h100-80gb", "t4-16gb"]);
}

#[tokio::test]
async fn every_filter_that_applied_is_listed_with_its_source() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    market.supply(&ana, "h100-80gb", 8, "2.50", "1.00").await;
    market.supply(&ana, "a100-80gb", 2, "1.50", "0.80").await;
    market.supply(&ana, "a100-80gb.1g.10gb", 7, "0.30", "0.10").await;
    let found = search(
        &market.anyone,
        &[("gpu", "A100,h100:80GB:1..4"), ("filter", "price_per_gpu_hour lte 2"), ("filter", "driver gte 535.104.05")],
    )
    .await
    .expect(200);
    assert_eq!(classes(&found), ["a100-80gb"]);
    assert_eq!(
        found.body["filters"],
        json!([
            {"field": "price_per_gpu_hour", "op": "lte", "value": "2.00", "source": "query"},
            {"field": "driver", "op": "gte", "value": "535.104.05", "source": "query"},
            {"field": "model", "op": "in", "value": "A100,h100", "source": "gpu"},
            {"field": "vram_mib", "op": "gte", "value": "81920", "source": "gpu"},
            {"field": "vram_mib", "op": "lte", "value": "81920", "source": "gpu"},
            {"field": "mig_profile", "op": "eq", "value": "none", "source": "gpu"},
            {"field": "devices_total", "op": "gte", "value": "1", "source": "gpu"},
            {"field": "min_chunk", "op": "lte", "value": "4", "source": "gpu"},
        ])
    );
    for (gpu, expected) in [
        ("H100", vec!["h100-80gb"]),
        ("A100:1g.10gb:2", vec!["a100-80gb.1g.10gb"]),
        ("H100,A100:80GB:3", vec!["h100-80gb"]),
        ("nvidia:8", vec!["h100-80gb"]),
        ("amd", vec![]),
        ("24GB..", vec!["a100-80gb", "h100-80gb"]),
    ] {
        assert_eq!(classes(&search(&market.anyone, &[("gpu", gpu)]).await.expect(200)), expected, "{gpu}");
    }
}

#[tokio::test]
async fn a_bad_token_is_named_and_its_parameter_too() {
    let market = TestMarket::start().await;
    let long = "x".repeat(600);
    for (name, value, code, part) in [
        ("gpu", "H100::2", "gpu_request_invalid", "token 2 is empty"),
        ("gpu", "80GX", "gpu_request_invalid", "`80GX`"),
        ("gpu", "", "gpu_request_invalid", "empty"),
        ("filter", "colour eq red", "filter_invalid", "`colour`"),
        ("filter", "reliability => 1", "filter_invalid", "`=>`"),
        ("filter", "price_per_gpu_hour lte NaN", "filter_invalid", "`NaN`"),
        ("filter", "price_per_gpu_hour lte 1e2", "filter_invalid", "`1e2`"),
        ("filter", "price_per_gpu_hour lte -0", "filter_invalid", "`-0`"),
        ("filter", "vram_mib gte 1111111111111111111111111111111111111111", "filter_invalid", "smaller whole number"),
        ("filter", "region gt eu", "filter_invalid", "cannot be compared by `gt`"),
        ("filter", "region eq", "filter_invalid", "is not `field op value`"),
        ("filter", long.as_str(), "filter_invalid", "at most 512"),
        ("order", "cheapest", "invalid_value", "`cheapest`"),
        ("order", "--reliability", "invalid_value", "`--reliability`"),
        ("pool", "main", "invalid_value", "pool_"),
        ("limit", "0", "invalid_value", "1 to 200"),
        ("limit", "201", "invalid_value", "1 to 200"),
        ("limit", "-1", "invalid_value", "1 to 200"),
        ("cursor", "garbage", "invalid_value", "cursor"),
        ("colour", "red", "unknown_field", "there is no such parameter"),
    ] {
        let answer = search(&market.anyone, &[(name, value)]).await.expect(422);
        assert_eq!((answer.code(), &answer.body["field"]), (code, &json!(name)), "{name}={value}");
        assert!(answer.text("detail").contains(part), "{name}={value}: {}", answer.body);
    }
    let twice = search(&market.anyone, &[("gpu", "H100"), ("gpu", "A100")]).await.expect(422);
    assert_eq!(twice.body["field"], "gpu");
    let many = vec![("filter", "verified eq true"); 33];
    assert_eq!(search(&market.anyone, &many).await.expect(422).code(), "filter_invalid");
}

#[tokio::test]
async fn hostile_words_find_nothing_and_break_nothing() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    market.supply(&ana, "h100-80gb", 8, "2.50", "1.00").await;
    for word in ["'; DROP TABLE asks; --", "%", "_", "\\", "\u{0}", "😀", "ａ", "none", "${7*7}"] {
        let answer = search(&market.anyone, &[("filter", &format!("region eq {word}"))]).await;
        // A control character is white space or a word like any other; neither is a fault.
        assert!(answer.status == 200 || answer.status == 422, "{word}: {}", answer.body);
        if answer.status == 200 {
            assert_eq!(answer.body["items"], json!([]), "{word}");
        }
    }
    assert_eq!(search(&market.anyone, &[]).await.expect(200).body["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn pages_hold_every_offer_once_and_belong_to_their_order() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    for cents in [250, 110, 250, 180, 90, 250, 300] {
        market.supply(&ana, "h100-80gb", 1, &format!("{}.{:02}", cents / 100, cents % 100), "0.50").await;
    }
    for order in ["price_per_gpu_hour", "-price_per_gpu_hour", "-reliability", "market_price_per_gpu_hour"] {
        let whole = search(&market.anyone, &[("order", order)]).await.expect(200).body["items"].clone();
        let (mut paged, mut cursor) = (Vec::new(), None::<String>);
        loop {
            let mut parameters = vec![("order", order), ("limit", "3")];
            if let Some(cursor) = &cursor {
                parameters.push(("cursor", cursor));
            }
            let page = search(&market.anyone, &parameters).await.expect(200);
            paged.extend(page.body["items"].as_array().unwrap().clone());
            cursor = page.body["next_cursor"].as_str().map(str::to_owned);
            let Some(given) = &cursor else { break };
            let other = search(&market.anyone, &[("order", "devices_free"), ("cursor", given)]).await.expect(422);
            assert_eq!(other.body["field"], "cursor");
        }
        assert_eq!(Value::Array(paged), whole, "{order}");
    }
    let prices: Vec<_> = search(&market.anyone, &[("order", "-price_per_gpu_hour")]).await.body["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|offer| offer["price_per_gpu_hour"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(prices, ["3.00", "2.50", "2.50", "2.50", "1.80", "1.10", "0.90"]);
}

#[tokio::test]
async fn what_cannot_be_rented_is_no_offer() {
    let market = TestMarket::start().await;
    let ana = market.tenant("ana").await;
    let count = async || search(&market.anyone, &[]).await.expect(200).body["items"].as_array().unwrap().len();
    let drained = market.supply(&ana, "h100-80gb", 1, "2.50", "1.00").await;
    let withdrawn = market.supply(&ana, "h100-80gb", 1, "2.50", "1.00").await;
    let ending = market.node(&ana, &[("h100-80gb", 1)]).await;
    let body = json!({"node_id": ending.node_id, "class_id": "h100-80gb", "price_per_gpu_hour": "2", "floor_per_gpu_hour": "1", "ends_at": "2030-01-01T01:00:00Z"});
    drop(ana.post("/v1/asks", body).await.expect(201));
    market.node(&ana, &[("h100-80gb", 8)]).await;
    assert_eq!(count().await, 3);
    drop(ana.post(&format!("/v1/nodes/{}/drain", drained.node_id), json!({})).await.expect(200));
    assert_eq!(count().await, 2);
    drop(ana.post(&format!("/v1/asks/{}/withdraw", withdrawn.ask_id), json!({})).await.expect(200));
    assert_eq!(count().await, 1);
    market.clock.advance(time::Duration::hours(1));
    assert_eq!(count().await, 0);
    let ana = market.login("ana").await;
    drop(ana.post(&format!("/v1/nodes/{}/resume", drained.node_id), json!({})).await.expect(200));
    assert_eq!(count().await, 1);
}
