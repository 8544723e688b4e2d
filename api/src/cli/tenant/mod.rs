//! The tenant's commands: what a person with an account does from a terminal. Each is a client of the public API.

mod bid;
mod bids;
mod confirm;
mod connection;
mod key;
mod login;
mod logs;
mod query;
mod rent;
mod rentals;
mod search;
mod session;
mod shell;
mod stop;
mod table;
mod terminal;
mod wallet;

use clap::Subcommand;

/// What a tenant can do.
#[derive(Debug, Subcommand)]
pub enum Tenant {
    /// Log in, and stay logged in on this machine
    Login(login::Login),
    /// Find devices to rent
    Search(search::Search),
    /// Rent devices at their posted price
    Rent(rent::Rent),
    /// Bid for devices with a limit of your own
    Bid(bid::Bid),
    /// List your bids, and why they won or lost
    Bids(bids::Bids),
    /// List your rentals, and what they cost
    Rentals(rentals::Rentals),
    /// End a rental, or take back a bid or a job
    Stop(stop::Stop),
    /// Show what a rental's workload printed
    Logs(logs::Logs),
    /// Open a terminal in a rental
    #[command(alias = "ssh")]
    Shell(shell::Shell),
    /// Show your money
    Wallet(wallet::Wallet),
}

impl Tenant {
    /// Runs the command.
    pub fn run(self) -> anyhow::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            match self {
                Self::Login(login) => login.run().await,
                Self::Search(search) => search.run().await,
                Self::Rent(rent) => rent.run().await,
                Self::Bid(bid) => bid.run().await,
                Self::Bids(bids) => bids.run().await,
                Self::Rentals(rentals) => rentals.run().await,
                Self::Stop(stop) => stop.run().await,
                Self::Logs(logs) => logs.run().await,
                Self::Shell(shell) => shell.run().await,
                Self::Wallet(wallet) => wallet.run().await,
            }
        })
    }
}
