//! A tenant asks for a shell in a rental and gets a ticket for it.

use scheduler::world::ids::RentalId;
use time::OffsetDateTime;

use super::Ctx;
use crate::config::limits;
use crate::entropy::Secret;
use crate::node::Adapter;
use crate::rental::{Action, Refused, StateName};
use crate::store::shell_tickets::{self, NewTicket};
use crate::store::{StoreError, rentals};

/// A ticket, in clear for the one time that it is shown.
#[derive(Debug)]
pub struct Ticket {
    /// The secret.
    pub secret: Secret,
    /// Until when it can be used.
    pub expires_at: OffsetDateTime,
}

/// Why there is no shell.
#[derive(Debug, thiserror::Error)]
pub enum OpenShellError {
    /// The organisation has no such rental.
    #[error("there is no such rental")]
    NotFound,
    /// It cannot be used now.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// Nothing runs there.
    #[error("this rental is on a simulated node: there is nothing to open a shell in")]
    Simulated,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes a ticket that opens one shell, once, within half a minute.
pub async fn open_shell(ctx: &mut Ctx<'_>, id: RentalId) -> Result<Ticket, OpenShellError> {
    let rental = rentals::get(&mut ctx.tx, ctx.caller.organisation, id).await?.ok_or(OpenShellError::NotFound)?;
    let from: StateName = rental.state.name();
    if !rental.state.actions(rental.origin.kind()).contains(&Action::OpenShell) {
        return Err(Refused { from, wanted: "be used" }.into());
    }
    let details = rentals::details(&mut ctx.tx, &[id]).await?.remove(&id);
    if details.is_none_or(|details| details.adapter != Some(Adapter::Agent)) {
        return Err(OpenShellError::Simulated);
    }
    let secret = ctx.entropy.secret("");
    let expires_at = ctx.now + limits::SHELL_TICKET;
    let ticket = NewTicket { id: ctx.id(), rental: id, hash: secret.hash(), expires_at };
    shell_tickets::insert(&mut ctx.tx, &ticket, ctx.now).await?;
    Ok(Ticket { secret, expires_at })
}
