//! The table and the description name the same routes, and agree on which of them are public.

use std::collections::BTreeSet;

use souk::http::openapi;

use super::table::{Needs, table};

#[test]
fn every_route_has_a_case_and_every_case_a_route() {
    let described: BTreeSet<(String, String)> = openapi::description()
        .paths
        .paths
        .iter()
        .flat_map(|(path, item)| openapi::operations(item).map(|(method, _)| (method.to_owned(), path.clone())))
        .collect();
    let cases: Vec<(String, String)> =
        table().iter().map(|case| (case.method.to_string(), case.path.to_owned())).collect();
    let covered: BTreeSet<(String, String)> = cases.iter().cloned().collect();
    let without_case: Vec<_> = described.difference(&covered).collect();
    assert!(
        without_case.is_empty(),
        "routes without a case in tests/contract/authorisation/table.rs: {without_case:?}"
    );
    let without_route: Vec<_> = covered.difference(&described).collect();
    assert!(without_route.is_empty(), "cases without a route: {without_route:?}");
    assert_eq!(cases.len(), covered.len(), "a route has two cases");
}

#[test]
fn the_description_says_which_routes_are_public() {
    for case in table() {
        let item = &openapi::description().paths.paths[case.path];
        let (_, operation) = openapi::operations(item)
            .find(|(method, _)| *method == case.method.as_str())
            .expect("the route is described");
        let openapi::Access { open, by_caller, by_node } = openapi::Access::of(operation);
        let agrees = match case.needs {
            Needs::Nobody => open,
            Needs::Caller(_) => by_caller && !open && !by_node,
            Needs::Node => by_node && !open && !by_caller,
        };
        assert!(agrees, "{case}: `security` in its description and the table disagree");
    }
}
