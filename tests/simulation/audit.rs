//! Whatever is changed about a stored round is found, and named.

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use scheduler::record::{hex, text_hash};
use scheduler::replay;
use souk::State;
use souk::app::audit_rounds::{Range, Report, audit_rounds};
use souk::loops::round;
use souk::records::{Header, public};
use souk_tests::{Scene, TestMarket};
use time::Duration;

const ROUNDS: i64 = 8;

/// A market in which bids come, win, lose and re-enter for a few rounds. Rows can be rewritten in it.
async fn history() -> (TestMarket, Scene) {
    let market = TestMarket::start().await;
    let scene = Scene::set(&market.state).await;
    scene.settings("notice_seconds = 30, min_run_seconds = 60, phi_ppm = 300000").await;
    scene.node("h100-80gb", 4, "1.00", "2.00").await;
    scene.node("a100-80gb", 2, "0.50", "1.00").await;
    let ana = scene.organisation("1000").await;
    let ben = scene.organisation("1000").await;
    scene.job(ben, "a100-80gb", 1, 100_000, "100").await;
    for number in 0..ROUNDS {
        let gang = i32::try_from(number % 2).expect("small") + 1;
        scene.bid(ana, "h100-80gb", gang, &format!("{}.25", number + 1)).await;
        round::step(&market.state).await.expect("a round");
        market.clock.advance(Duration::seconds(60));
    }
    for table in ["rounds", "prices"] {
        run(&market.state, &format!("ALTER TABLE {table} DISABLE TRIGGER ALL")).await;
    }
    (market, scene)
}

async fn run(state: &State, statement: &str) {
    sqlx::query(statement).execute(&state.db).await.expect("a statement that runs");
}

async fn audit(state: &State) -> Report {
    audit_rounds(&state.db, Range::default()).await.expect("an audit")
}

/// The rounds that findings name.
fn named(report: &Report) -> Vec<i64> {
    report.findings.iter().map(|finding| finding.number).collect()
}

#[tokio::test]
async fn an_untouched_history_replays_without_findings() {
    let (market, _) = history().await;
    let report = audit(&market.state).await;
    assert_eq!(report.findings, [], "nothing was touched");
    assert_eq!(report.pools.iter().map(|pool| pool.rounds).sum::<usize>(), 8);
}

#[tokio::test]
async fn one_flipped_byte_anywhere_is_found_and_named() {
    let (market, _) = history().await;
    let state = &market.state;
    let mut random = StdRng::seed_from_u64(7);
    for column in ["record", "applied", "header", "cause", "summary"] {
        for _ in 0..12 {
            let number = random.random_range(1..=ROUNDS);
            let text: String = sqlx::query_scalar(&format!("SELECT {column}::text FROM rounds WHERE number = $1"))
                .bind(number)
                .fetch_one(&state.db)
                .await
                .expect("a text");
            let mut bytes = text.clone().into_bytes();
            let place = random.random_range(0..bytes.len());
            bytes[place] ^= 1;
            let flipped = String::from_utf8(bytes).expect("all of it is ASCII");
            let cast = if column == "summary" { "::jsonb" } else { "" };
            let update = format!("UPDATE rounds SET {column} = $2{cast} WHERE number = $1");
            // Some flips the schema itself refuses: a cause that is none, a summary that is no JSON.
            if sqlx::query(&update).bind(number).bind(&flipped).execute(&state.db).await.is_err() {
                continue;
            }
            let now: String = sqlx::query_scalar(&format!("SELECT {column}::text FROM rounds WHERE number = $1"))
                .bind(number)
                .fetch_one(&state.db)
                .await
                .expect("a text");
            let report = audit(state).await;
            assert!(now == text || named(&report).contains(&number), "{column} of {number} at {place}: {report:?}");
            sqlx::query(&update).bind(number).bind(&text).execute(&state.db).await.expect("restored");
        }
    }
    assert_eq!(audit(state).await.findings, [], "everything was put back");
}

