-- A key that is refused is probed, not asked. Two workers with other values of a key have other keys.
CREATE TABLE key_use (
    provider    text        NOT NULL,
    key_name    text        NOT NULL,
    worker_id   text        NOT NULL,
    fingerprint text        NOT NULL,
    taken_at    timestamptz,
    told_at     timestamptz NOT NULL,
    PRIMARY KEY (provider, key_name, worker_id)
);
COMMENT ON TABLE key_use IS 'Which keys of providers workers have.';
COMMENT ON COLUMN key_use.provider IS 'The provider.';
COMMENT ON COLUMN key_use.key_name IS 'What people call the key.';
COMMENT ON COLUMN key_use.worker_id IS 'The worker.';
COMMENT ON COLUMN key_use.fingerprint IS 'HMAC-SHA-256 of the value with the installation''s id, 12 hexadecimal digits. The value is stored nowhere.';
COMMENT ON COLUMN key_use.taken_at IS 'When a call of this worker with this value was last answered, at most ten seconds late; null: none was.';
COMMENT ON COLUMN key_use.told_at IS 'When the worker last said so.';

ALTER TABLE outage ADD COLUMN key text NOT NULL DEFAULT '';
ALTER TABLE outage ADD COLUMN refused_at timestamptz;
ALTER TABLE outage DROP CONSTRAINT outage_pkey;
ALTER TABLE outage ADD CONSTRAINT outage_pkey PRIMARY KEY (provider, account, models, worker_id, key);
ALTER TABLE outage ADD CONSTRAINT outage_key CHECK ((key = '') = (reason = 'DOWN'));
COMMENT ON COLUMN outage.key IS 'The key that was refused: its name, a slash and its fingerprint, as in key_use. It is down for workers with this value. Empty: the provider does not answer.';
COMMENT ON COLUMN outage.refused_at IS 'The last refusal of the key in this pool; null: none there, or it is not about a key.';
COMMENT ON COLUMN outage.probes IS 'Probes that failed. The refusals of a key in this pool count as one.';

CREATE FUNCTION provider_has_key(asked text) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN EXISTS (
        SELECT FROM key_use u JOIN worker w ON w.worker_id = u.worker_id AND worker_is_live(w.lease_until)
        WHERE u.provider = asked AND NOT EXISTS (
            SELECT FROM outage r WHERE r.provider = u.provider AND r.key = u.key_name || '/' || u.fingerprint));
COMMENT ON FUNCTION provider_has_key IS 'Whether a live worker has a key of a provider that is not refused.';

ALTER TABLE ledger DROP CONSTRAINT ledger_no_attempt;
ALTER TABLE ledger ADD CONSTRAINT ledger_no_attempt CHECK (no_attempt IN ('STOPPED', 'UNSENT', 'OUTAGE', 'KEY')) NOT VALID;
COMMENT ON COLUMN ledger.no_attempt IS 'Why this request ended an attempt that does not count: STOPPED, its cell was stopped in good order; UNSENT, it was not sent; OUTAGE, the provider was away; KEY, its key was refused. Null: the attempt counts.';
COMMENT ON COLUMN cell.outages IS 'Attempts that do not count since the provider was away, or refused the key.';

ALTER TABLE campaign ADD COLUMN max_outage_ms bigint CONSTRAINT campaign_max_outage CHECK (max_outage_ms BETWEEN 0 AND 604800000);
COMMENT ON COLUMN campaign.max_outage_ms IS 'How long it waits for a provider that is down before it is paused, as a user changed it; null: as the definition says.';
