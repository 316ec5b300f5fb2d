-- Refusals of providers: they block a pool for all workers, cut its calls in flight, and are no attempts. Answers teach limits.
CREATE TABLE pool_throttle (
    provider      text        NOT NULL,
    account       text        NOT NULL,
    models        text        NOT NULL,
    blocked_until timestamptz,
    blocks        integer     NOT NULL,
    in_row        integer     NOT NULL,
    least         integer     NOT NULL,
    calls         integer     NOT NULL,
    most          integer     NOT NULL,
    phase         text        NOT NULL CONSTRAINT pool_throttle_phase CHECK (phase IN ('SLOW_START', 'STEADY')),
    cuts          integer     NOT NULL,
    clean         integer     NOT NULL,
    changed_at    timestamptz NOT NULL,
    CONSTRAINT pool_throttle_calls CHECK (1 <= least AND least <= calls AND calls <= most),
    PRIMARY KEY (provider, account, models)
) WITH (fillfactor = 50);
COMMENT ON TABLE pool_throttle IS 'What answers have made of pools: until when nothing is sent there, and how many calls may be in flight.';
COMMENT ON COLUMN pool_throttle.provider IS 'The provider; http/ and the host for a system under test.';
COMMENT ON COLUMN pool_throttle.account IS 'default: all accounts of the provider together.';
COMMENT ON COLUMN pool_throttle.models IS 'The pattern of an entry of the settings; the model where none matches.';
COMMENT ON COLUMN pool_throttle.blocked_until IS 'Nothing is sent before; null: it was not blocked when the row was last written.';
COMMENT ON COLUMN pool_throttle.blocks IS 'How often it was blocked. A request knows the number of its time: a burst of refusals blocks once.';
COMMENT ON COLUMN pool_throttle.in_row IS 'How many blocks have come in a row, without an answer between.';
COMMENT ON COLUMN pool_throttle.least IS 'The fewest calls in flight, as the settings say.';
COMMENT ON COLUMN pool_throttle.calls IS 'How many calls may be in flight over all workers.';
COMMENT ON COLUMN pool_throttle.most IS 'The most calls in flight, as the settings say.';
COMMENT ON COLUMN pool_throttle.phase IS 'SLOW_START: the number doubles; STEADY: it grows by a twentieth.';
COMMENT ON COLUMN pool_throttle.cuts IS 'How often the number was cut, or begun anew. A burst of refusals cuts once.';
COMMENT ON COLUMN pool_throttle.clean IS 'Answers since the number last changed, of those that count.';
COMMENT ON COLUMN pool_throttle.changed_at IS 'When the row was last written.';

CREATE TABLE pool_refusal (
    provider text        NOT NULL,
    account  text        NOT NULL,
    models   text        NOT NULL,
    kind     text        NOT NULL CONSTRAINT pool_refusal_kind CHECK (kind IN ('RATE', 'CONCURRENCY', 'OTHER')),
    minute   timestamptz NOT NULL,
    refusals integer     NOT NULL,
    PRIMARY KEY (provider, account, models, kind, minute)
);
COMMENT ON TABLE pool_refusal IS 'How often pools refused, by the minute. Those of an hour are kept.';
COMMENT ON COLUMN pool_refusal.provider IS 'The provider, as in pool_throttle.';
COMMENT ON COLUMN pool_refusal.account IS 'As in pool_throttle.';
COMMENT ON COLUMN pool_refusal.models IS 'The group of models, as in pool_throttle.';
COMMENT ON COLUMN pool_refusal.kind IS 'RATE: a limit was used up; CONCURRENCY: too many calls were in flight; OTHER: it asked to wait.';
COMMENT ON COLUMN pool_refusal.minute IS 'The minute in which they came.';
COMMENT ON COLUMN pool_refusal.refusals IS 'How many. Those that a worker tells twice count twice.';

CREATE TABLE limit_learned (
    provider   text        NOT NULL,
    account    text        NOT NULL,
    models     text        NOT NULL,
    name       text        NOT NULL,
    units      bigint      NOT NULL CONSTRAINT limit_learned_units CHECK (units >= 1),
    learned_at timestamptz NOT NULL,
    PRIMARY KEY (provider, account, models, name)
);
COMMENT ON TABLE limit_learned IS 'Limits of pools as answers of the provider say them.';
COMMENT ON COLUMN limit_learned.provider IS 'The provider, as in pool_throttle.';
COMMENT ON COLUMN limit_learned.account IS 'What the provider counts for: the account of the key that the request bore.';
COMMENT ON COLUMN limit_learned.models IS 'The group of models, as in pool_throttle.';
COMMENT ON COLUMN limit_learned.name IS 'The limit, as it is called in the settings.';
COMMENT ON COLUMN limit_learned.units IS 'Units a period.';
COMMENT ON COLUMN limit_learned.learned_at IS 'When an answer said another number than before, or the first.';

ALTER TABLE cell ADD COLUMN refusals smallint NOT NULL DEFAULT 0;
COMMENT ON COLUMN cell.refusals IS 'Attempts that do not count since the provider refused them for now.';

ALTER TABLE ledger DROP CONSTRAINT ledger_no_attempt;
ALTER TABLE ledger ADD CONSTRAINT ledger_no_attempt CHECK (no_attempt IN ('STOPPED', 'UNSENT', 'OUTAGE', 'KEY', 'RATE')) NOT VALID;
COMMENT ON COLUMN ledger.no_attempt IS 'Why this request ended an attempt that does not count: STOPPED, its cell was stopped in good order; UNSENT, it was not sent; OUTAGE, the provider was away; KEY, its key was refused; RATE, a limit refused it. Null: the attempt counts.';
