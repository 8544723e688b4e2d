//! Properties of searching, over random offers.

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use scheduler::world::class::DeviceClass;
use scheduler::world::request::GpuRequest;
use uuid::Uuid;

use super::*;

const CLASSES: [(&str, &str, &str, i64, Option<&str>); 6] = [
    ("h100-80gb", "nvidia", "H100", 81920, None),
    ("a100-80gb", "nvidia", "A100", 81920, None),
    ("a100-80gb.1g.10gb", "nvidia", "A100", 9728, Some("1g.10gb")),
    ("rtx4090-24gb", "nvidia", "RTX4090", 24576, None),
    ("mi300x-192gb", "amd", "MI300X", 196_608, None),
    ("cpu-node", "cpu", "CPU", 1, None),
];

fn class(index: usize) -> DeviceClass {
    let (id, vendor, model, memory_mib, profile) = CLASSES[index];
    DeviceClass {
        id: id.parse().unwrap(),
        vendor: vendor.to_owned(),
        model: model.to_owned(),
        memory_mib,
        mig_profile: profile.map(str::to_owned),
    }
}

prop_compose! {
    fn an_offer()(
        node in any::<u128>(), kind in 0..CLASSES.len(), price in 1_i64..5_000_000, floor in 1_i64..5_000_000,
        market in proptest::option::of(1_i64..5_000_000), min_chunk in 1..4, total in 1..9, reliability_ppm in 0..=1_000_000,
        verified in any::<bool>(), driver in proptest::option::of((400_u32..600, 0_u32..200)), inet in 0..20_000,
    ) -> Offer {
        Offer {
            ask: Uuid::from_u128(node).into(),
            pool: Uuid::nil().into(),
            node: Uuid::from_u128(node).into(),
            provider: Uuid::from_u128(node % 3).into(),
            provider_name: format!("provider {}", node % 3),
            class: class(kind),
            region: if node % 2 == 0 { "eu-west" } else { "us-east" }.to_owned(),
            currency: "USD".to_owned(),
            price: scheduler::world::money::PricePerHour::from_micros(price).unwrap(),
            floor: scheduler::world::money::PricePerHour::from_micros(floor.min(price)).unwrap(),
            market_price: market.map(|micros| scheduler::world::money::PricePerHour::from_micros(micros).unwrap()),
            min_chunk,
            devices_total: total,
            devices_free: total / 2,
            devices_preemptible: 0,
            reliability_ppm,
            verified,
            nvlink: !verified,
            inet_down_mbps: inet,
            driver: driver.map(|(major, minor)| format!("{major}.{minor}").parse().unwrap()),
            cuda_max: None,
            ends_at: None,
        }
    }
}

fn matching(filter: &str, offers: &[Offer]) -> Vec<OfferKey> {
    let filter = Filter::parse(filter).expect(filter);
    offers.iter().filter(|offer| filter.matches(offer)).map(key).collect()
}

type OfferKey = scheduler::world::ids::OfferId;

fn key(offer: &Offer) -> OfferKey {
    offer.id()
}

const VALUES: [(&str, &str); 8] = [
    ("price_per_gpu_hour", "2.50"),
    ("market_price_per_gpu_hour", "2.50"),
    ("reliability", "0.5"),
    ("vram_mib", "24576"),
    ("devices_free", "2"),
    ("driver", "535.54"),
    ("inet_down_mbps", "10000"),
    ("min_chunk", "2"),
];

