-- What tenants want and what they got: bids, jobs, rentals, leases and metered usage.

CREATE TABLE bids (
    id                    UUID PRIMARY KEY,
    organisation_id       UUID NOT NULL REFERENCES organisations (id),
    pool_id               UUID NOT NULL REFERENCES pools (id),
    created_by            UUID NOT NULL REFERENCES users (id),
    request               TEXT NOT NULL,
    class_ids             TEXT[] NOT NULL CHECK (cardinality(class_ids) BETWEEN 1 AND 64),
    gang                  INTEGER NOT NULL CHECK (gang BETWEEN 1 AND 64),
    limit_micros_per_hour BIGINT NOT NULL CHECK (limit_micros_per_hour > 0 AND limit_micros_per_hour <= 1000000000000),
    command               TEXT,
    reenter               BOOLEAN NOT NULL,
    ends_at               TIMESTAMPTZ,
    state                 TEXT NOT NULL CHECK (state IN ('open', 'allocated', 'notice', 'paused', 'cancelled', 'expired', 'exhausted')),
    rental_id             UUID,
    created_at            TIMESTAMPTZ NOT NULL,
    closed_at             TIMESTAMPTZ,
    version               BIGINT NOT NULL DEFAULT 1,
    CONSTRAINT bids_closed CHECK ((state IN ('cancelled', 'expired', 'exhausted')) = (closed_at IS NOT NULL))
);
CREATE INDEX bids_of_organisation ON bids (organisation_id, id);
CREATE INDEX bids_live ON bids (pool_id, id) WHERE closed_at IS NULL;
CREATE INDEX bids_ending ON bids (ends_at) WHERE closed_at IS NULL AND ends_at IS NOT NULL;

CREATE TABLE jobs (
    id                  UUID PRIMARY KEY,
    organisation_id     UUID NOT NULL REFERENCES organisations (id),
    pool_id             UUID NOT NULL REFERENCES pools (id),
    created_by          UUID NOT NULL REFERENCES users (id),
    name                TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
    request             TEXT NOT NULL,
    profile_id          UUID REFERENCES profiles (id),
    class_ids           TEXT[] NOT NULL CHECK (cardinality(class_ids) BETWEEN 1 AND 64),
    gang                INTEGER NOT NULL CHECK (gang BETWEEN 1 AND 64),
    weight_milli        INTEGER NOT NULL CHECK (weight_milli BETWEEN 1 AND 1000000),
    -- Work and progress in thousandths of the profile's unit (steps, or device-seconds when there is no profile).
    work_milliunits     BIGINT NOT NULL CHECK (work_milliunits > 0),
    done_milliunits     BIGINT NOT NULL DEFAULT 0 CHECK (done_milliunits >= 0),
    reference_milliunits BIGINT NOT NULL DEFAULT 0 CHECK (reference_milliunits >= 0),
    -- Received device-milliseconds, and the fairness state a round hands to the next (opaque to SQL).
    fairness            JSONB NOT NULL,
    -- As the last round told them: projected finish-time ratio, and entitled time due minus received.
    rho_ppm             BIGINT,
    lag_millis          BIGINT,
    budget_micros       BIGINT NOT NULL CHECK (budget_micros > 0),
    spent_micros        BIGINT NOT NULL DEFAULT 0 CHECK (spent_micros >= 0),
    command             TEXT,
    state               TEXT NOT NULL CHECK (state IN ('queued', 'running', 'preempted', 'completed', 'failed', 'cancelled')),
    rental_id           UUID,
    advanced_at         TIMESTAMPTZ NOT NULL,
    created_at          TIMESTAMPTZ NOT NULL,
    closed_at           TIMESTAMPTZ,
    -- A closed job that was ahead of its share weighs on its pool until the share has caught up.
    settled_at          TIMESTAMPTZ,
    version             BIGINT NOT NULL DEFAULT 1,
    CONSTRAINT jobs_settled CHECK (settled_at IS NULL OR closed_at IS NOT NULL),
    CONSTRAINT jobs_within_budget CHECK (spent_micros <= budget_micros),
    CONSTRAINT jobs_closed CHECK ((state IN ('completed', 'failed', 'cancelled')) = (closed_at IS NOT NULL))
);
CREATE INDEX jobs_of_organisation ON jobs (organisation_id, id);
CREATE INDEX jobs_live ON jobs (pool_id, id) WHERE closed_at IS NULL;
CREATE INDEX jobs_departed ON jobs (pool_id, id) WHERE closed_at IS NOT NULL AND settled_at IS NULL;

