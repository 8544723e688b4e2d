//! A pool as large as a campus has it: 150 nodes, 1000 devices, 2000 demands. Prints what it measured.

use scheduler::world::ids::PoolId;
use souk::loops::round;
use souk::store::{Tx, snapshot};
use souk_tests::{Scene, TestMarket};
use sqlx::PgPool;

/// Rows in bulk: half of the devices leased to running bids, the other demands waiting.
const CAMPUS: &[&str] = &[
    "INSERT INTO nodes (id, pool_id, provider_id, name, adapter, state, cpu_milli, memory_mib, created_at)
     SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, p.id, v.id, 'node-' || n, 'simulated', 'ready', 1000, 1024, '2030-01-01'
     FROM generate_series(1, 150) n, pools p, providers v",
    "INSERT INTO devices (id, pool_id, node_id, class_id, uuid, slot, state, created_at)
     SELECT gen_random_uuid(), n.pool_id, n.id, CASE WHEN right(n.name, 1) < '5' THEN 'h100-80gb' ELSE 'a100-80gb' END, 'gpu-' || s, s, 'free', '2030-01-01'
     FROM (SELECT *, row_number() OVER (ORDER BY id) AS k FROM nodes) n, generate_series(0, 7) s WHERE n.k * 8 + s < 1008",
    "INSERT INTO asks (id, pool_id, provider_id, node_id, class_id, currency, price_micros_per_hour, floor_micros_per_hour, min_chunk, created_at)
     SELECT gen_random_uuid(), n.pool_id, n.provider_id, n.id, CASE WHEN right(n.name, 1) < '5' THEN 'h100-80gb' ELSE 'a100-80gb' END, 'USD', 3000000, 1000000, 1, '2030-01-01' FROM nodes n",
    "INSERT INTO organisations (id, name, currency, created_at) SELECT gen_random_uuid(), 'tenant-' || n, 'USD', '2030-01-01' FROM generate_series(1, 50) n",
    "INSERT INTO accounts (id, kind, organisation_id, currency, balance_micros, created_at)
     SELECT gen_random_uuid(), k, o.id, 'USD', 1000000000000, '2030-01-01' FROM organisations o, unnest(ARRAY['tenant_available', 'tenant_held']) k ON CONFLICT DO NOTHING",
    "INSERT INTO bids (id, organisation_id, pool_id, created_by, request, class_ids, gang, limit_micros_per_hour, reenter, state, created_at)
     SELECT gen_random_uuid(), o.id, p.id, u.id, 'x', ARRAY['h100-80gb', 'a100-80gb'], 1 + n % 4, 1000000 + n * 1000, TRUE, 'open', '2030-01-01'
     FROM (SELECT id, row_number() OVER (ORDER BY id) AS k FROM organisations WHERE name LIKE 'tenant-%') o, generate_series(1, 36) n, pools p, (SELECT id FROM users LIMIT 1) u",
    "INSERT INTO holds (id, organisation_id, currency, subject, remaining_micros, state, created_at)
     SELECT gen_random_uuid(), organisation_id, 'USD', 'bid_' || replace(id::text, '-', ''), 100000000, 'active', '2030-01-01' FROM bids",
    "INSERT INTO jobs (id, organisation_id, pool_id, created_by, name, request, profile_id, class_ids, gang, weight_milli, work_milliunits, fairness, budget_micros, state, advanced_at, created_at)
     SELECT gen_random_uuid(), o.id, p.id, u.id, 'job', 'x', (SELECT min(id::text)::uuid FROM profiles), ARRAY['h100-80gb', 'a100-80gb'], 1, 1000, 1000000000, '{}', 100000000, 'queued', '2030-01-01', '2030-01-01'
     FROM (SELECT id FROM organisations WHERE name LIKE 'tenant-%') o, generate_series(1, 4) n, pools p, (SELECT id FROM users LIMIT 1) u",
    "INSERT INTO holds (id, organisation_id, currency, subject, remaining_micros, state, created_at)
     SELECT gen_random_uuid(), organisation_id, 'USD', 'job_' || replace(id::text, '-', ''), 100000000, 'active', '2030-01-01' FROM jobs",
    "ANALYZE",
];

async fn campus(db: &PgPool) {
    for statement in CAMPUS {
        sqlx::query(statement).execute(db).await.expect("a statement that runs");
    }
}

#[tokio::test]
async fn a_campus_is_read_planned_and_written_within_a_second() {
    let market = TestMarket::start().await;
    let scene = Scene::set(&market.state).await;
    campus(&market.state.db).await;
    scene.settings("round_seconds = 60").await;
    let loaded = time_of(&market, scene.pool).await;
    for number in 1..=3 {
        let began = std::time::Instant::now();
        round::step(&market.state).await.expect("a round");
        println!("round {number}: {:?}", began.elapsed());
        market.clock.advance(time::Duration::seconds(60));
        println!("snapshot: {:?}", time_of(&market, scene.pool).await);
    }
    let (rounds, rentals): (i64, i64) =
        sqlx::query_as("SELECT (SELECT count(*) FROM rounds), (SELECT count(*) FROM rentals)")
            .fetch_one(&market.state.db)
            .await
            .expect("counts");
    let size: i64 = sqlx::query_scalar("SELECT max(length(record))::bigint FROM rounds")
        .fetch_one(&market.state.db)
        .await
        .expect("a size");
    println!("rounds {rounds}, rentals {rentals}, largest record {size} bytes");
    assert_eq!(rounds, 3);
    assert!(rentals > 100);
    assert!(loaded.as_millis() < 1000, "{loaded:?}");
}

#[expect(clippy::disallowed_methods, reason = "a measurement")]
async fn time_of(market: &TestMarket, pool: PoolId) -> std::time::Duration {
    let mut best = std::time::Duration::MAX;
    for _ in 0..3 {
        let began = std::time::Instant::now();
        let mut tx = Tx::begin_snapshot(&market.state.db).await.expect("a transaction");
        let world = snapshot::load(&mut tx, pool, market.state.clock.now()).await.expect("a world").expect("a pool");
        tx.commit().await.expect("ended");
        best = best.min(began.elapsed());
        assert_eq!(world.snapshot.demands.len(), 2000);
    }
    best
}
