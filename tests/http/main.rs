//! Every route does what its description says, for good and for bad input. One module per area.

mod identity;
mod wallet;
