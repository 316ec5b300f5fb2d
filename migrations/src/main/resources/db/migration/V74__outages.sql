-- A provider that is away is probed, not asked. Its cells wait and cost no attempt.
CREATE TABLE pool_sight (
    provider        text        NOT NULL,
    account         text        NOT NULL,
    models          text        NOT NULL,
    worker_id       text        NOT NULL,
    run_since       timestamptz,
    answered_at     timestamptz,
    signal_at       timestamptz,
    in_flight_since timestamptz,
    told_at         timestamptz NOT NULL,
    PRIMARY KEY (provider, account, models, worker_id)
);
COMMENT ON TABLE pool_sight IS 'What a worker sees of a pool: how its calls there ended.';
COMMENT ON COLUMN pool_sight.provider IS 'The provider.';
COMMENT ON COLUMN pool_sight.account IS 'What the provider counts for.';
COMMENT ON COLUMN pool_sight.models IS 'The group of models; a model where no limits make a group.';
COMMENT ON COLUMN pool_sight.worker_id IS 'The worker.';
COMMENT ON COLUMN pool_sight.run_since IS 'Since when enough of its calls in a row have said that the provider is away; null: they do not say so.';
COMMENT ON COLUMN pool_sight.answered_at IS 'Its last answer; null: none.';
COMMENT ON COLUMN pool_sight.signal_at IS 'Its last call that ended with a signal of an outage; null: none.';
COMMENT ON COLUMN pool_sight.in_flight_since IS 'When its oldest call in flight was sent; null: none is.';
COMMENT ON COLUMN pool_sight.told_at IS 'When the worker said so.';

CREATE TABLE outage (
    provider     text        NOT NULL,
    account      text        NOT NULL,
    models       text        NOT NULL,
    worker_id    text        NOT NULL,
    reason       text        NOT NULL CONSTRAINT outage_reason CHECK (reason IN ('DOWN', 'AUTH', 'QUOTA')),
    since        timestamptz NOT NULL,
    signal       text        NOT NULL,
    probes       integer     NOT NULL,
    next_probe   timestamptz NOT NULL,
    probe_worker text,
    probe_cell   text,
    PRIMARY KEY (provider, account, models, worker_id)
);
COMMENT ON TABLE outage IS 'Pools that are down. No call goes there but one that probes.';
COMMENT ON COLUMN outage.provider IS 'The provider.';
COMMENT ON COLUMN outage.account IS 'What the provider counts for.';
COMMENT ON COLUMN outage.models IS 'The group of models, as in pool_sight.';
COMMENT ON COLUMN outage.worker_id IS 'The worker that gets no answer while others do; empty: nobody gets one.';
COMMENT ON COLUMN outage.reason IS 'DOWN: it does not answer; AUTH: its key was refused; QUOTA: its key has no quota left.';
COMMENT ON COLUMN outage.since IS 'From when on.';
COMMENT ON COLUMN outage.signal IS 'What the last failed call said.';
COMMENT ON COLUMN outage.probes IS 'Probes that failed.';
COMMENT ON COLUMN outage.next_probe IS 'Not before.';
COMMENT ON COLUMN outage.probe_worker IS 'Who sent the last probe; null: there was none.';
COMMENT ON COLUMN outage.probe_cell IS 'The cell whose call it was.';

ALTER TABLE ledger DROP CONSTRAINT ledger_no_attempt;
ALTER TABLE ledger ADD CONSTRAINT ledger_no_attempt CHECK (no_attempt IN ('STOPPED', 'UNSENT', 'OUTAGE')) NOT VALID;
COMMENT ON COLUMN ledger.no_attempt IS 'Why this request ended an attempt that does not count: STOPPED, its cell was stopped in good order; UNSENT, it was not sent; OUTAGE, the provider was away. Null: the attempt counts.';

ALTER TABLE cell ADD COLUMN outages smallint NOT NULL DEFAULT 0;
COMMENT ON COLUMN cell.outages IS 'Attempts that do not count since the provider was away.';

ALTER TABLE campaign ADD COLUMN paused_for text CONSTRAINT campaign_paused_for CHECK (paused_for IN ('PROVIDER_DOWN'));
COMMENT ON COLUMN campaign.paused_for IS 'What Assay paused it for; null: for what failure_reason says of PostgreSQL, or it is not paused by Assay.';
