//! `souk login`

use std::io::{IsTerminal as _, Write as _};

use clap::Args;
use serde_json::json;

use super::connection::{Connection, remember};
use super::terminal;
use crate::client::view::Session;

/// Log in. The password is asked for, or read from standard input.
#[derive(Debug, Args)]
pub struct Login {
    /// Your email address
    email: String,

    /// Sign up first, with this name
    #[arg(long, value_name = "NAME")]
    sign_up: Option<String>,

    #[command(flatten)]
    connection: Connection,
}

impl Login {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let anyone = self.connection.anyone()?;
        let password = password()?;
        let credentials = json!({"email": self.email, "password": password});
        let session: Session = match &self.sign_up {
            None => anyone.post("/v1/auth/login", &credentials).await?,
            Some(name) => {
                let mut body = credentials;
                body["display_name"] = json!(name);
                anyone.post("/v1/auth/register", &body).await?
            }
        };
        remember(&anyone, &session)?;
        let organisation = &session.organisation.name;
        writeln!(std::io::stdout(), "logged in to {} for {organisation}", anyone.server())?;
        Ok(())
    }
}

fn password() -> anyhow::Result<String> {
    let typed = if std::io::stdin().is_terminal() {
        let mut out = std::io::stderr().lock();
        write!(out, "password: ")?;
        out.flush()?;
        let typed = terminal::without_echo(read_line)?;
        writeln!(out)?;
        typed
    } else {
        read_line()?
    };
    Ok(typed)
}

fn read_line() -> std::io::Result<String> {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}
