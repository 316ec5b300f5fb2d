-- Limits of providers, kept over all workers: what was spent, and who waits for units.
CREATE TABLE limit_spending (
    provider      text        NOT NULL,
    account       text        NOT NULL,
    models        text        NOT NULL,
    name          text        NOT NULL,
    units         bigint      NOT NULL CONSTRAINT limit_spending_units CHECK (units >= 1),
    burst_seconds integer     NOT NULL,
    reckoned_at   timestamptz NOT NULL,
    credit        bigint      NOT NULL,
    slots         bigint[]    NOT NULL,
    slot_units    bigint[]    NOT NULL,
    CONSTRAINT limit_spending_slots CHECK (cardinality(slots) = cardinality(slot_units)),
    PRIMARY KEY (provider, account, models, name)
) WITH (fillfactor = 50);
COMMENT ON TABLE limit_spending IS 'Units that were spent of each limit of a pool. They count for 62 s, of a day for 24 h 20 min.';
COMMENT ON COLUMN limit_spending.provider IS 'The provider; http/ and the host for a system under test.';
COMMENT ON COLUMN limit_spending.account IS 'What the provider counts for.';
COMMENT ON COLUMN limit_spending.models IS 'The pattern of an entry of the settings.';
COMMENT ON COLUMN limit_spending.name IS 'The limit, as it is called in the settings: requestsPerMinute, tokensPerDay and so on.';
COMMENT ON COLUMN limit_spending.units IS 'Units a period, as they were in force last.';
COMMENT ON COLUMN limit_spending.burst_seconds IS 'So many seconds'' worth may go at once after a pause.';
COMMENT ON COLUMN limit_spending.reckoned_at IS 'The time up to which it is reckoned. It never goes back.';
COMMENT ON COLUMN limit_spending.credit IS 'The level of the pace, in units × milliseconds of the time for which charges count.';
COMMENT ON COLUMN limit_spending.slots IS 'Numbers of the slots in which something was spent: of 500 ms since 1970, of 10 min for a day.';
COMMENT ON COLUMN limit_spending.slot_units IS 'Units that were spent in each of them.';

CREATE TABLE limit_wish (
    provider  text        NOT NULL,
    account   text        NOT NULL,
    models    text        NOT NULL,
    worker_id text        NOT NULL,
    waiting   integer     NOT NULL,
    urgent    boolean     NOT NULL,
    requests  bigint,
    input     bigint,
    output    bigint,
    tokens    bigint,
    told_at   timestamptz NOT NULL,
    served_at timestamptz NOT NULL,
    corrected bigint      NOT NULL,
    PRIMARY KEY (provider, account, models, worker_id)
) WITH (fillfactor = 50);
COMMENT ON TABLE limit_wish IS 'What workers wait for in a pool that has limits.';
COMMENT ON COLUMN limit_wish.provider IS 'The provider, as in limit_spending.';
COMMENT ON COLUMN limit_wish.account IS 'What the provider counts for.';
COMMENT ON COLUMN limit_wish.models IS 'The pattern of an entry of the settings.';
COMMENT ON COLUMN limit_wish.worker_id IS 'The worker.';
COMMENT ON COLUMN limit_wish.waiting IS 'Calls of it that wait for units.';
COMMENT ON COLUMN limit_wish.urgent IS 'Whether the first of them is of an evaluation.';
COMMENT ON COLUMN limit_wish.requests IS 'Requests that the first of them spends; null: nothing waits.';
COMMENT ON COLUMN limit_wish.input IS 'Tokens of input that it spends.';
COMMENT ON COLUMN limit_wish.output IS 'Tokens of output that it spends.';
COMMENT ON COLUMN limit_wish.tokens IS 'What counts of both together.';
COMMENT ON COLUMN limit_wish.told_at IS 'When the worker said so. What is older than a second counts no more.';
COMMENT ON COLUMN limit_wish.served_at IS 'When units were last granted to it; when it first asked, where none were.';
COMMENT ON COLUMN limit_wish.corrected IS 'The number of the last corrections of its charges that were applied. What is sent twice is applied once.';
