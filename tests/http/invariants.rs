//! What must always be true of the money: shown, counted, and an alert when it is not.

use serde_json::{Value, json};
use souk::loops::invariants;
use souk_tests::scene::Scene;
use souk_tests::{Client, TestMarket};

async fn verdicts(operator: &Client) -> Vec<(String, bool)> {
    let overview = operator.get("/v1/admin/overview").await.expect(200);
    let one =
        |invariant: &Value| (invariant["name"].as_str().unwrap().to_owned(), invariant["holds"].as_bool().unwrap());
    overview.body["invariants"].as_array().unwrap().iter().map(one).collect()
}

/// A market in which money was given, held, released and moved.
async fn busy() -> (TestMarket, Scene, Client) {
    let market = TestMarket::start().await;
    let scene = Scene::set(&market.state).await;
    scene.node("h100-80gb", 4, "1.90", "3.00").await;
    let operator = market.operator().await;
    let ana = market.tenant("ana").await;
    market.fund(&operator, &ana, "100").await;
    for (key, cancelled) in [("a", true), ("b", false)] {
        let body = json!({"gpu": "H100", "limit_per_gpu_hour": "2"});
        let id = ana.post_once("/v1/bids", key, body).await.expect(201).text("id");
        if cancelled {
            drop(ana.post_once(&format!("/v1/bids/{id}/cancel"), "c", json!({})).await.expect(200));
        }
    }
    (market, scene, operator)
}

#[tokio::test]
async fn all_invariants_hold_in_a_market_that_was_used_as_it_should_be() {
    let (_market, _scene, operator) = busy().await;
    let verdicts = verdicts(&operator).await;
    assert_eq!(verdicts.len(), 9);
    assert!(verdicts.iter().all(|(_, holds)| *holds), "{verdicts:?}");
}

#[tokio::test]
async fn every_kind_of_damage_is_noticed() {
    for (damage, broken) in [
        ("UPDATE accounts SET balance_micros = balance_micros + 1 WHERE kind = 'tenant_available'", vec!["balances_equal_entries"]),
        ("UPDATE holds SET remaining_micros = remaining_micros + 1 WHERE state = 'active'", vec!["holds_equal_held"]),
        (
            "ALTER TABLE entries DISABLE TRIGGER ALL; UPDATE entries SET amount_micros = amount_micros + 1 WHERE amount_micros = 2000000",
            vec!["debits_equal_credits", "balances_equal_entries"],
        ),
        (
            "ALTER TABLE accounts DROP CONSTRAINT accounts_never_overdrawn; UPDATE accounts SET balance_micros = -1 WHERE kind = 'tax'",
            vec!["balances_equal_entries", "nothing_overdrawn"],
        ),
        (
            "INSERT INTO rentals (id, organisation_id, pool_id, provider_id, node_id, class_id, kind, bid_id, gang, price_micros_per_hour, fee_bps,
                                  state, metered_to, charged_micros, created_at, state_at)
             SELECT gen_random_uuid(), b.organisation_id, b.pool_id, n.provider_id, n.id, 'h100-80gb', 'bid', b.id, 1, 1, 0,
                    'running', b.created_at, 7, b.created_at, b.created_at
             FROM bids b, nodes n WHERE b.state = 'cancelled'",
            vec!["running_rentals_have_holds", "totals_equal_usage"],
        ),
    ] {
        let (market, _scene, operator) = busy().await;
        for statement in damage.split("; ") {
            sqlx::query(statement).execute(&market.state.db).await.unwrap();
        }
        invariants::step(&market.state).await.unwrap();
        let found: Vec<_> = verdicts(&operator).await.into_iter().filter(|(_, holds)| !holds).map(|(name, _)| name).collect();
        assert_eq!(found, broken, "{damage}");
        let alerts = operator.get("/v1/admin/alerts").await.expect(200);
        let raised = alerts.body["items"].as_array().unwrap().len();
        assert_eq!((raised, &alerts.body["items"][0]["severity"]), (broken.len(), &json!("critical")), "{damage}");
        let metrics = reqwest::get(format!("{}/metrics", market.anyone.base())).await.unwrap().text().await.unwrap();
        let gauge = metrics.lines().find(|line| line.contains(&format!("souk_invariant_broken{{name=\"{}\"}}", broken[0])));
        assert!(gauge.is_some_and(|line| !line.ends_with(" 0")), "{gauge:?}");
    }
}

#[tokio::test]
async fn an_alert_is_over_when_the_invariant_holds_again() {
    let (market, _scene, operator) = busy().await;
    for by in ["+ 1", "- 1"] {
        sqlx::query(&format!("UPDATE accounts SET balance_micros = balance_micros {by} WHERE kind = 'platform_fee'"))
            .execute(&market.state.db)
            .await
            .unwrap();
        invariants::step(&market.state).await.unwrap();
        let open = operator.get("/v1/admin/overview").await.expect(200).body["alerts_open"].clone();
        assert_eq!(open, json!(i32::from(by == "+ 1")));
    }
}

