//! The demo's operator: signed up over HTTP like anybody, made an operator by the owner of the machine.

use crate::app::auth::Email;
use crate::app::make_operator::make_operator;
use crate::client::Client;
use crate::demo::notebook::Notebook;
use crate::demo::person::{Account, Person};
use crate::store::{self, Tx};

/// The operator's account.
pub(super) fn account(notebook: &Notebook) -> Account {
    Account::of(notebook, "operator", "Market operators")
}

/// Logs the operator in. Only the first time does that need the database, whose address `url` finds.
pub(super) async fn enter(
    anyone: &Client,
    notebook: &Notebook,
    url: impl FnOnce() -> anyhow::Result<String>,
) -> anyhow::Result<Person> {
    let account = account(notebook);
    let mut person = Person::enter(anyone, account.clone()).await?;
    if !person.operator {
        let db = store::connect(&url()?, 1).await?;
        let mut tx = Tx::begin(&db).await?;
        let email = Email::parse(&account.email).ok_or_else(|| anyhow::anyhow!("{} is no address", account.email))?;
        make_operator(&mut tx, &email).await?;
        tx.commit().await?;
        db.close().await;
        person.renew().await?;
    }
    Ok(person)
}
