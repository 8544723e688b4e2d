//! Every statement of the store prepares against the schema, and every statement is one literal.

use std::path::Path;

use souk_tests::database::TestDatabase;
use sqlx::{Connection as _, Executor as _, PgConnection};

use crate::root;
use crate::shape::sources;

#[tokio::test]
async fn every_statement_prepares_against_the_migrated_schema() {
    let database = TestDatabase::create().await.unwrap();
    let mut connection = PgConnection::connect(database.url()).await.unwrap();
    let mut wrong = Vec::new();
    let mut prepared = 0;
    for file in sources(&root().join("api/src/store")) {
        let text = std::fs::read_to_string(&file).unwrap();
        for statement in statements(&file, &text, &mut wrong) {
            prepared += 1;
            if let Err(error) = connection.prepare(&statement).await {
                wrong.push(format!("{}: {error}\n{statement}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(prepared > 100, "only {prepared} statements were found");
}

#[test]
fn sql_lives_in_the_store_and_nowhere_else() {
    // The bench measures PostgreSQL itself, with a table of its own.
    let [store, bench] = ["api/src/store", "api/src/bench"].map(|folder| root().join(folder));
    let elsewhere: Vec<String> = sources(&root().join("api/src"))
        .into_iter()
        .filter(|file| {
            !file.starts_with(&store) && !file.starts_with(&bench) && file.extension().is_some_and(|kind| kind == "rs")
        })
        .filter(|file| std::fs::read_to_string(file).unwrap().contains("sqlx::query"))
        .map(|file| file.display().to_string())
        .collect();
    assert!(elsewhere.is_empty(), "SQL outside of api/src/store: {elsewhere:?}");
}

/// The literals given to `sqlx::query` and its kin. What is not a literal is reported.
fn statements(file: &Path, text: &str, wrong: &mut Vec<String>) -> Vec<String> {
    let mut found = Vec::new();
    for call in text.split("sqlx::query").skip(1) {
        let Some(open) = call.find('(') else { continue };
        let argument = call[open + 1..].trim_start();
        match literal(argument).or_else(|| constant(text, argument)) {
            Some(statement) => found.push(statement),
            None => {
                let start: String = argument.chars().take(60).collect();
                wrong.push(format!("{}: a statement is one string literal, not `{start}`", file.display()));
            }
        }
    }
    found
}

/// The Rust string literal that the text begins with.
fn literal(text: &str) -> Option<String> {
    if let Some(raw) = text.strip_prefix("r#\"") {
        return raw.split_once("\"#").map(|(statement, _)| statement.to_owned());
    }
    let mut statement = String::new();
    let mut characters = text.strip_prefix('"')?.chars();
    loop {
        match characters.next()? {
            '"' => return Some(statement),
            '\\' => match characters.next()? {
                'n' => statement.push('\n'),
                '\n' => {
                    let rest = characters.as_str();
                    characters = rest.trim_start().chars();
                }
                other => statement.push(other),
            },
            other => statement.push(other),
        }
    }
}

/// The literal of a constant of the same file.
fn constant(text: &str, argument: &str) -> Option<String> {
    let name: String =
        argument.chars().take_while(|c| c.is_ascii_uppercase() || *c == '_' || c.is_ascii_digit()).collect();
    let declared = text.split(&format!("const {name}: &str =")).nth(1).filter(|_| !name.is_empty())?;
    literal(declared.trim_start())
}
