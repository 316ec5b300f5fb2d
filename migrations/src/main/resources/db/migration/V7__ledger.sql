-- Every request to a provider: written before it is sent, settled after.
CREATE SEQUENCE ledger_request_id AS bigint CACHE 1 INCREMENT 1;
COMMENT ON SEQUENCE ledger_request_id IS 'Ids of ledger rows; workers take them in blocks.';

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
COMMENT ON COLUMN ledger.request_id IS 'Taken from ledger_request_id.';
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