proptest! {
    #[test]
    fn opposite_comparisons_part_what_is_stated(offers in prop::collection::vec(an_offer(), 0..30)) {
        for (field, value) in VALUES {
            let with = |op: &str| matching(&format!("{field} {op} {value}"), &offers);
            let stated = with("eq").len() + with("neq").len();
            for (one, other) in [("gt", "lte"), ("gte", "lt"), ("eq", "neq"), ("in", "notin")] {
                let (one, other) = (with(one), with(other));
                prop_assert!(one.iter().all(|id| !other.contains(id)));
                prop_assert_eq!(one.len() + other.len(), stated, "{}", field);
            }
        }
    }

    #[test]
    fn a_driver_is_compared_as_numbers(offer in an_offer(), major in 400_u32..600, minor in 0_u32..200) {
        let filter = Filter::parse(&format!("driver gte {major}.{minor}")).unwrap();
        let expected = offer.driver.as_ref().is_some_and(|driver| {
            let parts: Vec<u32> = driver.as_str().split('.').map(|part| part.parse().unwrap()).collect();
            (parts[0], parts[1]) >= (major, minor)
        });
        prop_assert_eq!(filter.matches(&offer), expected);
    }

    #[test]
    fn the_filters_of_a_request_mean_the_same_as_the_request(offer in an_offer(), request in prop::sample::select(vec![
        "H100", "h100,a100", "A100:80GB", "A100:1g.10gb", "RTX 4090", "24GB..", "..24GB", "40GB..100GB", "nvidia", "amd:MI300X",
        "CPU", "1g.10gb", "nvidia:24GB..80GB",
    ])) {
        let request: GpuRequest = request.parse().unwrap();
        let filters = filters_of(&request).unwrap();
        prop_assert!(filters.iter().all(|filter| filter.source == Source::Gpu));
        prop_assert_eq!(filters.iter().all(|filter| filter.matches(&offer)), request.matches(&offer.class));
    }

    #[test]
    fn pages_put_together_are_the_whole_list_in_order(
        offers in prop::collection::vec(an_offer(), 0..40), limit in 1_usize..7,
        order in prop::sample::select(vec!["price_per_gpu_hour", "-price_per_gpu_hour", "market_price_per_gpu_hour",
            "-market_price_per_gpu_hour", "-reliability", "devices_free"]),
    ) {
        let order: Order = order.parse().unwrap();
        let (whole, none) = page(offers.clone(), order, None, usize::MAX);
        prop_assert!(none.is_none());
        let ranks: Vec<_> = whole.iter().map(|offer| order.rank(offer)).collect();
        prop_assert!(ranks.windows(2).all(|pair| pair[0] <= pair[1]));
        let (mut pages, mut position) = (Vec::new(), None);
        loop {
            let (items, next) = page(offers.clone(), order, position, limit);
            prop_assert!(items.len() <= limit);
            pages.extend(items);
            let Some(next) = next else { break };
            position = Some(Position::read(order, &next.write(order)).expect("a cursor reads back"));
        }
        prop_assert_eq!(pages, whole);
    }

    #[test]
    fn a_page_is_not_moved_by_an_offer_that_comes_or_goes_elsewhere(
        offers in prop::collection::vec(an_offer(), 2..20), gone in any::<prop::sample::Index>(),
    ) {
        let order = Order::default();
        let (first, next) = page(offers.clone(), order, None, offers.len() / 2);
        prop_assume!(next.is_some());
        let leaving = gone.get(&first).id();
        let after: Vec<_> = offers.iter().filter(|offer| offer.id() != leaving).cloned().collect();
        prop_assert_eq!(page(after, order, next, 100).0, page(offers, order, next, 100).0);
    }

    #[test]
    fn no_text_makes_the_parsers_panic(text in ".{0,80}") {
        drop(Filter::parse(&text));
        drop(text.parse::<Order>());
        prop_assert!(Position::read(Order::default(), &text).is_none());
    }
}

#[test]
fn a_refusal_names_the_token_and_what_would_do() {
    for (text, part) in [
        ("", "`` is not `field op value`"),
        ("reliability", "`reliability` is not `field op value`"),
        ("reliability gte", "is not `field op value`"),
        ("colour eq red", "`colour` is no field"),
        ("Reliability gte 0.9", "`Reliability` is no field"),
        ("reliability >= 0.9", "`>=` is no operator"),
        ("region gt eu", "`region` cannot be compared by `gt`; use `eq`, `neq`, `in`, `notin`"),
        ("verified in true,false", "`verified` cannot be compared by `in`"),
        ("price_per_gpu_hour lte 1e3", "`1e3` is no price_per_gpu_hour"),
        ("price_per_gpu_hour lte -0", "`-0` is no price_per_gpu_hour"),
        ("price_per_gpu_hour lte NaN", "`NaN` is no price_per_gpu_hour"),
        ("price_per_gpu_hour in 1,,2", "`` is no price_per_gpu_hour"),
        ("vram_mib gte 24GB", "`24GB` is no vram_mib: expected a whole number"),
        ("vram_mib gte 99999999999999999999", "expected a smaller whole number"),
        ("vram_mib gte -1", "expected a whole number"),
        ("reliability gte 1.1", "expected a decimal from 0 to 1"),
        ("driver gte v535", "expected a version"),
        ("verified eq yes", "expected true or false"),
        ("model eq ---", "expected the name of a model"),
    ] {
        let refused = Filter::parse(text).unwrap_err().to_string();
        assert!(refused.contains(part), "{text}: {refused}");
    }
}

#[test]
fn an_identity_follows_from_node_and_class_alone() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut offer = || an_offer().new_tree(&mut runner).unwrap().current();
    let (first, second) = (offer(), offer());
    let renewed = Offer { node: first.node, class: first.class.clone(), ..second.clone() };
    assert_eq!(renewed.id(), first.id());
    let other = if first.class.id.as_str() == "cpu-node" { class(0) } else { class(5) };
    assert_ne!(Offer { class: other, ..first.clone() }.id(), first.id());
}
