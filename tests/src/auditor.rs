//! An auditor that shares no code with the market: it reads the tables and says what must not be.
//!
//! Every rule is one statement that returns nothing when all is well, or a comparison with what was seen before.

use std::collections::BTreeMap;

use sqlx::{PgPool, Row as _};
use time::OffsetDateTime;
use uuid::Uuid;

/// Rules about one instant: a name, and a statement that finds what breaks it.
const RULES: &[(&str, &str)] = &[
    (
        "no two leases hold one device at one instant",
        "SELECT a.device_id::text FROM leases a JOIN leases b ON a.device_id = b.device_id AND a.id < b.id AND a.during && b.during",
    ),
    (
        "a device is leased while it has a live lease, and free otherwise",
        "SELECT d.id::text || ' is ' || d.state FROM devices d
         WHERE d.state IN ('free', 'leased')
           AND (d.state = 'leased') <> EXISTS (SELECT 1 FROM leases l WHERE l.device_id = d.id AND upper_inf(l.during))",
    ),
    (
        "a placed rental has its whole gang on one node and in one class, and others have nothing",
        "SELECT r.id::text || ' is ' || r.state || ' with ' || count(l.id) || ' of ' || r.gang
         FROM rentals r LEFT JOIN leases l ON l.rental_id = r.id AND upper_inf(l.during) LEFT JOIN devices d ON d.id = l.device_id
         GROUP BY r.id
         HAVING count(l.id) <> CASE WHEN r.state IN ('pending', 'stopped', 'ended') THEN 0 ELSE r.gang END
             OR bool_or(d.node_id <> r.node_id OR d.class_id <> r.class_id)",
    ),
    (
        "every transfer sums to zero",
        "SELECT transfer_id::text FROM entries GROUP BY transfer_id HAVING sum(amount_micros) <> 0",
    ),
    (
        "a balance is the sum of its entries",
        "SELECT a.id::text FROM accounts a LEFT JOIN entries e ON e.account_id = a.id
         GROUP BY a.id HAVING a.balance_micros <> coalesce(sum(e.amount_micros), 0)",
    ),
    (
        "what is held is the sum of the holds",
        "SELECT a.organisation_id::text FROM accounts a WHERE a.kind = 'tenant_held'
           AND a.balance_micros <> (SELECT coalesce(sum(h.remaining_micros), 0) FROM holds h
                                    WHERE h.organisation_id = a.organisation_id AND h.currency = a.currency)",
    ),
    (
        "what lives has a hold",
        "SELECT subject FROM (
             SELECT 'bid_' || replace(id::text, '-', '') AS subject FROM bids WHERE closed_at IS NULL
             UNION ALL SELECT 'job_' || replace(id::text, '-', '') FROM jobs WHERE closed_at IS NULL
             UNION ALL SELECT 'rnt_' || replace(id::text, '-', '') FROM rentals WHERE kind = 'on_demand' AND state NOT IN ('stopped', 'ended')) live
         WHERE NOT EXISTS (SELECT 1 FROM holds h WHERE h.subject = live.subject AND h.state = 'active')",
    ),
    (
        "what is over holds nothing",
        "SELECT subject FROM (
             SELECT 'bid_' || replace(id::text, '-', '') AS subject FROM bids WHERE closed_at IS NOT NULL
             UNION ALL SELECT 'job_' || replace(id::text, '-', '') FROM jobs WHERE closed_at IS NOT NULL
             UNION ALL SELECT 'rnt_' || replace(id::text, '-', '') FROM rentals WHERE kind = 'on_demand' AND state = 'ended') gone
         WHERE EXISTS (SELECT 1 FROM holds h WHERE h.subject = gone.subject AND h.state = 'active')",
    ),
    (
        "charges are price times devices times time, to the last fraction",
        "SELECT r.id::text FROM rentals r JOIN usage_intervals u ON u.rental_id = r.id GROUP BY r.id
         HAVING sum(u.price_micros_per_hour::numeric * u.devices * round(extract(epoch FROM u.ends_at - u.starts_at) * 1000))
                <> r.charged_micros::numeric * 3600000 + r.meter_residue
             OR sum(u.amount_micros) <> r.charged_micros",
    ),
    (
        "metered time has no gaps, from the instant a rental is usable to its end",
        "SELECT rental_id::text FROM (
             SELECT u.rental_id, u.starts_at, coalesce(lag(u.ends_at) OVER (PARTITION BY u.rental_id ORDER BY u.starts_at), r.usable_at) AS expected,
                    u.ends_at, r.ended_at
             FROM usage_intervals u JOIN rentals r ON r.id = u.rental_id WHERE r.kind <> 'on_demand') i
         WHERE starts_at <> expected OR ends_at > ended_at",
    ),
    (
        "nobody pays above the limit",
        "SELECT u.id::text FROM usage_intervals u JOIN rentals r ON r.id = u.rental_id JOIN bids b ON b.id = r.bid_id
         WHERE u.price_micros_per_hour > b.limit_micros_per_hour",
    ),
    (
        "what tenants pay is what providers and the platform get",
        "SELECT 'usage' WHERE (SELECT coalesce(sum(amount_micros), 0) FROM usage_intervals)
                - (SELECT coalesce(sum(refund_micros), 0) FROM promises) <>
             (SELECT coalesce(sum(balance_micros), 0) FROM accounts WHERE kind IN ('provider_pending', 'provider_available', 'platform_fee', 'refunds'))",
    ),
    (
        "a missed promise is refunded once, within what the job paid and at least a tenth of it",
        "SELECT p.job_id::text FROM promises p JOIN jobs j ON j.id = p.job_id
         WHERE p.refund_micros > j.spent_micros
            OR p.state = 'missed' AND p.refund_micros < (p.evidence->>'paid')::bigint / 10
            OR p.refund_micros <> coalesce((
                SELECT sum(e.amount_micros) FROM transfers t JOIN entries e ON e.transfer_id = t.id JOIN accounts a ON a.id = e.account_id
                WHERE t.kind = 'refund' AND t.subject = 'job_' || replace(p.job_id::text, '-', '')
                  AND a.kind = 'tenant_available' AND a.organisation_id = j.organisation_id), 0)",
    ),
    (
        "nothing is refunded but missed promises",
        "SELECT t.id::text FROM transfers t WHERE t.kind = 'refund' AND NOT EXISTS (
             SELECT 1 FROM promises p WHERE p.transfer_id = t.id AND p.state = 'missed')",
    ),
    (
        "a kept promise was kept, and a void one is of a job that is over",
        "SELECT p.job_id::text || ' is ' || p.state FROM promises p JOIN jobs j ON j.id = p.job_id
         WHERE p.state = 'kept' AND j.closed_at > p.finish_by AND j.done_milliunits < j.work_milliunits
            OR p.state = 'void' AND (j.closed_at IS NULL OR j.closed_at > p.finish_by)",
    ),
    (
        "whom a provider did not fail costs no provider anything",
        "SELECT t.id::text FROM transfers t JOIN entries e ON e.transfer_id = t.id JOIN accounts a ON a.id = e.account_id
         JOIN promises p ON p.transfer_id = t.id
         WHERE t.kind = 'refund' AND a.kind = 'provider_pending' AND NOT EXISTS (
             SELECT 1 FROM rentals r WHERE r.job_id = p.job_id AND r.provider_id = a.provider_id
               AND r.reason IN ('node_lost', 'device_fault', 'provisioning_timeout', 'provider'))",
    ),
    (
        "a bid runs exactly when a rental serves it",
        "SELECT b.id::text || ' is ' || b.state FROM bids b
         LEFT JOIN rentals r ON r.bid_id = b.id AND r.state <> 'ended'
         GROUP BY b.id
         HAVING count(r.id) <> CASE WHEN b.state IN ('allocated', 'notice') THEN 1 ELSE 0 END
             OR bool_or(r.id <> b.rental_id) OR bool_or((r.state = 'notice') <> (b.state = 'notice'))",
    ),
    (
        "a job runs exactly when a rental serves it",
        "SELECT j.id::text || ' is ' || j.state FROM jobs j
         LEFT JOIN rentals r ON r.job_id = j.id AND r.state <> 'ended'
         GROUP BY j.id HAVING count(r.id) <> CASE WHEN j.state = 'running' THEN 1 ELSE 0 END OR bool_or(r.id <> j.rental_id)",
    ),
    (
        "a job spends what its rentals were charged, within its budget",
        "SELECT j.id::text FROM jobs j LEFT JOIN rentals r ON r.job_id = j.id GROUP BY j.id
         HAVING j.spent_micros <> coalesce(sum(r.charged_micros), 0) OR j.spent_micros > j.budget_micros",
    ),
    (
        "every demand that the last round could see is explained by it",
        "WITH last AS (SELECT pool_id, number, cleared_at FROM rounds ORDER BY number DESC LIMIT 1), live AS (
             SELECT 'bid_' || replace(id::text, '-', '') AS subject, created_at FROM bids WHERE closed_at IS NULL
             UNION ALL SELECT 'job_' || replace(id::text, '-', ''), created_at FROM jobs WHERE closed_at IS NULL
             UNION ALL SELECT 'rnt_' || replace(id::text, '-', ''), state_at FROM rentals WHERE state = 'pending')
         SELECT live.subject FROM live, last
         WHERE live.created_at < last.cleared_at
           AND NOT EXISTS (SELECT 1 FROM explanations e WHERE e.subject = live.subject AND e.round_number = last.number)",
    ),
    (
        "the weights of a pool that promises finish times stay within its cap",
        "SELECT p.name FROM pools p JOIN jobs j ON j.pool_id = p.id AND j.closed_at IS NULL
         GROUP BY p.id HAVING sum(j.weight_milli) > p.admission_cap_milli",
    ),
    ("no round was refused", "SELECT message FROM alerts WHERE code = 'round_refused'"),
    ("every round is there", "SELECT 'rounds' FROM rounds HAVING count(*) <> max(number)"),
];

