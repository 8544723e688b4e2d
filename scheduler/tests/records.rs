//! What a replay says of a record whose plan does not come out again.

mod worlds;

use scheduler::world::Rules;
use scheduler::{ReplayError, RoundRecord, canonical, plan, replay};
use worlds::{World, at, bid, rules};

const A100: &str = "a100-80gb";

/// A round of two bids, one of whose explanations was struck out, by a version of the rules.
fn altered(version: u32) -> ReplayError {
    let world = World::new().node(1, A100, 1, 90).bid(1, &[A100], 1, 400).bid(2, &[A100], 1, 300);
    let rules = Rules { version, ..rules() };
    let planned = plan(&world.snapshot, &rules, at(0), 0);
    let mut record = RoundRecord::new(&world.snapshot, &rules, at(0), 0, planned);
    assert!(replay(&canonical(&record).expect("canonical")).is_ok(), "the same plan is the same under any version");
    record.plan.explanations.retain(|told| told.demand != bid(2));
    replay(&canonical(&record).expect("canonical")).expect_err("another plan")
}

#[test]
fn an_altered_record_of_this_version_is_said_to_differ() {
    let error = altered(Rules::VERSION);
    assert!(matches!(error, ReplayError::Differs { number: 1, .. }), "{error}");
}

#[test]
fn one_of_another_version_is_said_to_be_of_that_version() {
    let older = Rules::VERSION - 1;
    let said = altered(older).to_string();
    let start = format!("round 1 was made by rules version {older} and this build has version {}", Rules::VERSION);
    assert!(said.starts_with(&start), "{said}");
    assert!(said.ends_with(&format!("a build with rules version {older} can tell")), "{said}");
}