-- What a gang does from one instant to another, in milliunits: at its measured speed, or where no profile says one at a
-- device-second a second for each of its devices.
CREATE FUNCTION work_between(since TIMESTAMPTZ, until TIMESTAMPTZ, profile UUID, gang INTEGER, measured BIGINT) RETURNS NUMERIC
LANGUAGE SQL IMMUTABLE PARALLEL SAFE AS $$
    SELECT floor(extract(epoch FROM until - since)
                 * CASE WHEN profile IS NULL THEN gang::bigint * 1000 ELSE coalesce(measured, 0) END)
$$;

-- By when a job was promised to be finished, and what became of that. `terms` is what the promise rests on, `evidence` what
-- was found when it was settled: both are written once and shown as they are.
CREATE TABLE promises (
    job_id        UUID PRIMARY KEY REFERENCES jobs (id),
    pool_id       UUID NOT NULL REFERENCES pools (id),
    finish_by     TIMESTAMPTZ NOT NULL,
    cap_milli     BIGINT NOT NULL CHECK (cap_milli > 0),
    terms         JSONB NOT NULL,
    state         TEXT NOT NULL CHECK (state IN ('open', 'kept', 'missed', 'void')),
    refund_micros BIGINT NOT NULL DEFAULT 0 CHECK (refund_micros >= 0),
    transfer_id   UUID REFERENCES transfers (id),
    evidence      JSONB,
    created_at    TIMESTAMPTZ NOT NULL,
    settled_at    TIMESTAMPTZ,
    CONSTRAINT promises_settled CHECK ((state = 'open') = (settled_at IS NULL) AND (state = 'missed') = (evidence IS NOT NULL)),
    CONSTRAINT promises_refunded CHECK ((refund_micros > 0) = (transfer_id IS NOT NULL) AND (refund_micros = 0 OR state = 'missed'))
);
CREATE INDEX promises_open ON promises (pool_id) WHERE state = 'open';
CREATE INDEX promises_due ON promises (finish_by) WHERE state = 'open';