/// Where a rental may go from where it is, by however many steps at once.
fn reachable(from: &str) -> &'static [&'static str] {
    match from {
        "pending" | "stopped" => &["provisioning", "pulling", "starting", "running", "notice", "ended", "pending"],
        "provisioning" => &["pulling", "starting", "running", "notice", "stopping", "stopped", "ended"],
        "pulling" => &["starting", "running", "notice", "stopping", "stopped", "ended"],
        "starting" => &["running", "notice", "stopping", "stopped", "ended"],
        "running" => &["notice", "stopping", "stopped", "ended"],
        "stopping" => &["stopped", "ended", "pending", "provisioning"],
        "notice" => &["ended"],
        _ => &[],
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    state: String,
    reason: Option<String>,
    usable_at: Option<OffsetDateTime>,
    notice_until: Option<OffsetDateTime>,
    since: OffsetDateTime,
}

/// What the auditor remembers.
#[derive(Debug, Default)]
pub struct Auditor {
    rentals: BTreeMap<Uuid, Seen>,
    /// Findings of things that are told rather than checked: how much happened.
    pub notices: usize,
}

impl Auditor {
    /// Everything that is wrong now.
    ///
    /// # Panics
    /// When the database does not answer.
    pub async fn findings(&mut self, db: &PgPool, now: OffsetDateTime) -> Vec<String> {
        let mut findings = Vec::new();
        for (rule, statement) in RULES {
            let broken: Vec<String> = sqlx::query_scalar(statement).fetch_all(db).await.expect("a rule that runs");
            findings.extend(broken.into_iter().map(|what| format!("{rule}: {what}")));
        }
        findings.extend(self.transitions(db, now).await);
        findings
    }

    async fn transitions(&mut self, db: &PgPool, now: OffsetDateTime) -> Vec<String> {
        let rows = sqlx::query(
            "SELECT r.id, r.state, r.reason, r.usable_at, r.notice_until, r.created_at, r.kind, p.min_run_seconds,
                    (SELECT max(u.ends_at) FROM usage_intervals u WHERE u.rental_id = r.id) AS billed_to,
                    (SELECT e.body->>'because' FROM events e
                     WHERE e.kind = 'rental.notice' AND e.subject = 'rnt_' || replace(r.id::text, '-', '') LIMIT 1) AS because
             FROM rentals r JOIN pools p ON p.id = r.pool_id",
        )
        .fetch_all(db)
        .await
        .expect("rentals");
        let mut findings = Vec::new();
        for row in rows {
            let id: Uuid = row.get("id");
            let seen = Seen {
                state: row.get("state"),
                reason: row.get("reason"),
                usable_at: row.get("usable_at"),
                notice_until: row.get("notice_until"),
                since: row.get("created_at"),
            };
            let before = self.rentals.insert(id, seen.clone());
            if before.as_ref() == Some(&seen) {
                continue;
            }
            if let Some(before) = &before
                && before.state != seen.state
                && !reachable(&before.state).contains(&seen.state.as_str())
            {
                findings.push(format!("{id} went from {} to {}", before.state, seen.state));
            }
            let warned = seen.state == "notice" && before.as_ref().is_none_or(|before| before.state != "notice");
            if warned {
                self.notices += 1;
                let protected = seen.usable_at.unwrap_or(seen.since)
                    + time::Duration::seconds(row.get::<i32, _>("min_run_seconds").into());
                let because: Option<String> = row.get("because");
                let market = matches!(because.as_deref(), Some("outbid" | "entitled" | "on_demand" | "moved"));
                if market && now < protected {
                    findings.push(format!("{id} was given notice inside its minimum run: {because:?} at {now}"));
                }
            }
            let promised = before.filter(|before| before.state == "notice").and_then(|before| before.notice_until);
            if let (Some("preempted"), Some(until)) = (seen.reason.as_deref(), promised) {
                if now < until {
                    findings.push(format!("{id} was ended at {now}, before its notice ran out"));
                }
                let billed_to: Option<OffsetDateTime> = row.get("billed_to");
                if billed_to.is_some_and(|billed_to| billed_to != until) {
                    findings.push(format!("{id} is billed to {billed_to:?}, and its notice ended at {until}"));
                }
            }
        }
        findings
    }
}
