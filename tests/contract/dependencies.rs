//! What may be depended on: the policy is in `deny.toml`; this is the part of it that needs no network.
//!
//! Not checked here: advisories and withdrawn versions, for both need a database from outside.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::licence::is_satisfied;
use crate::{cargo, root};

fn policy() -> String {
    fs::read_to_string(root().join("deny.toml")).expect("the policy is there")
}

/// The quoted names in the first list after `key`.
fn quoted_after(text: &str, key: &str) -> Vec<String> {
    let list = text.split(key).nth(1).and_then(|rest| rest.split(']').next()).unwrap_or_default();
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The packages that are built on this kind of machine: those of others need not be here to be asked about.
fn packages() -> Vec<Value> {
    let version = cargo(&["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("cargo knows its host");
    let printed = cargo(&["metadata", "--format-version", "1", "--filter-platform", host]);
    let metadata: Value = serde_json::from_str(&printed).expect("cargo answers in JSON");
    metadata["packages"].as_array().expect("a list of packages").clone()
}

#[test]
fn every_dependency_has_a_licence_we_accept() {
    let policy = policy();
    let allowed = quoted_after(&policy, "\nallow = [");
    let excepted = quoted_after(&policy, "\nexceptions = [");
    assert!(allowed.contains(&"MIT".to_owned()), "the list of licences was not found in deny.toml");
    let mut refused = Vec::new();
    for package in packages() {
        let name = package["name"].as_str().unwrap_or_default();
        let licence = package["license"].as_str().unwrap_or_default();
        let own =
            |licence: &str| excepted.first().is_some_and(|n| n == name) && excepted[1..].iter().any(|l| l == licence);
        if !is_satisfied(licence, &|one| allowed.iter().any(|licence| licence == one) || own(one)) {
            refused.push(format!("{name}: {licence:?}"));
        }
    }
    assert!(refused.is_empty(), "licences outside deny.toml:\n{}", refused.join("\n"));
}

#[test]
fn every_dependency_comes_from_the_registry_with_a_checksum() {
    let lock = fs::read_to_string(root().join("Cargo.lock")).expect("the lock file is committed");
    let sources = lock.lines().filter_map(|line| line.strip_prefix("source = "));
    let (registry, other): (Vec<&str>, Vec<&str>) = sources.partition(|source| source.starts_with("\"registry+"));
    assert!(other.is_empty(), "sources other than the registry: {other:?}");
    let checksums = lock.lines().filter(|line| line.starts_with("checksum = ")).count();
    assert_eq!(checksums, registry.len(), "a dependency without a checksum can change under us");
}

#[test]
fn the_frameworks_are_there_once() {
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages() {
        let text = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
        versions.entry(text("name")).or_default().push(text("version"));
    }
    for name in ["tokio", "actix-web", "sqlx", "serde", "rustls", "reqwest", "hyper", "time", "uuid", "tracing"] {
        let found = versions.get(name).cloned().unwrap_or_default();
        assert!(found.len() <= 1, "{name} comes in versions {found:?}");
    }
    for name in ["openssl-sys", "native-tls"] {
        assert!(!versions.contains_key(name), "{name} would need a system library; rustls is used throughout");
    }
}
