//! `souk admin`: what the owner of the machine may do that nobody may do over the network.

use std::io::Write as _;

use clap::{Args, Subcommand};

use crate::app::auth::Email;
use crate::app::make_operator::make_operator;
use crate::app::rotate_signing_key::rotate_signing_key;
use crate::clock::{Clock as _, SystemClock};
use crate::entropy::SystemEntropy;
use crate::store::{self, Tx};

/// What only the owner of the machine may do.
#[derive(Debug, Args)]
pub struct Admin {
    /// PostgreSQL of the marketplace
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    database_url: String,
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Make a registered person an operator of the marketplace
    MakeOperator {
        /// The address the person signed up with
        email: String,
    },
    /// Sign access tokens with a new key from now on; those signed by the old one count until they expire
    RotateSigningKey,
}

impl Admin {
    /// Runs the action against the database.
    pub fn run(self) -> anyhow::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(self.act())
    }

    async fn act(self) -> anyhow::Result<()> {
        let db = store::connect(&self.database_url, 1).await?;
        let mut tx = Tx::begin(&db).await?;
        match &self.action {
            Action::MakeOperator { email } => {
                let email = Email::parse(email).ok_or_else(|| anyhow::anyhow!("{email} is not an email address"))?;
                make_operator(&mut tx, &email).await?;
            }
            Action::RotateSigningKey => {
                let kid = rotate_signing_key(&mut tx, &SystemEntropy, SystemClock.now()).await?;
                writeln!(std::io::stdout(), "{kid}")?;
            }
        }
        tx.commit().await?;
        Ok(())
    }
}
