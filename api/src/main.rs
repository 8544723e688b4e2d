//! souk
fn main() {}
