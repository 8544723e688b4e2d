//! `souk admin`: what the owner of the machine may do that nobody may do over the network.

use std::io::Write as _;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use time::OffsetDateTime;

use super::database::Database;
use crate::app::auth::Email;
use crate::app::invariants::check;
use crate::app::make_operator::make_operator;
use crate::app::rotate_signing_key::rotate_signing_key;
use crate::clock::{Clock as _, SystemClock};
use crate::entropy::SystemEntropy;
use crate::store::{self, Tx};

/// What only the owner of the machine may do.
#[derive(Debug, Args)]
pub struct Admin {
    /// PostgreSQL of the marketplace; without it the embedded one of the data directory
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    database_url: Option<String>,

    /// Where the embedded database keeps its files
    #[arg(long, env = "SOUK_DATA_DIR", default_value = ".souk")]
    data_dir: PathBuf,

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
    /// Hold every entry, hold and interval against what must always be true of the money; fails if anything is not
    CheckLedger,
    /// Sign access tokens with a new key from now on; those signed by the old one count until they expire
    RotateSigningKey,
}

impl Admin {
    /// Runs the action against the database.
    pub fn run(self) -> anyhow::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let database = Database::open(self.database_url.as_deref(), &self.data_dir)?;
        let acted = runtime.block_on(self.act(&database.url));
        drop(runtime);
        database.close()?;
        acted
    }

    async fn act(&self, url: &str) -> anyhow::Result<()> {
        let db = store::connect(url, 1).await?;
        let mut tx = Tx::begin(&db).await?;
        match &self.action {
            Action::MakeOperator { email } => {
                let email = Email::parse(email).ok_or_else(|| anyhow::anyhow!("{email} is not an email address"))?;
                make_operator(&mut tx, &email).await?;
            }
            Action::CheckLedger => return check_ledger(&mut tx).await,
            Action::RotateSigningKey => {
                let kid = rotate_signing_key(&mut tx, &SystemEntropy, SystemClock.now()).await?;
                writeln!(std::io::stdout(), "{kid}")?;
            }
        }
        tx.commit().await?;
        Ok(())
    }
}

async fn check_ledger(tx: &mut Tx) -> anyhow::Result<()> {
    let findings = check(tx, OffsetDateTime::UNIX_EPOCH).await?;
    let mut out = std::io::stdout().lock();
    for finding in &findings {
        let verdict = if finding.holds() { "holds " } else { "BROKEN" };
        writeln!(out, "{verdict}  {:28}  {}", finding.name, finding.detail())?;
    }
    let broken = findings.iter().filter(|finding| !finding.holds()).count();
    anyhow::ensure!(broken == 0, "{broken} of {} invariants are broken", findings.len());
    Ok(())
}
