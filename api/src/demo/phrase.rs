//! From device classes to the words a tenant would ask with.

use super::arrival::Arrival;
use super::model::DeviceClass;

/// The largest part of a GPU that a slice with a seventh of an A100 stands for when any model will do: most GPUs of the
/// trace have 16 GB, and the slice has more memory and half-precision throughput than half of one.
const SMALL_SHARE_OF_ANY: u32 = 500;
/// The same when an A100 is named.
const SMALL_SHARE_OF_A100: u32 = 142;
/// The largest part of an A100 for which a slice with three sevenths will do.
const LARGE_SHARE_OF_A100: u32 = 428;

const SMALL_SLICE: &str = "a100-80gb.1g.10gb";
const LARGE_SLICE: &str = "a100-80gb.3g.40gb";
const SLICED: &str = "a100-80gb";

/// The classes that will do, and how to ask for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Keys of device classes that are offered here.
    pub classes: Vec<String>,
    /// The GPU request, with its count.
    pub gpu: String,
}

/// What an arrival asks for, given the classes that are offered. A part of a GPU becomes a slice where the wish allows
/// one and there are any, else a whole GPU.
#[must_use]
pub fn wanted(arrival: &Arrival, offered: &[&DeviceClass]) -> Option<Wanted> {
    let slice = slice_for(arrival).filter(|slice| offered.iter().any(|device| device.class == *slice));
    let fits = |device: &&DeviceClass| match slice {
        Some(slice) => device.class == slice,
        None if arrival.classes.is_empty() => device.mig_profile.is_none(),
        None => arrival.classes.contains(&device.class),
    };
    let chosen: Vec<&DeviceClass> = offered.iter().copied().filter(fits).collect();
    let words = words_for(&chosen, offered)?;
    let classes = chosen.iter().map(|device| device.class.clone()).collect();
    Some(Wanted { classes, gpu: format!("{words}:{}", arrival.gang) })
}

fn slice_for(arrival: &Arrival) -> Option<&'static str> {
    let share = arrival.share_milli;
    if arrival.classes.is_empty() {
        return (share <= SMALL_SHARE_OF_ANY).then_some(SMALL_SLICE);
    }
    let names_it = arrival.classes.iter().any(|class| class == SLICED);
    match share {
        0..=SMALL_SHARE_OF_A100 if names_it => Some(SMALL_SLICE),
        0..=LARGE_SHARE_OF_A100 if names_it => Some(LARGE_SLICE),
        _ => None,
    }
}

/// The shortest request that matches all of `chosen` and nothing else that is offered, without a count; where there is
/// none, one that matches more. `None` only for no class at all.
#[must_use]
pub fn words_for(chosen: &[&DeviceClass], offered: &[&DeviceClass]) -> Option<String> {
    let first = chosen.first()?;
    let low = chosen.iter().map(|device| device.memory_mib).min()?;
    let high = chosen.iter().map(|device| device.memory_mib).max()?;
    let mut models: Vec<&str> = Vec::new();
    for device in chosen {
        if !models.contains(&device.model.as_str()) {
            models.push(&device.model);
        }
    }
    let models = models.join(",");
    if let Some(profile) = &first.mig_profile {
        return Some(format!("{models}:{profile}"));
    }
    let whole: Vec<&&DeviceClass> = offered.iter().filter(|device| device.mig_profile.is_none()).collect();
    if whole.len() == chosen.len() {
        return Some(format!("{}GB..", low / 1024));
    }
    let memory = if low == high { format!("{}GB", low / 1024) } else { format!("{}GB..{}GB", low / 1024, high / 1024) };
    let same_models = whole.iter().filter(|device| models.split(',').any(|model| model == device.model)).count();
    Some(if same_models == chosen.len() { models } else { format!("{models}:{memory}") })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use scheduler::world::GpuRequest;

    use super::*;
    use crate::demo::arrival::{Kind, Work};
    use crate::demo::model::Model;

    fn model() -> Model {
        Model::built_in().expect("the tables are part of the program")
    }

    fn arrival(classes: &[&str], share_milli: u32, gang: u32) -> Arrival {
        let classes = classes.iter().map(|class| (*class).to_owned()).collect();
        Arrival { at_millis: 0, kind: Kind::Bid, gang, share_milli, classes, work: Work::Seconds(1) }
    }

    fn matched(gpu: &str, model: &Model) -> BTreeSet<String> {
        let request: GpuRequest = gpu.parse().unwrap_or_else(|error| panic!("{gpu}: {error}"));
        let does = |device: &&DeviceClass| request.matches(&device.as_class());
        model.devices.iter().filter(does).map(|device| device.class.clone()).collect()
    }

    #[test]
    fn every_set_of_models_in_the_workload_is_asked_for_in_words_that_match_it() {
        let model = model();
        let offered: Vec<&DeviceClass> = model.devices.iter().collect();
        let (mut exact, mut wider) = (0, 0);
        for models in model.mix("models").expect("a mix").values() {
            let classes: Vec<&str> = if models == "any" { Vec::new() } else { models.split('|').collect() };
            let wanted = wanted(&arrival(&classes, 1000, 2), &offered).expect("the model offers all of them");
            let matched = matched(&wanted.gpu, &model);
            let chosen: BTreeSet<String> = wanted.classes.into_iter().collect();
            assert!(matched.is_superset(&chosen), "{} misses some of {chosen:?}", wanted.gpu);
            if matched == chosen { exact += 1 } else { wider += 1 }
        }
        assert!(exact > wider, "{exact} exact, {wider} wider");
    }

    #[test]
    fn a_part_of_a_gpu_is_a_slice_where_the_wish_allows_one_and_else_a_whole_gpu() {
        let model = model();
        let offered: Vec<&DeviceClass> = model.devices.iter().collect();
        let gpu = |classes: &[&str], share| wanted(&arrival(classes, share, 1), &offered).expect("offered").gpu;
        assert_eq!(gpu(&[], 500), "A100:1g.10gb:1");
        assert_eq!(gpu(&[], 700), "16GB..:1");
        assert_eq!(gpu(&["a100-80gb", "h100-80gb"], 100), "A100:1g.10gb:1");
        assert_eq!(gpu(&["a100-80gb", "h100-80gb"], 400), "A100:3g.40gb:1");
        assert_eq!(gpu(&["a100-80gb", "h100-80gb"], 500), "A100,H100:1");
        assert_eq!(gpu(&["t4-16gb"], 100), "T4:1");
    }

    #[test]
    fn what_nobody_offers_is_not_asked_for() {
        let model = model();
        let offered: Vec<&DeviceClass> = model.devices.iter().filter(|device| device.class == "t4-16gb").collect();
        assert_eq!(wanted(&arrival(&["h100-80gb"], 1000, 1), &offered), None);
        assert_eq!(wanted(&arrival(&[], 100, 1), &offered).map(|wanted| wanted.gpu).as_deref(), Some("16GB..:1"));
    }
}
