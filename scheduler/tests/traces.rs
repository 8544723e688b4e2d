//! Traces drawn by Gavel's recipes: with the seeds of the published ones they are those, byte by byte. Needs the public data.

mod public;

use public::data;
use scheduler::simulation::gavel::throughputs;
use scheduler::simulation::gavel_recipe::{Recipe, draw};

#[test]
fn the_published_traces_come_out_again() {
    let Some(table) = data("gavel/throughputs_isolated.csv") else { return };
    let speeds = throughputs(&table).expect("throughputs");
    let arrivals = |gap_s| Recipe::Arrivals { gap_s };
    for (family, recipe, jobs) in [
        ("static120", Recipe::Static, 120),
        ("cont150_l3600", arrivals(3600.0), 150),
        ("cont150_l7200", arrivals(7200.0), 150),
    ] {
        for seed in 0..3 {
            let Some(published) = data(&format!("gavel/traces/{family}_s{seed}.trace")) else { return };
            let drawn = draw(recipe, jobs, seed, &speeds).expect("a trace");
            assert_eq!(drawn, published, "{family}, seed {seed}");
        }
    }
}
