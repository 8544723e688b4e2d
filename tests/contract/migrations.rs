//! The migrations bring an empty database up to date, once.

use souk::store;
use souk_tests::database::TestDatabase;

use crate::root;

#[tokio::test]
async fn migrations_apply_to_an_empty_database_and_only_once() {
    let database = TestDatabase::empty().await.unwrap();
    let pool = store::connect(database.url(), 2).await.unwrap();
    let mut tx = store::Tx::begin(&pool).await.unwrap();
    assert!(store::schema::is_current(&mut tx).await.is_err(), "an empty database has no record of migrations");
    drop(tx);
    store::migrate(&pool).await.unwrap();
    store::migrate(&pool).await.unwrap();
    let mut tx = store::Tx::begin(&pool).await.unwrap();
    assert!(store::schema::is_current(&mut tx).await.unwrap());
}

#[tokio::test]
async fn two_servers_may_migrate_at_the_same_moment() {
    let database = TestDatabase::empty().await.unwrap();
    let (one, two) =
        (store::connect(database.url(), 2).await.unwrap(), store::connect(database.url(), 2).await.unwrap());
    let (first, second) = tokio::join!(store::migrate(&one), store::migrate(&two));
    first.unwrap();
    second.unwrap();
}

#[test]
fn migrations_are_numbered_without_a_gap_and_named_for_what_they_do() {
    let mut names: Vec<String> = std::fs::read_dir(root().join("migrations"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".sql"))
        .collect();
    names.sort();
    for (index, name) in names.iter().enumerate() {
        let number = format!("{:04}_", index + 1);
        assert!(name.starts_with(&number) && name.matches('_').count() >= 2, "{name}: {number}verb_object.sql");
    }
}
