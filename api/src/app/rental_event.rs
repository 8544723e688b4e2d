//! How a rental's change of state is told to its tenant and its provider.

use time::OffsetDateTime;

use crate::entropy::Entropy;
use crate::rental::RentalState;
use crate::store::events::NewEvent;
use crate::store::rentals::Rental;

/// The event that a rental is in this state now.
pub fn rental_event(entropy: &dyn Entropy, rental: &Rental, state: &RentalState, now: OffsetDateTime) -> NewEvent {
    let name = state.name();
    NewEvent {
        id: entropy.id(now),
        organisation: Some(rental.organisation),
        provider: rental.provider,
        pool: None,
        kind: name.event(),
        subject: rental.id.to_string(),
        body: serde_json::json!({
            "state": name.as_str(),
            "billing_class": state.billing_class().as_str(),
            "reason": state.reason().map(|reason| reason.as_str()),
            "node_id": rental.node,
        }),
    }
}
