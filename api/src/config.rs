//! What can be configured, from flags and the environment, in one place. Nothing else reads the environment.

use std::path::PathBuf;

use clap::Args;
use scheduler::world::Micros;

/// Settings of `souk serve`.
#[derive(Debug, Clone, Args)]
pub struct Config {
    /// Address to listen on
    #[arg(long, env = "SOUK_ADDRESS", default_value = "127.0.0.1")]
    pub address: String,

    /// Port to listen on; 0 takes a free one
    #[arg(long, env = "SOUK_PORT", default_value_t = 8080)]
    pub port: u16,

    /// PostgreSQL to use; without it an embedded one is started in the data directory
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<String>,

    /// Connections to PostgreSQL, at most
    #[arg(long, env = "SOUK_DATABASE_CONNECTIONS", default_value_t = 24)]
    pub database_connections: u32,

    /// Redis for event fan-out and rate limits across replicas; optional
    #[arg(long, env = "REDIS_URL", hide_env_values = true, value_parser = redis_url)]
    pub redis_url: Option<String>,

    /// Where the embedded database and the local node keep their files
    #[arg(long, env = "SOUK_DATA_DIR", default_value = ".souk")]
    pub data_dir: PathBuf,

    /// The URL under which clients and agents reach this server
    #[arg(long, env = "SOUK_PUBLIC_URL")]
    pub public_url: Option<String>,

    /// Requests per caller and minute
    #[arg(long, env = "SOUK_REQUESTS_PER_MINUTE", default_value_t = 600)]
    pub requests_per_minute: u32,

    /// Attempts to log in per email address and minute; six times as many per network address
    #[arg(long, env = "SOUK_LOGINS_PER_MINUTE", default_value_t = 10)]
    pub logins_per_minute: u32,

    /// Believe the last entry of X-Forwarded-For: set it only behind a proxy that adds one
    #[arg(long, env = "SOUK_BEHIND_PROXY")]
    pub behind_proxy: bool,

    /// Accept nodes of the simulated provider; always so with the embedded database
    #[arg(long, env = "SOUK_ALLOW_SIMULATED")]
    pub allow_simulated: bool,

    /// Currency of new organisations, providers and pools
    #[arg(long, env = "SOUK_CURRENCY", default_value = "USD")]
    pub currency: String,

    /// What a new organisation finds in its wallet; nothing unless given
    #[arg(long, env = "SOUK_SIGN_UP_CREDIT", value_name = "AMOUNT")]
    pub sign_up_credit: Option<Micros>,

    /// Seconds between rounds of the first pool, when it is created
    #[arg(long, env = "SOUK_ROUND_SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub round_seconds: u32,
}

/// Bounds of loops, pages, queues and bodies: one place, named.
pub mod limits {
    use std::time::Duration;

