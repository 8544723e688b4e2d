//! What happens at once, twice, half or in the wrong order. One module per area.

mod rounds;
