-- Cells that are out: their requests are in a batch of their provider, which answers within a day.
CREATE TABLE provider_batch (
    id                  text PRIMARY KEY CHECK (id ~ '^[0-9a-f]{32}$'),
    campaign_id         text NOT NULL,
    epoch               integer NOT NULL,
    provider            text NOT NULL,
    model               text NOT NULL,
    kind                text NOT NULL CHECK (kind IN ('branch', 'judge', 'grade')),
    round               integer NOT NULL CHECK (round > 0),
    queue               text NOT NULL,
    key_name            text,
    account_hash        text,
    state               text NOT NULL CHECK (state IN ('BUILDING', 'UPLOADED', 'SUBMITTING', 'SUBMITTED', 'UNCERTAIN', 'ENDED',
                                                       'COLLECTED', 'REFUSED', 'ABANDONED')),
    provider_id         text,
    file_id             text,
    lines               integer NOT NULL CHECK (lines > 0),
    bytes               bigint NOT NULL CHECK (bytes >= 0),
    estimated_tokens    bigint NOT NULL CHECK (estimated_tokens >= 0),
    reserved_usd        numeric CHECK (reserved_usd >= 0),
    cost_usd            numeric CHECK (cost_usd >= 0),
    answered            integer NOT NULL DEFAULT 0,
    failed              integer NOT NULL DEFAULT 0,
    expired             integer NOT NULL DEFAULT 0,
    canceled            integer NOT NULL DEFAULT 0,
    missing             integer NOT NULL DEFAULT 0,
    duplicates          integer NOT NULL DEFAULT 0,
    strangers           integer NOT NULL DEFAULT 0,
    said_done           integer NOT NULL DEFAULT 0,
    tries               integer NOT NULL DEFAULT 0,
    clean_at            timestamptz,
    created_at          timestamptz NOT NULL DEFAULT now(),
    submitting_at       timestamptz,
    submitted_at        timestamptz,
    ended_at            timestamptz,
    collected_at        timestamptz,
    expires_at          timestamptz,
    deadline_at         timestamptz,
    next_poll_at        timestamptz,
    cancel_requested_at timestamptz,
    error_code          text,
    error_message       text
);
COMMENT ON TABLE provider_batch IS 'A batch of requests that one provider answers together, at the price of batches.';
COMMENT ON COLUMN provider_batch.id IS 'A UUID without hyphens; custom_ids begin with it.';
COMMENT ON COLUMN provider_batch.campaign_id IS 'Whose cells are in it.';
COMMENT ON COLUMN provider_batch.epoch IS 'The epoch of the campaign in which its cells were enlisted.';
COMMENT ON COLUMN provider_batch.provider IS 'The provider, by its name in Assay.';
COMMENT ON COLUMN provider_batch.model IS 'The model that all its lines ask.';
COMMENT ON COLUMN provider_batch.kind IS 'The kind of its cells.';
COMMENT ON COLUMN provider_batch.round IS 'The how many-th batch its cells are in, at most, from 1.';
COMMENT ON COLUMN provider_batch.queue IS 'The task queue of the workers that handle it.';
COMMENT ON COLUMN provider_batch.key_name IS 'The key with which it was submitted; null: not yet, or the provider needs none.';
COMMENT ON COLUMN provider_batch.account_hash IS 'SHA-256 of the account that the provider named; null: none.';
COMMENT ON COLUMN provider_batch.state IS 'BUILDING, UPLOADED, SUBMITTING, SUBMITTED, UNCERTAIN, ENDED; then COLLECTED, REFUSED or ABANDONED, and nothing is out.';
COMMENT ON COLUMN provider_batch.provider_id IS 'The provider''s name of it; null: not known.';
COMMENT ON COLUMN provider_batch.file_id IS 'The provider''s name of its file of requests; null: there is none.';
COMMENT ON COLUMN provider_batch.lines IS 'Requests in it.';
COMMENT ON COLUMN provider_batch.bytes IS 'Size of its lines.';
COMMENT ON COLUMN provider_batch.estimated_tokens IS 'Estimated input of its lines.';
COMMENT ON COLUMN provider_batch.reserved_usd IS 'What its lines cost at most, at the price of batches; null: not known.';
COMMENT ON COLUMN provider_batch.cost_usd IS 'What its answers cost so far; null: none has a known cost.';
COMMENT ON COLUMN provider_batch.answered IS 'Lines with an answer.';
COMMENT ON COLUMN provider_batch.failed IS 'Lines that the provider refused or failed.';
COMMENT ON COLUMN provider_batch.expired IS 'Lines that it did not reach in time.';
COMMENT ON COLUMN provider_batch.canceled IS 'Lines that it did not reach before it was cancelled.';
COMMENT ON COLUMN provider_batch.missing IS 'Lines of which its files say nothing that can be read.';
COMMENT ON COLUMN provider_batch.duplicates IS 'Result lines of requests that had ended.';
COMMENT ON COLUMN provider_batch.strangers IS 'Result lines of requests that are none of ours.';
COMMENT ON COLUMN provider_batch.said_done IS 'Lines that the provider said it had finished, at the latest look.';
COMMENT ON COLUMN provider_batch.tries IS 'Failed readings of its results, in a row.';
COMMENT ON COLUMN provider_batch.clean_at IS 'When a complete list of the account first did not have it, while it is not known whether it was accepted.';
COMMENT ON COLUMN provider_batch.created_at IS 'When its cells were enlisted.';
COMMENT ON COLUMN provider_batch.submitting_at IS 'When the one submission was about to be sent.';
COMMENT ON COLUMN provider_batch.submitted_at IS 'When it was known that the provider has it.';
COMMENT ON COLUMN provider_batch.ended_at IS 'When it was known that no line changes any more.';
COMMENT ON COLUMN provider_batch.collected_at IS 'When the last of its lines was recorded.';
COMMENT ON COLUMN provider_batch.expires_at IS 'When the provider gives up; null: it does not say.';
COMMENT ON COLUMN provider_batch.deadline_at IS 'When it is cancelled, since its campaign''s deadline is reached; null: never.';
COMMENT ON COLUMN provider_batch.next_poll_at IS 'When it is looked at next.';
COMMENT ON COLUMN provider_batch.cancel_requested_at IS 'When it was to be cancelled; null: it was not.';
COMMENT ON COLUMN provider_batch.error_code IS 'What went wrong with it last; null: nothing.';
COMMENT ON COLUMN provider_batch.error_message IS 'The same in words, the provider''s own where it gave some.';
CREATE INDEX provider_batch_by_campaign ON provider_batch (campaign_id, created_at);
CREATE INDEX provider_batch_out ON provider_batch (provider, model) WHERE state NOT IN ('COLLECTED', 'REFUSED', 'ABANDONED');
CREATE INDEX provider_batch_by_provider_id ON provider_batch (provider_id) WHERE provider_id IS NOT NULL;
CREATE INDEX provider_batch_ended ON provider_batch (provider, model, ended_at DESC) WHERE state IN ('COLLECTED', 'REFUSED');
CREATE INDEX provider_batch_by_time ON provider_batch (created_at DESC, id);

