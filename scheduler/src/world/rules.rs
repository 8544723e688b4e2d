//! How a pool is run: the settings that its operator chooses and that every record of a round carries.

use super::money::PricePerHour;
use super::time::{At, Millis};
use serde::{Deserialize, Serialize};

/// A pool's settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// Version of the planning code's meaning, so that an old record says what it was decided by.
    pub version: u32,
    /// How fair-share jobs divide what is theirs.
    pub share_policy: SharePolicy,
    /// What `finish_time_fair` leans to. Records of before there was a choice mean `fair`.
    #[serde(default)]
    pub tilt: Tilt,
    /// How the rest is priced.
    pub price_rule: PriceRule,
    /// Time between rounds.
    pub round: Millis,
    /// How long a preempted gang keeps running.
    pub notice: Millis,
    /// How long a gang runs before it can be preempted.
    pub min_run: Millis,
    /// What a restart costs a job, in time without progress.
    pub restart: Millis,
    /// The part of every class that the fair-share jobs own together, in millionths.
    pub phi_ppm: i32,
    /// The most that the weights of the pool's jobs may add up to, in thousandths. With a cap the pool promises when jobs
    /// are finished (`fairness/promise.rs`), and nothing may come between them and their floors; `None`: no promises.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub admission_cap_milli: Option<i64>,
    /// The platform's part of every charge, in hundredths of a percent.
    pub fee_bps: i32,
    /// The largest limit a bid may carry.
    pub limit_cap: PricePerHour,
    /// A running gang is moved only for a place that is cheaper, or faster, by this many millionths.
    pub move_gain_ppm: i32,
}

impl Rules {
    /// What [`crate::plan`] means today.
    pub const VERSION: u32 = 10;

    /// How long an ask must still last for a gang to start, or to stay: this round, and a notice.
    #[must_use]
    pub fn horizon(&self, now: At) -> At {
        now.saturating_add(self.round).saturating_add(self.notice)
    }

    /// When a gang that is told to leave now is gone.
    #[must_use]
    pub fn notice_end(&self, now: At) -> At {
        now.saturating_add(self.notice.at_least_zero())
    }

    /// What comes before the share policy. The planner and the verifier both go by this. A pool that makes promises serves
    /// floors by deadline beneath any policy.
    #[must_use]
    pub const fn floors(&self) -> Floors {
        match self.admission_cap_milli {
            Some(_) => Floors::Deadlines,
            None => self.share_policy.floors(),
        }
    }

    /// What of a node counts towards a job's share. A pool that makes promises counts whole gangs.
    #[must_use]
    pub const fn counts(&self) -> Counts {
        match self.admission_cap_milli {
            Some(_) => Counts::WholeGangs,
            None => Counts::Devices,
        }
    }

    /// The unit in which entitlement is served: a gang that was let in stays for a round and for its minimum run.
    #[must_use]
    pub fn quantum(&self) -> Millis {
        self.round.max(self.min_run).max(Millis::new(1))
    }
}

/// How fair-share jobs divide what is theirs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SharePolicy {
    /// Worst projected finish-time ratio first.
    FinishTimeFair,
    /// Least progress against the reference first.
    MaxMin,
    /// Least time received per weight first.
    EqualShare,
    /// The greatest product of progress.
    Nash,
    /// The earliest end of all work that is there.
    Makespan,
    /// Who came first.
    Fifo,
    /// Least work first, as time on the fastest class.
    Sjf,
    /// Least work left first, as time on the fastest class.
    Srpt,
    /// Least device time received first.
    Las,
    /// Auctions of leases among those furthest from finish-time fairness.
    ThemisAuction,
    /// The greatest sum of progress without envy.
    OefCooperative,
    /// The same progress for all.
    OefNoncooperative,
    /// What each buys with its budget, against bids and asks.
    Exchange,
}

/// What comes before a share policy's own wishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Floors {
    /// Every job's entitlement, a quantum at a time, by pseudo-deadline. The policy orders what is left idle.
    Deadlines,
    /// Nothing: the policy alone says which gangs run in the jobs' part of the pool.
    Nothing,
}

/// What of a node a gang can use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Counts {
    /// Every device of a node that is large enough: gangs of other sizes use what is left over.
    #[default]
    Devices,
    /// Whole gangs only: where all gangs are of one size, what is left over serves nobody.
    WholeGangs,
}

impl SharePolicy {
    /// What comes before the policy in a pool that makes no promises.
    ///
    /// Floors by deadline bound what a job is owed at any time. `finish_time_fair` looks at the end of jobs only: it gains by
    /// choosing the classes itself, and where all are alike by choosing who waits.
    #[must_use]
    pub const fn floors(self) -> Floors {
        match self {
            Self::FinishTimeFair => Floors::Nothing,
            Self::MaxMin | Self::EqualShare => Floors::Deadlines,
            Self::Nash | Self::Makespan | Self::Fifo | Self::Sjf | Self::Srpt | Self::Las => Floors::Nothing,
            Self::ThemisAuction | Self::OefCooperative | Self::OefNoncooperative | Self::Exchange => Floors::Nothing,
        }
    }
}

/// What `finish_time_fair` leans to where it has a choice.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tilt {
    /// Nobody later than on a private share.
    #[default]
    Fair,
    /// Everybody soon, at the price that some are a little later than on a private share.
    Fast,
}

/// How the capacity beyond entitlement is priced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PriceRule {
    /// One price per class and round: the highest losing limit, never below an ask that is sold.
    UniformPrice,
}

macro_rules! names {
    ($name:ident { $($variant:ident = $text:literal),+ $(,)? }) => {
        impl $name {
            /// Every value, in a fixed order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name in the database and on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }

        impl std::str::FromStr for $name {
            type Err = UnknownName;

            fn from_str(text: &str) -> Result<Self, UnknownName> {
                match text { $($text => Ok(Self::$variant),)+ _ => Err(UnknownName) }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

/// A name that no policy or rule has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no such policy or rule")]
pub struct UnknownName;

names!(SharePolicy {
    FinishTimeFair = "finish_time_fair",
    MaxMin = "max_min",
    EqualShare = "equal_share",
    Nash = "nash",
    Makespan = "makespan",
    Fifo = "fifo",
    Sjf = "sjf",
    Srpt = "srpt",
    Las = "las",
    ThemisAuction = "themis_auction",
    OefCooperative = "oef_cooperative",
    OefNoncooperative = "oef_noncooperative",
    Exchange = "exchange",
});
names!(Tilt { Fair = "fair", Fast = "fast" });
names!(PriceRule { UniformPrice = "uniform_price" });
