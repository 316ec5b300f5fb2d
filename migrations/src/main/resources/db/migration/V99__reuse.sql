-- Stored answers are found by what they answer: the latest one first, of equals the one that was asked for, then the lowest campaign.
DROP INDEX outcome_by_request;
CREATE INDEX outcome_by_request
    ON outcome (request_key, request_rank, (coalesce(origin_trial, trial)), answered_at DESC, (source <> 'LIVE'), campaign_id)
    WHERE request_key IS NOT NULL;

-- Calls of judges and graders are copied, too.
ALTER TABLE judge_call ADD COLUMN source text NOT NULL DEFAULT 'LIVE',
    ADD COLUMN origin_campaign text,
    ADD COLUMN origin_case text,
    ADD COLUMN origin_trial integer,
    ADD COLUMN answered_at timestamptz,
    ADD COLUMN request_key text;
ALTER TABLE judge_call ADD CONSTRAINT judge_call_source_check CHECK (source IN ('LIVE', 'REUSED', 'IMPORTED')) NOT VALID;
COMMENT ON COLUMN judge_call.source IS 'LIVE: asked here; REUSED: a copy of a stored call; IMPORTED: another tool asked.';
COMMENT ON COLUMN judge_call.origin_campaign IS 'Of a copy: the campaign that first recorded the call, which may be deleted; null: this is the first record.';
COMMENT ON COLUMN judge_call.origin_case IS 'The case there.';
COMMENT ON COLUMN judge_call.origin_trial IS 'The repetition there, from 1.';
COMMENT ON COLUMN judge_call.answered_at IS 'When the call was first answered; null: an earlier build recorded it, and finished_at stands for it.';
COMMENT ON COLUMN judge_call.request_key IS 'SHA-256 of all that decides the request; null: the call cannot be reused.';
CREATE INDEX judge_call_by_request ON judge_call (request_key, member, answered_at DESC) WHERE request_key IS NOT NULL;