    /// Largest request body, in bytes.
    pub const BODY_BYTES: usize = 64 * 1024;
    /// Largest price per device and hour, in millionths: beyond it, sums over gangs and months could overflow.
    pub const PRICE_MICROS_MAX: i64 = 1_000_000_000_000;
    /// Largest page of a list.
    pub const PAGE_ITEMS_MAX: u32 = 200;
    /// Filters of one search.
    pub const FILTERS_MAX: usize = 32;
    /// The longest time of which earnings are shown at once.
    pub const EARNINGS_SPAN: Duration = Duration::from_secs(366 * 24 * 3600);
    /// The time of which earnings are shown when the caller does not say.
    pub const EARNINGS: Duration = Duration::from_secs(30 * 24 * 3600);
    /// Page of a list when the caller does not say.
    pub const PAGE_ITEMS: u32 = 50;
    /// Passwords being hashed or waiting for it; beyond that, people are asked to come back.
    pub const PASSWORDS_WAITING: usize = 512;
    /// Life of an access token.
    pub const ACCESS_TOKEN: Duration = Duration::from_secs(600);
    /// How long a retired signing key still verifies: the life of an access token, and time for every server to notice.
    pub const RETIRED_KEY: Duration = Duration::from_secs(900);
    /// The database is asked for keys that a token names and this server does not know, at most this often.
    pub const UNKNOWN_KEY_PAUSE: Duration = Duration::from_secs(1);
    /// A consumed refresh token that comes back within this time is a lost answer or a race, later it is theft.
    pub const REFRESH_GRACE: Duration = Duration::from_secs(10);
    /// An API key's row is asked for again after this time: how long a revocation may take to reach other servers.
    pub const API_KEY_CACHE: Duration = Duration::from_secs(5);
    /// Access tokens whose signatures are remembered to be good.
    pub const TOKENS_REMEMBERED: usize = 10_000;
    /// API keys remembered at once, valid or not.
    pub const API_KEYS_CACHED: usize = 10_000;
    /// Events that one statement reads or numbers.
    pub const EVENTS_PER_PAGE: i64 = 500;
    /// Events that wait in memory for readers; whoever is further behind reads from the database.
    pub const EVENTS_BUFFERED: usize = 1_024;
    /// Readers of event streams per server.
    pub const EVENT_READERS: i64 = 2_000;
    /// An event stream ends after this time, so that whoever reads it has shown a valid token lately.
    pub const EVENT_STREAM: Duration = Duration::from_secs(600);
    /// A silent event stream carries a comment this often.
    pub const EVENT_HEARTBEAT: Duration = Duration::from_secs(15);
    /// How long events are kept for readers that come back.
    pub const EVENTS_KEPT: Duration = Duration::from_secs(7 * 24 * 3600);
    /// How long a reply is kept under its Idempotency-Key, at least. Far longer than anybody repeats a request whose answer
    /// got lost; a key that is used again after that is a new request.
    pub const REPLIES_KEPT: Duration = Duration::from_secs(48 * 3600);
    /// How often committed events are numbered, when nothing says that there are some.
    pub const RELAY_PERIOD: Duration = Duration::from_millis(250);
    /// How often ended rows are looked for.
    pub const RETENTION_PERIOD: Duration = Duration::from_secs(60);
    /// Ended rows that one step of a loop removes.
    pub const FORGOTTEN_PER_STEP: i64 = 1_000;
    /// How often every server takes over rotated keys and withdrawn tokens.
    pub const CREDENTIALS_PERIOD: Duration = Duration::from_secs(3);
    /// API keys of an organisation that are not revoked.
    pub const API_KEYS_PER_ORGANISATION: i64 = 100;
    /// SSH keys of an organisation.
    pub const SSH_KEYS_PER_ORGANISATION: i64 = 100;
    /// Members of an organisation.
    pub const MEMBERS_PER_ORGANISATION: i64 = 1_000;
    /// Organisations that one person belongs to.
    pub const ORGANISATIONS_PER_PERSON: i64 = 50;
    /// Life of a refresh token.
    pub const REFRESH_TOKEN: Duration = Duration::from_secs(30 * 24 * 3600);
    /// Pools' terms may be this old when a bid is accepted on them.
    pub const CATALOGUE: Duration = Duration::from_secs(1);
    /// Bids that wait to be placed; beyond that, callers are asked to come back.
    pub const BIDS_WAITING: usize = 1024;
    /// Bids placed by one commit.
    pub const BIDS_TOGETHER: usize = 64;
    /// How long a desk at which several bids came at once waits for more. One caller alone never waits.
    pub const BIDS_GATHERED: Duration = Duration::from_micros(300);
    /// Commits of bids under way at once: one for two processors, the other of which hears and answers the callers. A second
    /// one there halves the bids of each commit and makes none faster.
    pub fn bid_desks() -> usize {
        std::thread::available_parallelism().map_or(1, |processors| (processors.get() / 2).clamp(1, BID_DESKS_MAX))
    }
    /// No more than this many, which are connections of their own.
    const BID_DESKS_MAX: usize = 4;
    /// How often it is looked for meters that are due.
    pub const METERING_PERIOD: Duration = Duration::from_secs(5);
    /// How often the money is held against what must always be true of it.
    pub const INVARIANTS_PERIOD: Duration = Duration::from_secs(60);
    /// Usage this old was checked often enough.
    pub const INVARIANTS_REACH: Duration = Duration::from_secs(24 * 3600);
    /// A running meter is read at least this often.
    pub const METER_READING: Duration = Duration::from_secs(60);
    /// Meters read by one transaction.
    pub const METERS_TOGETHER: i64 = 250;
    /// A node whose last heartbeat is older is lost.
    pub const HEARTBEAT_SILENCE: Duration = Duration::from_secs(60);
    /// A rental that is not usable by then ends without a charge.
    pub const PROVISIONING: Duration = Duration::from_secs(300);
    /// A hold covers this much of a rental at its price.
    pub const HOLD_AHEAD: Duration = Duration::from_secs(3600);
    /// A pool's leader that has not renewed by then can be replaced.
    pub const LEADER_LEASE: Duration = Duration::from_secs(10);
    /// How often a server makes reality match the leases.
    pub const PROVISION_PERIOD: Duration = Duration::from_secs(1);
    /// How often a server looks for nodes that are due to be compared.
    pub const RECONCILE_PERIOD: Duration = Duration::from_secs(5);
    /// How often a server looks for nodes that fell silent.
    pub const LIVENESS_PERIOD: Duration = Duration::from_secs(5);
    /// How often a server ends what has run out of time.
    pub const EXPIRY_PERIOD: Duration = Duration::from_secs(5);
    /// How often a server looks whether a pool is due.
    pub const ROUND_PERIOD: Duration = Duration::from_secs(1);
    /// Rounds that something other than the timer causes keep this distance.
    pub const EARLY_ROUNDS_APART: Duration = Duration::from_secs(5);
    /// A price quoted is kept this long.
    pub const QUOTE: Duration = Duration::from_secs(300);
    /// An enrolment token can be used this long.
    pub const ENROLMENT_TOKEN: Duration = Duration::from_secs(24 * 3600);
    /// What is kept of a workload's output: its end.
    pub const LOG_TAIL_BYTES: usize = 32 * 1024;
    /// Quotes and tickets that nobody used are kept this long after they expired.
    pub const LEFTOVERS_KEPT: Duration = Duration::from_secs(24 * 3600);
    /// Life of a node's token.
    pub const NODE_TOKEN: Duration = Duration::from_secs(900);
    /// How old the signed time may be that a node's token is asked for with.
    pub const NODE_TOKEN_ASKED: Duration = Duration::from_secs(60);
    /// How long a workload runs without another word from a server. Longer than any restart of ours, so that none ends a
    /// rental; shorter than anybody would want to leave a node cut off with somebody's work.
    pub const WORKLOAD_LEASE: Duration = Duration::from_secs(600);
    /// Workloads that one node can report.
    pub const WORKLOADS_PER_NODE: usize = 256;
    /// How long a node's question for news is left open.
    pub const NEWS_WAIT: Duration = Duration::from_secs(25);
    /// How often a question for news is looked at without having been rung for: another server may have the news.
    pub const NEWS_LOOK: Duration = Duration::from_secs(4);
    /// How long a shell waits for its node.
    pub const SHELL_WAIT: Duration = Duration::from_secs(20);
    /// How often it is checked that a shell's rental is still there.
    pub const SHELL_LOOK: Duration = Duration::from_secs(5);
    /// Shells of one server at once.
    pub const SHELLS: usize = 1_000;
    /// Frames that wait between the two ends of a shell, each way.
    pub const SHELL_FRAMES: usize = 32;
    /// Largest frame of a shell, in bytes.
    pub const SHELL_FRAME_BYTES: usize = 64 * 1024;
    /// A ticket for a shell can be used this long.
    pub const SHELL_TICKET: Duration = Duration::from_secs(30);
}