CREATE TABLE provider_batch_item (
    campaign_id text NOT NULL,
    request_id  bigint NOT NULL,
    batch_id    text NOT NULL,
    ordinal     integer NOT NULL CHECK (ordinal >= 0),
    kind        text NOT NULL,
    member      integer NOT NULL CHECK (member >= 0),
    attempt     integer NOT NULL CHECK (attempt > 0),
    state       text NOT NULL CHECK (state IN ('OUT', 'ANSWERED', 'FAILED', 'EXPIRED', 'CANCELED', 'MISSING', 'NOT_SENT')),
    error_code  text,
    PRIMARY KEY (campaign_id, request_id)
) WITH (fillfactor = 80);
COMMENT ON TABLE provider_batch_item IS 'A request in a batch of a provider: one line of its file.';
COMMENT ON COLUMN provider_batch_item.campaign_id IS 'The campaign, as are ordinal, kind and member: the cell.';
COMMENT ON COLUMN provider_batch_item.request_id IS 'Its row in the ledger; the end of its custom_id.';
COMMENT ON COLUMN provider_batch_item.batch_id IS 'The batch.';
COMMENT ON COLUMN provider_batch_item.ordinal IS 'Number of the trial.';
COMMENT ON COLUMN provider_batch_item.kind IS 'The kind of the cell.';
COMMENT ON COLUMN provider_batch_item.member IS 'The branch''s index, or the number of the call.';
COMMENT ON COLUMN provider_batch_item.attempt IS 'Which attempt at the cell it is, from 1.';
COMMENT ON COLUMN provider_batch_item.state IS 'OUT; then ANSWERED, FAILED, EXPIRED, CANCELED, MISSING or NOT_SENT.';
COMMENT ON COLUMN provider_batch_item.error_code IS 'Why it has no answer; null: it has one, or is out.';
CREATE UNIQUE INDEX provider_batch_item_out ON provider_batch_item (campaign_id, ordinal, kind, member) WHERE state = 'OUT';
CREATE INDEX provider_batch_item_of_batch ON provider_batch_item (batch_id, request_id);

