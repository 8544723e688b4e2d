//! Every closed list of names in the schema is a Rust enum with the same names.

use std::collections::{BTreeMap, BTreeSet};

use scheduler::world::DeviceState::{Draining, Faulty, Free, Leased, Repartitioning};
use serde::Serialize;
use souk::ledger::Account;
use souk_tests::database::TestDatabase;
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

type Names = Vec<String>;

macro_rules! names {
    ($($enum:tt)+) => { $($enum)+::ALL.iter().map(|value| value.as_str().to_owned()).collect::<Names>() };
}

/// Which enum a column's list belongs to.
fn enums() -> BTreeMap<&'static str, Names> {
    BTreeMap::from([
        ("memberships.role", names!(souk::app::Role)),
        ("pools.share_policy", names!(scheduler::world::SharePolicy)),
        ("pools.tilt", names!(scheduler::world::Tilt)),
        ("pools.price_rule", names!(scheduler::world::PriceRule)),
        ("organisations.runway_warning", names!(souk::ledger::runway::Warning)),
        ("nodes.adapter", names!(souk::node::Adapter)),
        ("nodes.state", names!(souk::node::NodeState)),
        ("devices.state", serialised(&[Free, Leased, Repartitioning, Draining, Faulty])),
        // Nothing is taxed and nobody pays by card yet: those two accounts wait.
        ("accounts.kind", accounts().into_iter().chain(["tax", "payment_clearing"]).map(str::to_owned).collect()),
        ("transfers.kind", names!(souk::ledger::TransferKind)),
        ("bids.state", names!(souk::bid::StateName)),
        ("jobs.state", names!(souk::job::StateName)),
        ("promises.state", names!(souk::job::PromiseState)),
        ("rentals.kind", names!(souk::rental::RentalKind)),
        ("rentals.state", names!(souk::rental::StateName)),
        ("rentals.reason", names!(souk::rental::EndReason)),
        ("workloads.observed", names!(souk::rental::Observed)),
        // Two words that only the store's own statements know.
        ("holds.state", listed(&["active", "released"])),
        ("rounds.cause", names!(souk::records::Cause)),
        ("explanations.code", names!(scheduler::explain::Code)),
        ("alerts.severity", names!(souk::store::alerts::Severity)),
        ("profiles.unit", names!(souk::store::profiles::ProfileUnit)),
    ])
}

fn listed(names: &[&str]) -> Names {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn serialised(values: &[impl Serialize]) -> Names {
    values.iter().map(|value| serde_json::to_value(value).unwrap().as_str().unwrap().to_owned()).collect()
}

fn accounts() -> [&'static str; 8] {
    let (organisation, provider) = (Uuid::nil().into(), Uuid::nil().into());
    [
        Account::TenantAvailable(organisation),
        Account::TenantHeld(organisation),
        Account::ProviderPending(provider),
        Account::ProviderAvailable(provider),
        Account::PlatformFee,
        Account::OperatorCredit,
        Account::Refunds,
        Account::Rounding,
    ]
    .map(|account| account.kind())
}

#[tokio::test]
async fn the_schemas_lists_are_the_enums_of_the_code() {
    let database = TestDatabase::create().await.unwrap();
    let lists = lists(database.url()).await;
    let mut enums = enums();
    for (column, listed) in &lists {
        let Some(names) = enums.remove(column.as_str()) else {
            panic!("{column} takes one of {listed:?}, and tests/contract/states.rs knows no enum for it");
        };
        let names: BTreeSet<String> = names.into_iter().collect();
        assert_eq!(*listed, names, "{column}: the schema's list (left) and the enum (right) differ");
    }
    assert!(enums.is_empty(), "enums for columns that have no list: {:?}", enums.keys());
}

/// The list of every check that compares one column with texts, and nothing else.
async fn lists(url: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut connection = PgConnection::connect(url).await.unwrap();
    let checks: Vec<(String, String, String)> = sqlx::query_as(
        "SELECT t.relname::text, a.attname::text, pg_get_constraintdef(c.oid)
         FROM pg_constraint c
         JOIN pg_class t ON t.oid = c.conrelid
         JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = 'public'
         JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = c.conkey[1]
         WHERE c.contype = 'c' AND cardinality(c.conkey) = 1",
    )
    .fetch_all(&mut connection)
    .await
    .unwrap();
    let mut lists = BTreeMap::new();
    for (table, column, definition) in checks {
        let several = definition.strip_prefix(&format!("CHECK (({column} = ANY (ARRAY[")).is_some();
        let one = definition.strip_prefix(&format!("CHECK (({column} = '")).is_some();
        if several || one {
            let texts = definition.split('\'').skip(1).step_by(2).map(str::to_owned).collect();
            lists.insert(format!("{table}.{column}"), texts);
        }
    }
    lists
}
