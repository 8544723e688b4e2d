//! A GPU request as filters, so that the reply can show what it did.

use scheduler::world::request::GpuRequest;

use super::filter::{Field, Filter, FilterError, Op, Source, Value};

/// The vendor of classes that are no GPU.
const NO_GPU: &str = "cpu";

/// The filters that a request stands for. A count asks for offers that have so many devices, free or not, and that let
/// a gang of that size in.
pub fn filters_of(request: &GpuRequest) -> Result<Vec<Filter>, FilterError> {
    let gpu = |field, op, value: &str| Filter::new(field, op, value, Source::Gpu);
    let number = |field, op, value: i64| Filter { field, op, values: vec![Value::Count(value)], source: Source::Gpu };
    let mut filters = Vec::new();
    if let Some(vendor) = &request.vendor {
        filters.push(gpu(Field::Vendor, Op::Eq, vendor)?);
    }
    if request.models.is_empty() {
        filters.push(gpu(Field::Vendor, Op::Neq, NO_GPU)?);
    } else {
        filters.push(gpu(Field::Model, Op::In, &request.models.join(","))?);
    }
    if let Some(memory) = request.memory_mib {
        filters.extend(memory.min.map(|min| number(Field::VramMib, Op::Gte, min)));
        filters.extend(memory.max.map(|max| number(Field::VramMib, Op::Lte, max)));
    }
    let profile = request.mig_profile.as_deref().unwrap_or(super::filter::NO_PROFILE);
    filters.push(gpu(Field::MigProfile, Op::Eq, profile)?);
    if let Some(count) = request.count {
        filters.extend(count.min.map(|min| number(Field::DevicesTotal, Op::Gte, min)));
        filters.extend(count.max.map(|max| number(Field::MinChunk, Op::Lte, max)));
    }
    Ok(filters)
}
