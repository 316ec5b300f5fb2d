-- Turns of agent loops that are under way. A loop of one turn has none; a cell's rows go when it gets its final outcome.
CREATE TABLE turn (
    campaign_id         text NOT NULL REFERENCES campaign,
    ordinal             integer NOT NULL CHECK (ordinal >= 0),
    branch_index        integer NOT NULL CHECK (branch_index >= 0),
    turn                integer NOT NULL CHECK (turn > 0),
    worker_id           text NOT NULL,
    message             jsonb NOT NULL,
    input_tokens        bigint NOT NULL CHECK (input_tokens >= 0),
    output_tokens       bigint NOT NULL CHECK (output_tokens >= 0),
    reasoning_tokens    bigint NOT NULL CHECK (reasoning_tokens >= 0),
    cache_read_tokens   bigint NOT NULL CHECK (cache_read_tokens >= 0),
    cache_write_tokens  bigint NOT NULL CHECK (cache_write_tokens >= 0),
    total_tokens        bigint NOT NULL CHECK (total_tokens >= 0),
    cost_usd            numeric CHECK (cost_usd >= 0),
    latency_ms          bigint NOT NULL CHECK (latency_ms >= 0),
    elapsed_ms          bigint NOT NULL CHECK (elapsed_ms >= 0),
    recorded_at         timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (campaign_id, ordinal, branch_index, turn)
);
COMMENT ON TABLE turn IS 'A turn that called tools, recorded before they ran: an attempt that is made again goes on from there.';
COMMENT ON COLUMN turn.campaign_id IS 'The campaign.';
COMMENT ON COLUMN turn.ordinal IS 'Number of the trial: (trial - 1) * case_count + case_index.';
COMMENT ON COLUMN turn.branch_index IS 'The branch.';
COMMENT ON COLUMN turn.turn IS 'Which turn of the loop, from 1, whatever attempt ran it.';
COMMENT ON COLUMN turn.worker_id IS 'The worker that ran it.';
COMMENT ON COLUMN turn.message IS 'What the model answered.';
COMMENT ON COLUMN turn.input_tokens IS 'Tokens of the request.';
COMMENT ON COLUMN turn.output_tokens IS 'Tokens of the answer, reasoning included.';
COMMENT ON COLUMN turn.reasoning_tokens IS 'Tokens of output_tokens that were reasoning.';
COMMENT ON COLUMN turn.cache_read_tokens IS 'Tokens of input_tokens that came from the provider''s cache.';
COMMENT ON COLUMN turn.cache_write_tokens IS 'Tokens written to the provider''s cache.';
COMMENT ON COLUMN turn.total_tokens IS 'All tokens as the provider counts them.';
COMMENT ON COLUMN turn.cost_usd IS 'Cost in US dollars; null where no price is known.';
COMMENT ON COLUMN turn.latency_ms IS 'Milliseconds that the model took.';
COMMENT ON COLUMN turn.elapsed_ms IS 'Milliseconds of the loop until the model had answered, over all attempts.';
COMMENT ON COLUMN turn.recorded_at IS 'When it was recorded.';

CREATE TABLE tool_result (
    campaign_id   text NOT NULL,
    ordinal       integer NOT NULL,
    branch_index  integer NOT NULL,
    turn          integer NOT NULL,
    call          integer NOT NULL CHECK (call >= 0),
    result        jsonb,
    started_at    timestamptz NOT NULL DEFAULT now(),
    finished_at   timestamptz,
    PRIMARY KEY (campaign_id, ordinal, branch_index, turn, call),
    FOREIGN KEY (campaign_id, ordinal, branch_index, turn) REFERENCES turn ON DELETE CASCADE,
    CHECK ((result IS NULL) = (finished_at IS NULL))
);
COMMENT ON TABLE tool_result IS 'A tool call of a recorded turn: a row before it runs when it must not run twice, else one with its result.';
COMMENT ON COLUMN tool_result.campaign_id IS 'The campaign.';
COMMENT ON COLUMN tool_result.ordinal IS 'Number of the trial, as in turn.';
COMMENT ON COLUMN tool_result.branch_index IS 'The branch.';
COMMENT ON COLUMN tool_result.turn IS 'The turn that made the call.';
COMMENT ON COLUMN tool_result.call IS 'Its place among the calls of the turn, from 0.';
COMMENT ON COLUMN tool_result.result IS 'What the model is told; null: the call was begun, and nobody knows yet how it ended.';
COMMENT ON COLUMN tool_result.started_at IS 'When the row was written: before the call, or with its result.';
COMMENT ON COLUMN tool_result.finished_at IS 'When the result was recorded; null before.';
