-- Every request to a provider: written before it is sent, settled after.
CREATE SEQUENCE ledger_block AS bigint;
COMMENT ON SEQUENCE ledger_block IS 'Workers take ids of ledger rows in blocks of 1,000: block n holds n * 1000 to n * 1000 + 999.';

CREATE TABLE ledger (
    request_id           bigint PRIMARY KEY,
    campaign_id          text NOT NULL REFERENCES campaign,
    ordinal              integer NOT NULL CHECK (ordinal >= 0),
    kind                 text NOT NULL CHECK (kind IN ('branch', 'judge')),
    member               integer NOT NULL CHECK (member >= 0),
    attempt              integer NOT NULL CHECK (attempt > 0),
    turn                 integer NOT NULL CHECK (turn > 0),
    provider             text NOT NULL,
    model                text NOT NULL,
    worker_id            text NOT NULL,
    epoch                integer NOT NULL,
    reserved_usd         numeric CHECK (reserved_usd >= 0),
    sent_at              timestamptz NOT NULL DEFAULT now(),
    state                text NOT NULL CHECK (state IN ('SENT', 'ANSWERED', 'FAILED', 'UNKNOWN')),
    settled_at           timestamptz,
    cost_usd             numeric CHECK (cost_usd >= 0),
    total_tokens         bigint,
    error_code           text,
    CHECK ((state = 'SENT') = (settled_at IS NULL))
) WITH (fillfactor = 80);
COMMENT ON TABLE ledger IS 'One row for each request to a provider, written before it is sent and settled after.';
COMMENT ON COLUMN ledger.request_id IS 'From a block of ledger_block.';
COMMENT ON COLUMN ledger.campaign_id IS 'The campaign, as are ordinal, kind and member: the cell.';
COMMENT ON COLUMN ledger.ordinal IS 'Number of the trial.';
COMMENT ON COLUMN ledger.kind IS 'branch or judge.';
COMMENT ON COLUMN ledger.member IS 'The branch''s index, or the number of the judge call.';
COMMENT ON COLUMN ledger.attempt IS 'Which attempt of the cell, from 1.';
COMMENT ON COLUMN ledger.turn IS 'Which turn of the agent loop, from 1.';
COMMENT ON COLUMN ledger.provider IS 'Who was asked.';
COMMENT ON COLUMN ledger.model IS 'Which model.';
COMMENT ON COLUMN ledger.worker_id IS 'The worker that sent it.';
COMMENT ON COLUMN ledger.epoch IS 'The campaign''s epoch.';
COMMENT ON COLUMN ledger.reserved_usd IS 'Worst case in US dollars; null where no price is known.';
COMMENT ON COLUMN ledger.sent_at IS 'When the row was written, just before the request.';
COMMENT ON COLUMN ledger.state IS 'SENT: no answer yet; ANSWERED; FAILED; UNKNOWN: its worker died, it counts at its reservation.';
COMMENT ON COLUMN ledger.settled_at IS 'When the answer, the error or the death of the worker was recorded; null while SENT.';
COMMENT ON COLUMN ledger.cost_usd IS 'What it cost in US dollars; null where no price is known.';
COMMENT ON COLUMN ledger.total_tokens IS 'Tokens of the answer; null when there was none.';
COMMENT ON COLUMN ledger.error_code IS 'Why it failed; null when it did not.';
-- Budget: what a campaign has spent and reserved.
CREATE INDEX ledger_by_campaign ON ledger (campaign_id, state);
-- The sweep: requests that dead workers left unsettled.
CREATE INDEX ledger_unsettled ON ledger (worker_id) WHERE state = 'SENT';

CREATE TABLE budget (
    campaign_id    text PRIMARY KEY REFERENCES campaign,
    spent_usd      numeric NOT NULL DEFAULT 0 CHECK (spent_usd >= 0),
    reserved_usd   numeric NOT NULL DEFAULT 0 CHECK (reserved_usd >= 0)
) WITH (fillfactor = 50);
COMMENT ON TABLE budget IS 'Running totals of the ledger of a campaign that has a budget; changed in the transactions that change the ledger.';
COMMENT ON COLUMN budget.campaign_id IS 'The campaign.';
COMMENT ON COLUMN budget.spent_usd IS 'Settled requests, and those whose worker died at their reservation, in US dollars.';
COMMENT ON COLUMN budget.reserved_usd IS 'Worst case of the requests in flight, in US dollars.';
