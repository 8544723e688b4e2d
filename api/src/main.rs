//! The one binary.

use std::process::ExitCode;

/// Hashing a password takes 19 MiB for a moment, on whichever thread is free: the system's allocator would keep that much
/// and more for each thread that ever did it, and the server would hold ten times what it uses.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    souk::cli::run()
}