ALTER TABLE ledger ADD COLUMN batch_id text;
COMMENT ON COLUMN ledger.batch_id IS 'The batch of the provider that the request is in; null: it was sent live.';
ALTER TABLE ledger DROP CONSTRAINT ledger_no_attempt;
ALTER TABLE ledger ADD CONSTRAINT ledger_no_attempt CHECK (no_attempt IN ('STOPPED', 'UNSENT', 'OUTAGE', 'KEY', 'RATE', 'BATCH')) NOT VALID;
COMMENT ON COLUMN ledger.no_attempt IS 'Why this request ended an attempt that does not count: STOPPED, its cell was stopped in good order; UNSENT, it was not sent; OUTAGE, the provider was away; KEY, its key was refused; RATE, a limit refused it; BATCH, its batch ended before it was reached. Null: the attempt counts.';

ALTER TABLE cell ADD COLUMN batches integer NOT NULL DEFAULT 0;
ALTER TABLE cell ADD COLUMN goes_live boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN cell.batches IS 'Batches of its provider that it has been in since it was opened.';
COMMENT ON COLUMN cell.goes_live IS 'Whether it is asked live from now on, though its branch is asked in batches.';

ALTER TABLE outcome ADD COLUMN delivery text NOT NULL DEFAULT 'LIVE',
    ADD COLUMN batch_id text,
    ADD COLUMN cost_assumed boolean NOT NULL DEFAULT false;
ALTER TABLE outcome ADD CONSTRAINT outcome_delivery_check CHECK (delivery IN ('LIVE', 'BATCH')) NOT VALID;
COMMENT ON COLUMN outcome.delivery IS 'LIVE, or BATCH: a batch of the provider brought the answer, and latency_ms is 0, which means nothing.';
COMMENT ON COLUMN outcome.batch_id IS 'The batch that brought it; null: none.';
COMMENT ON COLUMN outcome.cost_assumed IS 'Whether its cost is half the live price, since no price of batches is configured.';
ALTER TABLE judge_call ADD COLUMN delivery text NOT NULL DEFAULT 'LIVE',
    ADD COLUMN batch_id text,
    ADD COLUMN cost_assumed boolean NOT NULL DEFAULT false;
ALTER TABLE judge_call ADD CONSTRAINT judge_call_delivery_check CHECK (delivery IN ('LIVE', 'BATCH')) NOT VALID;
COMMENT ON COLUMN judge_call.delivery IS 'LIVE, or BATCH: a batch of the provider brought the reply.';
COMMENT ON COLUMN judge_call.batch_id IS 'The batch that brought it; null: none.';
COMMENT ON COLUMN judge_call.cost_assumed IS 'Whether its cost is half the live price, since no price of batches is configured.';

ALTER TABLE worker ADD COLUMN makes_batches boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN worker.makes_batches IS 'Whether its build knows batches of providers: no cell goes out in one while an earlier build runs.';
