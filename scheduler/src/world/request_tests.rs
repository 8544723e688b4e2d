use super::*;
use proptest::prelude::*;

fn parsed(text: &str) -> GpuRequest {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn class(model: &str, gib: i64, mig_profile: Option<&str>) -> DeviceClass {
    DeviceClass {
        id: "some-class".parse().expect("a class"),
        vendor: "nvidia".into(),
        model: model.into(),
        memory_mib: gib * 1024,
        mig_profile: mig_profile.map(str::to_owned),
    }
}

#[test]
fn the_examples_of_the_manual_are_read() {
    let request = parsed("H100,A100:80GB:1..8");
    assert_eq!(request.models, ["H100", "A100"]);
    assert_eq!(request.memory_mib, Some(Range { min: Some(81_920), max: Some(81_920) }));
    assert_eq!(request.counts(), (1, 8));

    let request = parsed("nvidia:A10G:2");
    assert_eq!((request.vendor.as_deref(), request.counts()), (Some("nvidia"), (2, 2)));

    let request = parsed("A100:1g.10gb:2");
    assert_eq!((request.mig_profile.as_deref(), request.counts()), (Some("1g.10gb"), (2, 2)));
}

#[test]
fn tokens_come_in_any_order_and_memory_ranges_may_be_open() {
    assert_eq!(parsed("1..8:80GB:A100,H100:nvidia"), parsed("nvidia:A100,H100:1..8:80GB"));
    assert_eq!(parsed("40GB..").memory_mib, Some(Range { min: Some(40_960), max: None }));
    assert_eq!(parsed("..24gb").memory_mib, Some(Range { min: None, max: Some(24_576) }));
    assert_eq!(parsed("24GB..80GB").to_string(), "24GB..80GB");
    assert_eq!(parsed("H100").counts(), (1, 1));
}

#[test]
fn every_mistake_is_named() {
    let text = |token: &str| token.to_owned();
    for (request, error) in [
        ("", RequestError::Empty),
        ("H100::2", RequestError::EmptyToken { position: 2 }),
        ("H100:A100", RequestError::Repeated { token: text("A100"), kind: TokenKind::Models }),
        ("nvidia:amd", RequestError::Repeated { token: text("amd"), kind: TokenKind::Vendor }),
        ("2:4", RequestError::Repeated { token: text("4"), kind: TokenKind::Count }),
        ("8..1", RequestError::EmptyRange { token: text("8..1"), kind: TokenKind::Count }),
        ("0", RequestError::OutOfRange { token: text("0"), kind: TokenKind::Count }),
        ("4090", RequestError::OutOfRange { token: text("4090"), kind: TokenKind::Count }),
        ("24GB..80", RequestError::MixedRange { token: text("24GB..80") }),
        ("24XB", RequestError::Unknown { token: text("24XB") }),
        ("..", RequestError::Unknown { token: text("..") }),
        ("H100,,A100", RequestError::Unknown { token: text("H100,,A100") }),
        ("-1", RequestError::Unknown { token: text("-1") }),
        ("99999999999999999999GB", RequestError::Unknown { token: text("99999999999999999999GB") }),
    ] {
        assert_eq!(request.parse::<GpuRequest>(), Err(error), "{request}");
    }
    assert_eq!("x".repeat(257).parse::<GpuRequest>(), Err(RequestError::TooLong));
}

#[test]
fn a_request_matches_by_model_memory_and_profile() {
    assert!(parsed("rtx4090").matches(&class("RTX 4090", 24, None)));
    assert!(parsed("nvidia:40GB..").matches(&class("A100", 80, None)));
    assert!(!parsed("amd").matches(&class("A100", 80, None)));
    assert!(!parsed("A100:40GB").matches(&class("A100", 80, None)));
    assert!(!parsed("A100").matches(&class("A100", 10, Some("1g.10gb"))), "whole GPUs are meant");
    assert!(parsed("A100:1g.10GB").matches(&class("A100", 10, Some("1g.10gb"))));
}

proptest! {
    #[test]
    fn what_is_shown_is_read_back(text in "(nvidia:|amd:)?[A-Z][0-9]{2,3}(,[A-Z]{1,3}[0-9]{2,4})?(:[1-9][0-9]?(GB|MB)(\\.\\.[1-9][0-9]{3}TB)?)?(:1g\\.10gb)?(:[1-9](\\.\\.[1-9][0-9])?)?") {
        let request = parsed(&text);
        prop_assert_eq!(parsed(&request.to_string()), request);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in ".{0,40}") {
        let _ = text.parse::<GpuRequest>();
    }
}
