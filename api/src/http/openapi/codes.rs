//! Which codes an operation answers with beside those that follow from what it takes. The suites' client holds every answer
//! that it sees against this table.

use crate::http::error::Code;

/// The operation's own codes.
pub fn own(operation_id: &str) -> &'static [Code] {
    OWN.iter().find(|(id, _)| *id == operation_id).map_or(&[], |(_, codes)| codes)
}

/// Operations by their ids, in the order of the route table.
pub const OWN: &[(&str, &[Code])] = &[
    // Identity
    ("register", &[Code::EmailTaken]),
    ("login", &[Code::CredentialsInvalid]),
    ("refresh_session", &[Code::RefreshTokenInvalid, Code::RefreshTokenReused, Code::RefreshRaced, Code::NotFound]),
    ("create_organisation", &[Code::LimitReached]),
    ("add_member", &[Code::AlreadyMember, Code::LimitReached]),
    ("change_member_role", &[Code::LastOwner]),
    ("remove_member", &[Code::LastOwner]),
    ("create_api_key", &[Code::LimitReached]),
    ("add_ssh_key", &[Code::SshKeyInvalid, Code::SshKeyExists, Code::LimitReached]),
    // Demand
    (
        "place_bid",
        &[
            Code::GpuRequestInvalid,
            Code::NoSuchClass,
            Code::BidLimitAboveCap,
            Code::BidLimitBelowFloor,
            Code::InsufficientFunds,
            Code::OtherCurrency,
        ],
    ),
    (
        "dry_run_bid",
        &[
            Code::GpuRequestInvalid,
            Code::NoSuchClass,
            Code::BidLimitAboveCap,
            Code::BidLimitBelowFloor,
            Code::OtherCurrency,
        ],
    ),
    ("cancel_bid", &[Code::WrongState]),
    (
        "submit_job",
        &[
            Code::GpuRequestInvalid,
            Code::NoSuchClass,
            Code::PoolFull,
            Code::WouldBreakPromises,
            Code::InsufficientFunds,
            Code::OtherCurrency,
            Code::NotFound,
        ],
    ),
    ("dry_run_job", &[Code::GpuRequestInvalid, Code::NoSuchClass]),
    ("cancel_job", &[Code::WrongState]),
    ("create_quote", &[Code::NoSuchOffer]),
    (
        "create_rental",
        &[
            Code::NoSuchOffer,
            Code::OfferOver,
            Code::QuoteExpired,
            Code::NoCapacity,
            Code::ReservedForFairShare,
            Code::InsufficientFunds,
            Code::OtherCurrency,
        ],
    ),
    ("stop_rental", &[Code::WrongState]),
    (
        "start_rental",
        &[Code::WrongState, Code::OfferOver, Code::NoCapacity, Code::ReservedForFairShare, Code::InsufficientFunds],
    ),
    ("end_rental", &[Code::WrongState]),
    ("open_shell", &[Code::WrongState, Code::NoShell]),
    ("connect_shell", &[Code::WebSocketExpected]),
    // Money
    ("give_credit", &[Code::NotFound]),
    // Market data
    ("follow_events", &[Code::InvalidValue]),
    ("follow_pool_events", &[Code::InvalidValue]),
    ("search_offers", &[Code::GpuRequestInvalid, Code::FilterInvalid]),
    // Events
    ("follow_events", &[Code::InvalidValue]),
    ("follow_pool_events", &[Code::InvalidValue]),
    // Supply
    ("place_ask", &[Code::WrongState, Code::NotFound]),
    ("add_node", &[Code::SimulatedNotAllowed, Code::NameTaken, Code::OtherCurrency, Code::NoSuchClass]),
    ("create_enrolment_token", &[Code::OtherCurrency]),
    ("drain_node", &[Code::WrongState]),
    ("resume_node", &[Code::WrongState]),
    // Agents
    ("enrol_node", &[Code::EnrolmentTokenInvalid, Code::NameTaken, Code::NodeKeyTaken]),
    ("issue_node_token", &[Code::Unauthenticated]),
    ("dial_shell", &[Code::WebSocketExpected]),
    // Operators
    ("create_pool", &[Code::NameTaken]),
    ("update_pool", &[Code::NoSuchClass]),
    ("create_device_class", &[Code::NameTaken]),
    ("create_profile", &[Code::NameTaken, Code::NoSuchClass]),
];
