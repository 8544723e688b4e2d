//! Dependencies point one way: scheduler <- agent <- api <- tests, and inside api: http -> app -> store.

use std::collections::BTreeSet;
use std::fs;

use crate::shape::sources;
use crate::{cargo, root};

/// The crates that `package` pulls in when it is built for use.
fn tree(package: &str) -> BTreeSet<String> {
    let printed = cargo(&["tree", "-p", package, "-e", "normal", "--prefix", "none", "--format", "{p}"]);
    printed.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

fn assert_absent(package: &str, banned: &[&str]) {
    let tree = tree(package);
    assert!(tree.contains(package), "cargo tree does not know {package}");
    let found: Vec<&str> = banned.iter().copied().filter(|name| tree.contains(*name)).collect();
    assert!(found.is_empty(), "{package} pulls in {found:?}");
}

#[test]
fn the_scheduler_is_pure() {
    assert_absent(
        "scheduler",
        &["tokio", "sqlx", "sqlx-core", "actix-web", "reqwest", "rand", "time", "souk", "souk-agent", "futures-util"],
    );
}

#[test]
fn the_agent_has_neither_a_database_nor_a_server() {
    assert_absent("souk-agent", &["sqlx", "sqlx-core", "actix-web", "redis", "souk"]);
}

/// Each folder of api/src, and what it must never name.
const ONE_WAY: [(&str, &[&str]); 5] = [
    ("store", &["crate::app", "crate::http", "crate::loops", "actix_web"]),
    ("app", &["crate::http", "crate::loops", "actix_web"]),
    ("ledger", &["crate::app", "crate::http", "crate::store", "crate::loops", "sqlx", "actix_web"]),
    ("loops", &["crate::http", "actix_web"]),
    ("embedded", &["crate::app", "crate::http", "crate::store", "crate::loops", "sqlx", "tokio::"]),
];

#[test]
fn inside_the_api_nothing_looks_up() {
    let mut wrong = Vec::new();
    for (folder, banned) in ONE_WAY {
        for file in sources(&root().join("api/src").join(folder)) {
            let text = fs::read_to_string(&file).expect("sources are UTF-8");
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            for line in code {
                wrong.extend(
                    banned
                        .iter()
                        .filter(|name| line.contains(*name))
                        .map(|name| format!("{} names {name}", file.display())),
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
