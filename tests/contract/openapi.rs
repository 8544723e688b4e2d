//! The API's description is current, complete and clean.

use std::collections::{BTreeMap, BTreeSet};

use souk::http::error::Code;
use souk::http::openapi;
use souk_tests::TestMarket;
use utoipa::openapi::RefOr;
use utoipa::openapi::path::{Operation, ParameterIn};
use utoipa::openapi::schema::Schema;

use crate::root;

#[test]
fn the_committed_description_is_the_servers() {
    let committed = std::fs::read_to_string(root().join("openapi/openapi.json")).unwrap_or_default();
    assert!(committed == openapi::text(), "openapi/openapi.json is not current: run `make openapi` and commit it");
}

#[test]
fn every_operation_says_what_it_is() {
    let tags: BTreeSet<&str> = openapi::description().tags.iter().flatten().map(|tag| tag.name.as_str()).collect();
    let (mut ids, mut wrong) = (BTreeMap::new(), Vec::new());
    for (name, operation) in operations() {
        let mut hold = |fine: bool, rule: &str| {
            if !fine {
                wrong.push(format!("{name}: {rule}"));
            }
        };
        let id = operation.operation_id.as_deref().unwrap_or_default();
        let snake = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        let worded = id.contains('_') || ["login", "logout", "register"].contains(&id);
        hold(snake && worded, &format!("the operation id `{id}` should read like `place_bid`"));
        hold(ids.insert(id, name.clone()).is_none(), &format!("the operation id `{id}` is taken"));
        let own = operation.tags.as_deref().unwrap_or_default();
        hold(own.len() == 1 && tags.contains(own[0].as_str()), "it has one of the tags of the description");
        let summary = operation.summary.as_deref().unwrap_or_default();
        let short = (1..=60).contains(&summary.len()) && !summary.ends_with('.');
        hold(short, &format!("a summary is a short line without a full stop, not `{summary}`"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_operation_says_what_it_takes_and_answers() {
    let mut wrong = Vec::new();
    for (name, operation) in operations() {
        let mut hold = |fine: bool, rule: &str| {
            if !fine {
                wrong.push(format!("{name}: {rule}"));
            }
        };
        let mut segments = 0;
        for parameter in operation.parameters.iter().flatten() {
            segments += usize::from(matches!(parameter.parameter_in, ParameterIn::Path));
            let described = parameter.description.as_ref().is_some_and(|words| !words.is_empty());
            hold(described, &format!("the parameter {} has no description", parameter.name));
        }
        hold(segments == name.matches('{').count(), "each variable segment of the path is a parameter");
        let mut succeeds = false;
        for (status, response) in &operation.responses.responses {
            let RefOr::T(response) = response else { panic!("{name}: {status} is a reference") };
            hold(!response.description.is_empty(), &format!("{status} has no description"));
            hold(!status.contains('X'), &format!("{status} is not spelled out"));
            let refused = status.starts_with(['4', '5']);
            succeeds |= !refused;
            let problem = response.content.contains_key("application/problem+json");
            hold(problem == refused, &format!("{status} is a problem if and only if it is a refusal"));
        }
        hold(succeeds, "it never succeeds");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_schema_and_field_is_described() {
    let components = openapi::description().components.as_ref().expect("there are schemas");
    let mut silent = Vec::new();
    for (name, schema) in &components.schemas {
        assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric()), "the schema {name} has an odd name");
        assert!(!name.ends_with("View"), "the schema {name} is named after a type of the server");
        if let RefOr::T(Schema::Object(object)) = schema {
            if object.description.is_none() {
                silent.push(name.clone());
            }
            for (field, schema) in &object.properties {
                let described = match schema {
                    RefOr::Ref(reference) => !reference.description.is_empty(),
                    RefOr::T(schema) => serde_json::to_value(schema).unwrap().get("description").is_some(),
                };
                if !described {
                    silent.push(format!("{name}.{field}"));
                }
            }
        }
    }
    assert!(silent.is_empty(), "without a description: {silent:?}");
}

#[test]
fn every_code_is_answered_by_an_operation_and_used_by_the_server() {
    let described: String = operations().map(|(_, operation)| serde_json::to_string(operation).unwrap()).collect();
    let sources: String = crate::shape::sources(&root().join("api/src"))
        .into_iter()
        .filter(|path| !path.ends_with("http/openapi/codes.rs"))
        .map(|path| std::fs::read_to_string(path).expect("sources are UTF-8"))
        .collect();
    let mut wrong = Vec::new();
    for code in Code::ALL {
        let name = format!("`{}`", code.as_str());
        // A wrong method has no operation.
        if *code != Code::MethodNotAllowed && !described.contains(&name) {
            wrong.push(format!("no operation answers {name}: add it to api/src/http/openapi/codes.rs"));
        }
        if !sources.contains(&format!("Code::{code:?}")) {
            wrong.push(format!("nothing answers {name}: remove it from the table"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_table_of_codes_names_operations_that_exist() {
    let ids: BTreeSet<&str> = operations().filter_map(|(_, operation)| operation.operation_id.as_deref()).collect();
    for (id, codes) in openapi::OWN_CODES {
        assert!(ids.contains(id), "api/src/http/openapi/codes.rs names the operation `{id}`, which does not exist");
        assert!(!codes.is_empty(), "`{id}` has a line in the table and no code on it");
    }
}

#[tokio::test]
async fn the_reference_is_served_whole_and_needs_nothing_from_elsewhere() {
    let market = TestMarket::start().await;
    let served = market.anyone.get("/openapi.json").await.expect(200);
    assert_eq!(served.body, serde_json::from_str::<serde_json::Value>(openapi::text()).unwrap());
    let page = market.anyone.get("/docs").await.expect(200);
    let html = page.body.as_str().expect("a page").to_owned();
    for (name, operation) in operations() {
        let anchor = format!("<section id=\"{}\">", operation.operation_id.as_deref().unwrap());
        assert!(html.contains(&anchor), "{name} is not on the page");
    }
    let errors = market.anyone.get("/docs/errors").await.expect(200);
    let errors = errors.body.as_str().expect("a page");
    for code in Code::ALL {
        assert!(errors.contains(&format!("<section id=\"{}\">", code.as_str())), "{code:?} is not on the page");
    }
    for text in [&html, errors] {
        assert!(!text.contains("<script") && !text.contains("http://") && !text.contains("https://"), "self-contained");
        for link in text.split("href=\"#").skip(1) {
            let anchor = link.split('"').next().unwrap();
            assert!(text.contains(&format!("id=\"{anchor}\"")), "a link leads to #{anchor}, which is not there");
        }
    }
}

fn operations() -> impl Iterator<Item = (String, &'static Operation)> {
    openapi::description().paths.paths.iter().flat_map(|(path, item)| {
        openapi::operations(item).map(move |(method, operation)| (format!("{method} {path}"), operation))
    })
}
