-- People set how many calls of a group may be in flight; workers say how many are.
CREATE TABLE manual_calls (
    provider   text        NOT NULL,
    models     text        NOT NULL,
    least      integer     NOT NULL,
    most       integer     NOT NULL,
    who        text        NOT NULL,
    reason     text        NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT manual_calls_range CHECK (1 <= least AND least <= most),
    PRIMARY KEY (provider, models)
);
COMMENT ON TABLE manual_calls IS 'Bounds of calls in flight that people set. Each replaces what is configured, on all workers, until it is taken back.';
COMMENT ON COLUMN manual_calls.provider IS 'The provider.';
COMMENT ON COLUMN manual_calls.models IS 'The group of models, as in pool_throttle.';
COMMENT ON COLUMN manual_calls.least IS 'The fewest calls.';
COMMENT ON COLUMN manual_calls.most IS 'The most calls; with as few as least their number is fixed.';
COMMENT ON COLUMN manual_calls.who IS 'The name of the token; local: a user of the server''s machine.';
COMMENT ON COLUMN manual_calls.reason IS 'Why, in the words of that person.';
COMMENT ON COLUMN manual_calls.changed_at IS 'When they were set.';

ALTER TABLE worker ADD COLUMN pool_calls jsonb;
COMMENT ON COLUMN worker.pool_calls IS 'Calls in flight and cells that wait for a permit, by pool, as the worker says once a second; null: an earlier build does not.';

COMMENT ON TABLE limit_change IS 'What changed of the limits of pools. Rows stay; growth, and what answers say, is one row a minute and pool.';
COMMENT ON COLUMN limit_change.name IS 'What changed: a limit, as it is called in the settings; concurrent: the calls in flight; key/ and the name of a key.';
COMMENT ON COLUMN limit_change.why IS 'configured: the settings of workers; manual: a person; header: an answer; slow_start, growth, cut: calls in flight; key: a key.';

-- Changes come often now: what is looked for must not be searched among them.
CREATE INDEX limit_change_provider ON limit_change (provider, change_id);
CREATE INDEX limit_change_configured ON limit_change (provider, account, models, name, change_id) WHERE why = 'configured';
