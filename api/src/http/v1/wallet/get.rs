//! `GET /v1/wallet`

use actix_web::get;
use actix_web::web::Data;

use super::WalletView;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::etag::Tagged;
use crate::http::extract::Allowed;
use crate::http::openapi::Refusals;
use crate::http::permission::ReadMoney;
use crate::store::wallet;

/// See the wallet
///
/// Balances, what running rentals cost per hour, and how long the money lasts at that rate.
#[utoipa::path(tag = "money", operation_id = "get_wallet",
    responses((status = 200, body = WalletView), (status = 304, description = "Not changed"), Refusals))]
#[get("/v1/wallet")]
pub async fn get(allowed: Allowed<ReadMoney>, state: Data<State>) -> Result<Tagged<WalletView>, Problem> {
    let mut tx = state.begin_snapshot().await?;
    let wallet = wallet::find(&mut tx, allowed.caller.organisation).await?;
    Ok(Tagged(wallet.into()))
}
