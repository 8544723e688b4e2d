//! The people of the caller's organisation.

pub mod add;
pub mod change_role;
pub mod list;
pub mod remove;
mod view;

pub use view::MemberView;

use crate::app::members::MemberError;
use crate::app::members::roles::RoleRefused;
use crate::http::error::{Code, Problem};

impl From<MemberError> for Problem {
    fn from(error: MemberError) -> Self {
        match error {
            MemberError::Refused(RoleRefused::LastOwner) => Self::new(Code::LastOwner, error),
            MemberError::Refused(_) => Self::new(Code::Forbidden, error),
            MemberError::NoSuchOrganisation | MemberError::NoSuchMember => Self::new(Code::NotFound, error),
            MemberError::NoSuchUser => Self::new(Code::NotFound, error).field("email"),
            MemberError::AlreadyMember => Self::new(Code::AlreadyMember, error).field("email"),
            MemberError::TooMany => Self::new(Code::LimitReached, error),
            MemberError::Store(store) => store.into(),
        }
    }
}