#[tokio::test]
async fn the_database_itself_refuses_what_would_break_the_ledger() {
    let (market, _scene, _operator) = busy().await;
    for (statement, constraint) in [
        (
            "WITH t AS (INSERT INTO transfers SELECT gen_random_uuid(), 'credit', 'USD', 'x', 'x', now() RETURNING id)
             INSERT INTO entries SELECT t.id, a.id, 5, now() FROM t, accounts a WHERE a.kind = 'tax'",
            "transfers_sum_to_zero",
        ),
        (
            "INSERT INTO entries SELECT t.id, a.id, 5, now() FROM (SELECT id FROM transfers LIMIT 1) t, accounts a WHERE a.kind = 'tax'",
            "transfers_sum_to_zero",
        ),
        ("INSERT INTO transfers SELECT gen_random_uuid(), 'credit', 'USD', 'x', 'x', now()", "transfers_have_entries"),
        (
            "INSERT INTO entries SELECT t.id, e.id, e.amount, now() FROM (SELECT id FROM transfers LIMIT 1) t,
             (VALUES (gen_random_uuid(), 5), (gen_random_uuid(), -5)) e (id, amount)",
            "transfers_sum_to_zero",
        ),
        (
            "INSERT INTO entries SELECT gen_random_uuid(), a.id, CASE kind WHEN 'tax' THEN 5 ELSE -5 END, now() FROM accounts a
             WHERE a.kind IN ('tax', 'rounding')",
            "transfers_sum_to_zero",
        ),
        ("DELETE FROM accounts", "append only"),
        ("UPDATE accounts SET id = gen_random_uuid()", "append only"),
        ("UPDATE accounts SET balance_micros = -1 WHERE kind = 'tenant_available'", "accounts_never_overdrawn"),
        ("UPDATE entries SET amount_micros = 1", "append only"),
        ("DELETE FROM transfers", "append only"),
        ("TRUNCATE usage_intervals", "append only"),
        ("UPDATE bids SET limit_micros_per_hour = 0", "bids_limit_micros_per_hour_check"),
        ("UPDATE bids SET limit_micros_per_hour = 1000000000001", "bids_limit_micros_per_hour_check"),
    ] {
        let error = sqlx::query(statement).execute(&market.state.db).await.unwrap_err().to_string();
        let refused = error.contains(constraint)
            || matches!(&constraint, &"transfers_sum_to_zero") && error.contains("that sum to")
            || matches!(&constraint, &"transfers_have_entries") && error.contains("without its entries");
        assert!(refused, "{statement}: {error}");
    }
}

/// The plans of its checks are made while the book is small, and must not be scans of what it grows to.
#[tokio::test]
async fn the_ledgers_own_checks_never_read_the_whole_book() {
    let market = TestMarket::start().await;
    let mut connection = market.state.db.acquire().await.unwrap();
    for _ in 0..20 {
        sqlx::query(
            "WITH t AS (INSERT INTO transfers SELECT gen_random_uuid(), 'credit', 'USD', 'x', 'x', now() FROM generate_series(1, 8) RETURNING id)
             INSERT INTO entries SELECT t.id, a.id, CASE kind WHEN 'tax' THEN 5 ELSE -5 END, now() FROM t, accounts a
             WHERE a.kind IN ('tax', 'rounding')",
        )
        .execute(&mut *connection)
        .await
        .unwrap();
    }
    sqlx::query("SELECT pg_stat_force_next_flush()").execute(&mut *connection).await.unwrap();
    let scans: Vec<(String, i64)> = sqlx::query_as(
        "SELECT relname::text, seq_scan FROM pg_stat_user_tables WHERE relname IN ('transfers', 'entries') AND seq_scan > 2",
    )
    .fetch_all(&mut *connection)
    .await
    .unwrap();
    assert_eq!(scans, [], "table and number of whole reads, beyond those by which its indexes were built");
}

#[tokio::test]
async fn operators_see_everybodys_money_and_nobody_else_does() {
    let (market, _scene, operator) = busy().await;
    let organisations = operator.get("/v1/admin/organisations").await.expect(200);
    let ana = organisations.body["items"].as_array().unwrap().iter().find(|one| one["name"] == "ana").cloned().unwrap();
    assert_eq!((&ana["available"], &ana["held"]), (&json!("98.00"), &json!("2.00")));
    let bob = market.tenant("bob").await;
    assert_eq!(bob.get("/v1/admin/organisations").await.expect(403).code(), "forbidden");
    assert_eq!(bob.get("/v1/admin/overview").await.expect(403).code(), "forbidden");
}
