//! `souk serve --demo`: a server that plays its own demo, as a client of itself, and welcomes whoever started it.

use std::io::Write as _;
use std::sync::Arc;

use scheduler::world::Micros;
use tokio_util::sync::CancellationToken;

use super::{demo::NODES, operator, this_machine};
use crate::client::Client;
use crate::clock::SystemClock;
use crate::config::Config;
use crate::demo::notebook::Notebook;
use crate::demo::person::{Account, Person};
use crate::demo::{self, Programme};
use crate::entropy::SystemEntropy;

/// What a visitor's wallet begins with, unless the configuration says otherwise.
const WELCOME: Micros = Micros::new(100_000_000);
/// Rounds are this far apart, so that somebody who watches sees prices move.
const ROUND_SECONDS: u32 = 20;
/// A configuration with these rounds was not given any.
const ROUND_SECONDS_UNASKED: u32 = 60;

/// What a server that plays a demo does differently.
pub(super) fn prepare(config: &mut Config) {
    config.allow_simulated = true;
    config.sign_up_credit.get_or_insert(WELCOME);
    if config.round_seconds == ROUND_SECONDS_UNASKED {
        config.round_seconds = ROUND_SECONDS;
    }
}

/// Plays the demo until it is time to stop. A demo that fails leaves the server alone.
pub(super) async fn play(config: Arc<Config>, url: String, port: u16, stop: CancellationToken) {
    let performed = tokio::select! {
        () = stop.cancelled() => Ok(()),
        performed = perform(&config, url, port, stop.clone()) => performed,
    };
    if let Err(error) = performed {
        tracing::error!(error = format!("{error:#}"), "the demo ended; the server goes on");
    }
}

async fn perform(config: &Config, url: String, port: u16, stop: CancellationToken) -> anyhow::Result<()> {
    let anyone = Client::new(&format!("http://127.0.0.1:{port}"))?;
    let notebook = Notebook::open(&config.data_dir.join("demo"), &SystemEntropy)?;
    let visitor = Account::of(&notebook, "visitor", "Visitors");
    Person::enter(&anyone, visitor.clone()).await?;
    let operator = operator::enter(&anyone, &notebook, || Ok(url)).await?;
    let shown = config.public_url.as_deref().unwrap_or(anyone.server());
    welcome(shown, &visitor, &operator::account(&notebook), config)?;
    let nodes = usize::try_from(NODES)?;
    let programme = Programme { trace: None, seed: 1, speed: None, nodes };
    let offered = this_machine::offer(config, &anyone, &notebook, stop.clone());
    let playing =
        demo::run(&programme, anyone.clone(), operator, notebook.clone(), Arc::new(SystemClock), stop.clone());
    let ((), played) = tokio::join!(offered, playing);
    Ok(played?)
}

fn welcome(server: &str, visitor: &Account, operator: &Account, config: &Config) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out)?;
    writeln!(out, "  souk is open      {server}")?;
    writeln!(out, "  rent as           {}   {}", visitor.email, visitor.password.reveal())?;
    writeln!(out, "  operate as        {}  {}", operator.email, operator.password.reveal())?;
    writeln!(out, "  or sign up: a new account has {} {} to try", welcome_credit(config), config.currency)?;
    writeln!(out, "  Ctrl-C stops it; the next start goes on with the data in {}", config.data_dir.display())?;
    writeln!(out)
}

fn welcome_credit(config: &Config) -> Micros {
    config.sign_up_credit.unwrap_or(WELCOME)
}