/// A URL that cannot be right is found at the start rather than at the first request.
fn redis_url(text: &str) -> Result<String, String> {
    redis::Client::open(text).map(|_| text.to_owned()).map_err(|error| error.to_string())
}

impl Config {
    /// The URL under which others reach this server, as far as it knows.
    #[must_use]
    pub fn reachable_at(&self) -> String {
        let own = || format!("http://{}:{}", self.address, self.port);
        self.public_url.as_deref().map_or_else(own, |url| url.trim_end_matches('/').to_owned())
    }
}

impl Default for Config {
    /// What `souk serve` without flags and without environment would use.
    fn default() -> Self {
        Self {
            address: "127.0.0.1".to_owned(),
            port: 8080,
            database_url: None,
            database_connections: 24,
            redis_url: None,
            data_dir: PathBuf::from(".souk"),
            public_url: None,
            requests_per_minute: 600,
            logins_per_minute: 10,
            behind_proxy: false,
            allow_simulated: false,
            currency: "USD".to_owned(),
            sign_up_credit: None,
            round_seconds: 60,
        }
    }
}

/// The environment, for the few values that are not settings of the server.
#[derive(Debug)]
pub struct Environment;

impl Environment {
    /// A variable that is set and not empty.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this is the door to the environment")]
    pub fn read(name: &str) -> Option<String> {
        std::env::var(name).ok().filter(|value| !value.is_empty())
    }
}