CREATE TABLE rentals (
    id                    UUID PRIMARY KEY,
    organisation_id       UUID NOT NULL REFERENCES organisations (id),
    pool_id               UUID NOT NULL REFERENCES pools (id),
    provider_id           UUID REFERENCES providers (id),
    node_id               UUID REFERENCES nodes (id),
    class_id              TEXT NOT NULL REFERENCES device_classes (id),
    kind                  TEXT NOT NULL CHECK (kind IN ('on_demand', 'bid', 'job')),
    bid_id                UUID REFERENCES bids (id),
    job_id                UUID REFERENCES jobs (id),
    ask_id                UUID REFERENCES asks (id),
    quote_id              UUID REFERENCES quotes (id),
    gang                  INTEGER NOT NULL CHECK (gang BETWEEN 1 AND 64),
    command               TEXT,
    -- Per device and hour, as of the last round for bids and jobs, frozen for on-demand.
    price_micros_per_hour BIGINT NOT NULL CHECK (price_micros_per_hour > 0),
    fee_bps               INTEGER NOT NULL CHECK (fee_bps BETWEEN 0 AND 5000),
    state                 TEXT NOT NULL CHECK (state IN ('pending', 'provisioning', 'pulling', 'starting', 'running', 'stopping', 'stopped', 'notice', 'ended')),
    reason                TEXT CHECK (reason IN ('tenant', 'provider', 'preempted', 'provisioning_timeout', 'start_failed', 'node_lost', 'device_fault', 'budget', 'max_duration', 'max_spend', 'idle', 'balance', 'admin')),
    max_duration_seconds  BIGINT CHECK (max_duration_seconds > 0),
    max_spend_micros      BIGINT CHECK (max_spend_micros > 0),
    -- The meter: time is billed up to here; the fraction of a micro not yet billed, in micro-milliseconds per hour.
    metered_to            TIMESTAMPTZ,
    meter_residue         BIGINT NOT NULL DEFAULT 0 CHECK (meter_residue BETWEEN 0 AND 3599999),
    charged_micros        BIGINT NOT NULL DEFAULT 0 CHECK (charged_micros >= 0),
    -- Until when its money lasts, as of the last reading; none when that has to be worked out anew.
    paid_until            TIMESTAMPTZ,
    -- Epoch of the running workload: raised on every placement; what an older epoch writes is refused.
    epoch                 BIGINT NOT NULL DEFAULT 0,
    notice_until          TIMESTAMPTZ,
    created_at            TIMESTAMPTZ NOT NULL,
    state_at              TIMESTAMPTZ NOT NULL,
    usable_at             TIMESTAMPTZ,
    ended_at              TIMESTAMPTZ,
    version               BIGINT NOT NULL DEFAULT 1,
    CONSTRAINT rentals_ended CHECK ((state = 'ended') = (reason IS NOT NULL) AND (state = 'ended') = (ended_at IS NOT NULL)),
    CONSTRAINT rentals_origin CHECK (
        (kind = 'bid') = (bid_id IS NOT NULL) AND (kind = 'job') = (job_id IS NOT NULL) AND (kind = 'on_demand') = (ask_id IS NOT NULL)),
    CONSTRAINT rentals_placed CHECK (state IN ('pending', 'ended') OR (node_id IS NOT NULL AND provider_id IS NOT NULL))
);
CREATE INDEX rentals_of_organisation ON rentals (organisation_id, id);
CREATE INDEX rentals_live_of_organisation ON rentals (organisation_id, id) WHERE state <> 'ended';
CREATE INDEX rentals_of_provider ON rentals (provider_id, id);
CREATE INDEX rentals_live ON rentals (pool_id, id) WHERE state <> 'ended';
CREATE INDEX rentals_ended_in_pool ON rentals (pool_id, ended_at) WHERE state = 'ended';
CREATE INDEX rentals_live_on_node ON rentals (node_id) WHERE state <> 'ended';
CREATE INDEX rentals_unready ON rentals (state_at) WHERE state IN ('provisioning', 'pulling', 'starting');

-- The device interval under a rental. `during` is open-ended while the lease is live and is closed at release;
-- the exclusion constraint makes it impossible for two leases to hold one device at the same instant.
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE TABLE leases (
    id              UUID PRIMARY KEY,
    pool_id         UUID NOT NULL REFERENCES pools (id),
    rental_id       UUID NOT NULL REFERENCES rentals (id),
    organisation_id UUID NOT NULL REFERENCES organisations (id),
    node_id         UUID NOT NULL REFERENCES nodes (id),
    device_id       UUID NOT NULL REFERENCES devices (id),
    during          TSTZRANGE NOT NULL CHECK (lower(during) IS NOT NULL AND lower_inc(during) AND NOT upper_inc(during)),
    CONSTRAINT leases_never_overlap EXCLUDE USING gist (device_id WITH =, during WITH &&)
);
CREATE INDEX leases_of_rental ON leases (rental_id);
CREATE INDEX leases_live ON leases (pool_id, device_id) WHERE upper_inf(during);

