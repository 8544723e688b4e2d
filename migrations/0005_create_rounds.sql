-- How it was decided: who may clear a pool, every round's record in a hash chain, prices, explanations.

-- The leader of a pool, and the head of its chain of rounds. A taker-over raises `fencing_token`; a writer proves its
-- token inside its transaction, where this row is locked: rounds of a pool are written one after another.
CREATE TABLE pool_leases (
    pool_id       UUID PRIMARY KEY REFERENCES pools (id),
    holder        UUID NOT NULL,
    fencing_token BIGINT NOT NULL CHECK (fencing_token > 0),
    expires_at    TIMESTAMPTZ NOT NULL,
    last_number   BIGINT NOT NULL DEFAULT 0 CHECK (last_number >= 0),
    last_hash     BYTEA NOT NULL DEFAULT decode(repeat('00', 32), 'hex') CHECK (length(last_hash) = 32)
);

-- An operator asks for a round now; consumed by the next round.
CREATE TABLE round_requests (
    pool_id      UUID PRIMARY KEY REFERENCES pools (id),
    requested_at TIMESTAMPTZ NOT NULL
);

-- `record` is canonical JSON of what decided the round (snapshot, rules, seed, plan), `applied` of what of the plan was
-- written. `header` is canonical JSON of the hashes of both and of every other column that matters; `hash` is SHA-256
-- over the previous round's hash and the header's bytes.
CREATE TABLE rounds (
    id            UUID NOT NULL,
    pool_id       UUID NOT NULL REFERENCES pools (id),
    number        BIGINT NOT NULL CHECK (number > 0),
    cleared_at    TIMESTAMPTZ NOT NULL,
    cause         TEXT NOT NULL CHECK (cause IN ('timer', 'device_freed', 'starved', 'demand', 'operator')),
    fencing_token BIGINT NOT NULL,
    plan_millis   INTEGER NOT NULL CHECK (plan_millis >= 0),
    summary       JSONB NOT NULL,
    applied       TEXT NOT NULL,
    record        TEXT NOT NULL,
    header        TEXT NOT NULL,
    plan_hash     BYTEA NOT NULL CHECK (length(plan_hash) = 32),
    previous_hash BYTEA NOT NULL CHECK (length(previous_hash) = 32),
    hash          BYTEA NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (pool_id, number),
    UNIQUE (id)
);
CREATE TRIGGER rounds_append_only BEFORE UPDATE OR DELETE ON rounds FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE prices (
    pool_id               UUID NOT NULL REFERENCES pools (id),
    class_id              TEXT NOT NULL REFERENCES device_classes (id),
    round_number          BIGINT NOT NULL,
    cleared_at            TIMESTAMPTZ NOT NULL,
    price_micros_per_hour BIGINT NOT NULL CHECK (price_micros_per_hour > 0),
    supply_devices        INTEGER NOT NULL,
    granted_devices       INTEGER NOT NULL,
    demanded_devices      INTEGER NOT NULL,
    PRIMARY KEY (pool_id, class_id, round_number)
);
CREATE INDEX prices_by_time ON prices (pool_id, class_id, cleared_at);
CREATE TRIGGER prices_append_only BEFORE UPDATE OR DELETE ON prices FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The latest explanation of each demand; older ones are in the rounds' records.
CREATE TABLE explanations (
    subject         TEXT PRIMARY KEY,
    organisation_id UUID NOT NULL REFERENCES organisations (id),
    pool_id         UUID NOT NULL REFERENCES pools (id),
    round_number    BIGINT NOT NULL,
    code            TEXT NOT NULL CHECK (code IN (
        'granted_entitled', 'granted_market', 'granted_on_demand', 'outbid', 'no_capacity', 'gang_does_not_fit', 'over_quota',
        'budget_paused', 'min_run_protected', 'awaiting_notice')),
    detail          JSONB NOT NULL,
    explained_at    TIMESTAMPTZ NOT NULL
);

CREATE TABLE alerts (
    id          UUID PRIMARY KEY,
    pool_id     UUID REFERENCES pools (id),
    code        TEXT NOT NULL,
    severity    TEXT NOT NULL CHECK (severity IN ('info', 'warning', 'critical')),
    message     TEXT NOT NULL,
    raised_at   TIMESTAMPTZ NOT NULL,
    -- The last time it was seen again while it was open, and how often.
    seen_at     TIMESTAMPTZ NOT NULL,
    times       INTEGER NOT NULL DEFAULT 1 CHECK (times > 0),
    resolved_at TIMESTAMPTZ
);
CREATE INDEX alerts_open ON alerts (raised_at) WHERE resolved_at IS NULL;
CREATE UNIQUE INDEX alerts_one_open ON alerts (code, coalesce(pool_id, '00000000-0000-0000-0000-000000000000')) WHERE resolved_at IS NULL;
