-- Double entry, append only. Balances on accounts are kept with the entries in one statement and re-derived by
-- the continuous invariants; nothing here is ever updated or deleted except an account's running balance.

CREATE TABLE accounts (
    id              UUID PRIMARY KEY,
    kind            TEXT NOT NULL CHECK (kind IN (
        'tenant_available', 'tenant_held', 'provider_pending', 'provider_available',
        'platform_fee', 'tax', 'payment_clearing', 'operator_credit', 'refunds', 'rounding')),
    organisation_id UUID REFERENCES organisations (id),
    provider_id     UUID REFERENCES providers (id),
    currency        TEXT NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    balance_micros  BIGINT NOT NULL DEFAULT 0,
    created_at      TIMESTAMPTZ NOT NULL,
    CONSTRAINT accounts_owner CHECK (
        (kind IN ('tenant_available', 'tenant_held')) = (organisation_id IS NOT NULL)
        AND (kind IN ('provider_pending', 'provider_available')) = (provider_id IS NOT NULL)),
    CONSTRAINT accounts_never_overdrawn CHECK (
        kind IN ('payment_clearing', 'operator_credit', 'refunds', 'rounding') OR balance_micros >= 0)
);
CREATE UNIQUE INDEX accounts_of_organisation ON accounts (organisation_id, kind, currency) WHERE organisation_id IS NOT NULL;
CREATE UNIQUE INDEX accounts_of_provider ON accounts (provider_id, kind, currency) WHERE provider_id IS NOT NULL;
CREATE UNIQUE INDEX accounts_of_house ON accounts (kind, currency) WHERE organisation_id IS NULL AND provider_id IS NULL;

CREATE TABLE transfers (
    id         UUID PRIMARY KEY,
    kind       TEXT NOT NULL CHECK (kind IN ('credit', 'hold', 'release', 'usage', 'refund', 'correction')),
    currency   TEXT NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    subject    TEXT NOT NULL,
    reason     TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE entries (
    transfer_id   UUID NOT NULL,
    account_id    UUID NOT NULL,
    amount_micros BIGINT NOT NULL CHECK (amount_micros <> 0),
    created_at    TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (transfer_id, account_id)
);
CREATE INDEX entries_by_account ON entries (account_id, transfer_id);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are append only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER transfers_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON transfers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER accounts_stay BEFORE UPDATE OF id, currency OR DELETE OR TRUNCATE ON accounts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Each transfer sums to zero, has at least two entries, and they are on accounts of its currency: checked at the end of the
-- statement that adds entries, over all entries of the transfers it touches, so that nothing can be added to an old
-- transfer either. Everything is looked up row by row: the plan is made once per connection, perhaps while the tables are
-- small, and a join would be planned as a scan of all there is. This also stands for the foreign keys of entries, at a
-- fraction of their cost; transfers and accounts are never deleted.
CREATE FUNCTION check_entries_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE broken RECORD;
BEGIN
    SELECT touched.transfer_id, sums.entries, sums.sound, sums.total INTO broken
    FROM (SELECT DISTINCT transfer_id FROM added) AS touched
    CROSS JOIN LATERAL (
        SELECT count(*) AS entries, sum(e.amount_micros) AS total,
               count(*) FILTER (WHERE (SELECT a.currency FROM accounts a WHERE a.id = e.account_id)
                                    = (SELECT t.currency FROM transfers t WHERE t.id = e.transfer_id)) AS sound
        FROM entries e WHERE e.transfer_id = touched.transfer_id OFFSET 0) AS sums
    WHERE sums.total <> 0 OR sums.entries < 2 OR sums.sound < sums.entries LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'transfer % has % entries, % of them on accounts of its currency, that sum to % micros',
            broken.transfer_id, broken.entries, broken.sound, broken.total
            USING ERRCODE = 'check_violation', CONSTRAINT = 'transfers_sum_to_zero';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER entries_balance AFTER INSERT ON entries REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION check_entries_balance();

-- A transfer and its entries are written by one statement; one without entries is refused.
CREATE FUNCTION check_transfers_have_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM posted p WHERE (SELECT count(*) FROM entries e WHERE e.transfer_id = p.id) = 0) THEN
        RAISE EXCEPTION 'a transfer was written without its entries'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'transfers_have_entries';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER transfers_have_entries AFTER INSERT ON transfers REFERENCING NEW TABLE AS posted
    FOR EACH STATEMENT EXECUTE FUNCTION check_transfers_have_entries();

-- What is set aside for one subject (`bid_...`, `job_...`, `rnt_...`). `remaining_micros` is the part not yet spent
-- or released; the sum over an organisation equals its tenant_held balance.
CREATE TABLE holds (
    id               UUID PRIMARY KEY,
    organisation_id  UUID NOT NULL REFERENCES organisations (id),
    currency         TEXT NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    subject          TEXT NOT NULL UNIQUE,
    remaining_micros BIGINT NOT NULL CHECK (remaining_micros >= 0),
    state            TEXT NOT NULL CHECK (state IN ('active', 'released')),
    created_at       TIMESTAMPTZ NOT NULL,
    version          BIGINT NOT NULL DEFAULT 1,
    CONSTRAINT holds_released_is_empty CHECK (state = 'active' OR remaining_micros = 0)
);
CREATE INDEX holds_by_organisation ON holds (organisation_id) WHERE state = 'active';