-- What was used, at which price: closed intervals, append only, each settled by one transfer.
CREATE TABLE usage_intervals (
    id                    UUID PRIMARY KEY,
    organisation_id       UUID NOT NULL REFERENCES organisations (id),
    pool_id               UUID NOT NULL REFERENCES pools (id),
    provider_id           UUID NOT NULL REFERENCES providers (id),
    rental_id             UUID NOT NULL REFERENCES rentals (id),
    node_id               UUID NOT NULL REFERENCES nodes (id),
    class_id              TEXT NOT NULL REFERENCES device_classes (id),
    devices               INTEGER NOT NULL CHECK (devices > 0),
    price_micros_per_hour BIGINT NOT NULL CHECK (price_micros_per_hour > 0),
    starts_at             TIMESTAMPTZ NOT NULL,
    ends_at               TIMESTAMPTZ NOT NULL,
    amount_micros         BIGINT NOT NULL CHECK (amount_micros >= 0),
    fee_micros            BIGINT NOT NULL CHECK (fee_micros BETWEEN 0 AND amount_micros),
    transfer_id           UUID REFERENCES transfers (id),
    created_at            TIMESTAMPTZ NOT NULL,
    CONSTRAINT usage_forward CHECK (ends_at > starts_at),
    CONSTRAINT usage_settled CHECK ((amount_micros > 0) = (transfer_id IS NOT NULL)),
    CONSTRAINT usage_never_overlaps EXCLUDE USING gist (rental_id WITH =, tstzrange(starts_at, ends_at) WITH &&)
);
CREATE INDEX usage_of_organisation ON usage_intervals (organisation_id, id);
CREATE INDEX usage_of_provider ON usage_intervals (provider_id, ends_at);
CREATE INDEX usage_of_rental ON usage_intervals (rental_id, starts_at);
CREATE TRIGGER usage_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON usage_intervals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What runs, or should, for one epoch of a rental: the intention is written before the provider is called, its answer
-- after it. Whether it should run follows from the rental: its epoch is current and its state wants a workload.
CREATE TABLE workloads (
    rental_id     UUID NOT NULL REFERENCES rentals (id),
    epoch         BIGINT NOT NULL CHECK (epoch > 0),
    node_id       UUID NOT NULL REFERENCES nodes (id),
    client_token  TEXT NOT NULL UNIQUE,
    observed      TEXT NOT NULL DEFAULT 'unseen' CHECK (observed IN ('unseen', 'pulling', 'starting', 'running', 'exited', 'failed')),
    exit_code     INTEGER,
    message       TEXT,
    log_tail      TEXT NOT NULL DEFAULT '',
    -- What the node says about the time it was usable: a total, so that a lost report loses nothing.
    usable_millis BIGINT NOT NULL DEFAULT 0 CHECK (usable_millis >= 0),
    -- When its provider took it on; calls so far, and when to call again.
    accepted_at   TIMESTAMPTZ,
    attempts      INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    next_call_at  TIMESTAMPTZ NOT NULL,
    observed_at   TIMESTAMPTZ,
    -- Times in a row that the provider said it does not know it. Twice, and it is gone.
    absent_times  INTEGER NOT NULL DEFAULT 0 CHECK (absent_times >= 0),
    gone_at       TIMESTAMPTZ,
    created_at    TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (rental_id, epoch)
);
CREATE INDEX workloads_on_node ON workloads (node_id) WHERE gone_at IS NULL;
CREATE INDEX workloads_due ON workloads (next_call_at) WHERE gone_at IS NULL;

-- A ticket opens one shell once. Only its hash is kept.
CREATE TABLE shell_tickets (
    id         UUID PRIMARY KEY,
    rental_id  UUID NOT NULL REFERENCES rentals (id),
    token_hash BYTEA NOT NULL UNIQUE,
    created_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    used_at    TIMESTAMPTZ
);

-- Silence counts only while somebody listened. The liveness loop extends the watch at every run; a gap (a restart, an
-- outage of the database, a suspended machine) begins a new one.
CREATE TABLE watch (
    singleton BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (singleton),
    since     TIMESTAMPTZ NOT NULL,
    seen_at   TIMESTAMPTZ NOT NULL
);

-- The simulated provider's own world: what a cloud would keep on its side. Nothing else may read it.
CREATE TABLE simulated_workloads (
    client_token TEXT PRIMARY KEY,
    node_id      UUID NOT NULL,
    created_at   TIMESTAMPTZ NOT NULL,
    -- Never, when it is null.
    ready_at     TIMESTAMPTZ,
    gone_at      TIMESTAMPTZ
);
CREATE INDEX simulated_workloads_live ON simulated_workloads (node_id) WHERE gone_at IS NULL;