#[tokio::test]
async fn every_hash_and_number_counts() {
    let (market, _) = history().await;
    let state = &market.state;
    for change in [
        "hash = set_byte(hash, 31, get_byte(hash, 31) # 1)",
        "previous_hash = set_byte(previous_hash, 0, get_byte(previous_hash, 0) # 128)",
        "plan_hash = set_byte(plan_hash, 9, get_byte(plan_hash, 9) # 4)",
        "plan_millis = plan_millis + 1",
        "fencing_token = fencing_token + 1",
        "cleared_at = cleared_at + interval '1 millisecond'",
        "id = gen_random_uuid()",
        "cause = 'operator'",
    ] {
        for number in [1, 4, ROUNDS] {
            run(state, "CREATE TABLE kept AS SELECT * FROM rounds").await;
            run(state, &format!("UPDATE rounds SET {change} WHERE number = {number}")).await;
            let report = audit(state).await;
            assert!(named(&report).contains(&number), "{change} of {number}: {report:?}");
            run(state, "DELETE FROM rounds").await;
            run(state, "INSERT INTO rounds SELECT * FROM kept").await;
            run(state, "DROP TABLE kept").await;
        }
    }
    assert_eq!(audit(state).await.findings, [], "everything was put back");
}

#[tokio::test]
async fn a_deleted_round_is_missed_wherever_it_was() {
    let (market, _) = history().await;
    let state = &market.state;
    for number in [1, 5, ROUNDS] {
        run(state, "CREATE TABLE kept AS SELECT * FROM rounds").await;
        run(state, &format!("DELETE FROM rounds WHERE number = {number}")).await;
        let report = audit(state).await;
        let missed = report.findings.iter().any(|found| found.number == number && found.what == "the round is missing");
        assert!(missed, "{number}: {report:?}");
        run(state, "DELETE FROM rounds").await;
        run(state, "INSERT INTO rounds SELECT * FROM kept").await;
        run(state, "DROP TABLE kept").await;
    }
}

#[tokio::test]
async fn prices_and_leases_that_differ_from_the_records_are_found() {
    let (market, _) = history().await;
    let state = &market.state;
    run(state, "UPDATE prices SET price_micros_per_hour = price_micros_per_hour + 1 WHERE round_number = 3 AND class_id = 'h100-80gb'").await;
    let report = audit(state).await;
    assert_eq!(named(&report), [3], "{report:?}");
    run(state, "UPDATE prices SET price_micros_per_hour = price_micros_per_hour - 1 WHERE round_number = 3 AND class_id = 'h100-80gb'").await;
    run(state, "DELETE FROM leases WHERE id = (SELECT id FROM leases ORDER BY id LIMIT 1)").await;
    let report = audit(state).await;
    assert!(report.findings.iter().any(|finding| finding.what.starts_with("the lease of")), "{report:?}");
}

#[tokio::test]
async fn a_rewritten_history_with_fitting_hashes_is_still_not_the_one_whose_head_was_kept() {
    let (market, _) = history().await;
    let kept = audit(&market.state).await.pools[0].head;
    let row: (String, Vec<u8>) = sqlx::query_as("SELECT header, previous_hash FROM rounds WHERE number = 8")
        .fetch_one(&market.state.db)
        .await
        .expect("a row");
    let mut header: Header = serde_json::from_str(&row.0).expect("a header");
    header.plan_millis += 1;
    let forged = scheduler::canonical(&header).expect("text");
    let hash = Header::chain(&row.1.try_into().expect("32 bytes"), &forged);
    sqlx::query("UPDATE rounds SET header = $1, hash = $2, plan_millis = plan_millis + 1 WHERE number = 8")
        .bind(&forged)
        .bind(hash.as_slice())
        .execute(&market.state.db)
        .await
        .expect("forged");
    sqlx::query("UPDATE pool_leases SET last_hash = $1")
        .bind(hash.as_slice())
        .execute(&market.state.db)
        .await
        .expect("forged");
    let report = audit(&market.state).await;
    assert_eq!(report.findings, [], "whoever can rewrite everything leaves a chain that fits");
    assert_ne!(report.pools[0].head, kept, "but not the head that somebody else kept");
}

#[tokio::test]
async fn the_public_record_replays_and_hashes_to_its_header() {
    let (market, _) = history().await;
    let rows: Vec<(String, String)> = sqlx::query_as("SELECT record, header FROM rounds ORDER BY number")
        .fetch_all(&market.state.db)
        .await
        .expect("rows");
    for (record, header) in rows {
        let header: Header = serde_json::from_str(&header).expect("a header");
        let public = public(&record);
        assert_eq!(hex(&text_hash(&public)), header.public_hash);
        replay(&public).expect("the public record replays to its own plan");
        for bid in sqlx::query_scalar::<_, String>("SELECT replace(id::text, '-', '') FROM bids")
            .fetch_all(&market.state.db)
            .await
            .expect("ids")
        {
            assert!(!public.contains(&bid), "a bid's identity is in the public record");
        }
    }
}
