//! Plain data: who wants what, what there is, and the units it is counted in.
//!
//! Everything here is a value. Nothing here decides: no ordering of claims, no prices, no placement.

pub mod ask;
pub mod class;
pub mod demand;
pub mod device;
pub mod ids;
pub mod money;
pub mod node;
pub mod request;
pub mod rules;
pub mod snapshot;
pub mod time;

pub use ask::Ask;
pub use class::{ClassId, ClassSupply, DeviceClass};
pub use demand::{Bid, ClassSpeed, ClassTarget, Demand, DemandId, Job, JobFairness, OnDemand, Want};
pub use device::{Device, DeviceState};
pub use ids::*;
pub use money::{Micros, PricePerHour, Residue, charge};
pub use node::{Node, NodeState};
pub use request::GpuRequest;
pub use rules::{Counts, Floors, PriceRule, Rules, SharePolicy, Tilt};
pub use snapshot::{Departed, Holding, Quota, Snapshot};
pub use time::{At, Millis};
