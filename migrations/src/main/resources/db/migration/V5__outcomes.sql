-- What branches produced and what checks said of it.
CREATE TABLE outcome (
    campaign_id               text NOT NULL REFERENCES campaign,
    ordinal                   integer NOT NULL CHECK (ordinal >= 0),
    branch_index              integer NOT NULL CHECK (branch_index >= 0),
    case_index                integer NOT NULL CHECK (case_index >= 0),
    trial                     integer NOT NULL CHECK (trial > 0),
    epoch                     integer NOT NULL,
    loop_id                   text NOT NULL,
    status                    text NOT NULL CHECK (status IN ('COMPLETED', 'LIMIT', 'MODEL_ERROR', 'TIMED_OUT', 'CANCELLED', 'BUDGET_SKIPPED')),
    passed                    boolean,
    response                  text NOT NULL,
    messages                  jsonb NOT NULL,
    original_context_length   integer NOT NULL CHECK (original_context_length >= 0),
    input_tokens              bigint NOT NULL CHECK (input_tokens >= 0),
    output_tokens             bigint NOT NULL CHECK (output_tokens >= 0),
    reasoning_tokens          bigint NOT NULL CHECK (reasoning_tokens >= 0),
    cache_read_tokens         bigint NOT NULL CHECK (cache_read_tokens >= 0),
    cache_write_tokens        bigint NOT NULL CHECK (cache_write_tokens >= 0),
    total_tokens              bigint NOT NULL CHECK (total_tokens >= 0),
    cost_usd                  numeric CHECK (cost_usd >= 0),
    latency_ms                bigint NOT NULL CHECK (latency_ms >= 0),
    attempts                  integer NOT NULL CHECK (attempts >= 0),
    error_code                text,
    error_message             text,
    checks                    jsonb NOT NULL,
    finished_at               timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (campaign_id, ordinal, branch_index)
);
COMMENT ON TABLE outcome IS 'What one branch produced in one trial.';
COMMENT ON COLUMN outcome.campaign_id IS 'The campaign.';
COMMENT ON COLUMN outcome.ordinal IS 'Number of the trial: (trial - 1) * case_count + case_index.';
COMMENT ON COLUMN outcome.branch_index IS 'The branch.';
COMMENT ON COLUMN outcome.case_index IS 'The case.';
COMMENT ON COLUMN outcome.trial IS 'Which repetition of the case, from 1.';
COMMENT ON COLUMN outcome.epoch IS 'The campaign''s epoch in which it was recorded.';
COMMENT ON COLUMN outcome.loop_id IS 'Name of the agent loop: {session}.{segment}.{N}.';
COMMENT ON COLUMN outcome.status IS 'How the cell ended; CANCELLED and BUDGET_SKIPPED are not final.';
COMMENT ON COLUMN outcome.passed IS 'Whether the trial passes on this branch; null: no evidence (not final, or a required check is unscored).';
COMMENT ON COLUMN outcome.response IS 'The text that checks and judges read; empty when there is none.';
COMMENT ON COLUMN outcome.messages IS 'Messages that the branch added to the context, the prompt first.';
COMMENT ON COLUMN outcome.original_context_length IS 'Messages of the context before the branch added any.';
COMMENT ON COLUMN outcome.input_tokens IS 'Tokens of the prompts.';
COMMENT ON COLUMN outcome.output_tokens IS 'Tokens of the answers, reasoning included.';
COMMENT ON COLUMN outcome.reasoning_tokens IS 'Tokens of output_tokens that were reasoning.';
COMMENT ON COLUMN outcome.cache_read_tokens IS 'Tokens of input_tokens that came from the provider''s cache.';
COMMENT ON COLUMN outcome.cache_write_tokens IS 'Tokens written to the provider''s cache.';
COMMENT ON COLUMN outcome.total_tokens IS 'All tokens as the provider counts them.';
COMMENT ON COLUMN outcome.cost_usd IS 'Cost in US dollars; null where no price is known.';
COMMENT ON COLUMN outcome.latency_ms IS 'Milliseconds from the first request to the last answer of the attempt that ended the cell.';
COMMENT ON COLUMN outcome.attempts IS 'How often the cell was tried.';
COMMENT ON COLUMN outcome.error_code IS 'Why it did not complete; null when it did.';
COMMENT ON COLUMN outcome.error_message IS 'The same for people.';
COMMENT ON COLUMN outcome.checks IS 'What each check said: type, status, score, reason, required.';
COMMENT ON COLUMN outcome.finished_at IS 'When it was recorded.';

CREATE TABLE progress (
    campaign_id    text NOT NULL REFERENCES campaign,
    kind           text NOT NULL CHECK (kind IN ('branch', 'trial')),
    member         integer NOT NULL CHECK (member >= 0),
    shard          text NOT NULL,
    cells_done     bigint NOT NULL DEFAULT 0,
    cells_passed   bigint NOT NULL DEFAULT 0,
    cells_failed   bigint NOT NULL DEFAULT 0,
    input_tokens   bigint NOT NULL DEFAULT 0,
    output_tokens  bigint NOT NULL DEFAULT 0,
    reasoning_tokens    bigint NOT NULL DEFAULT 0,
    cache_read_tokens   bigint NOT NULL DEFAULT 0,
    cache_write_tokens  bigint NOT NULL DEFAULT 0,
    total_tokens   bigint NOT NULL DEFAULT 0,
    cost_usd       numeric,
    trials_done    bigint NOT NULL DEFAULT 0,
    wins           bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (campaign_id, kind, member, shard)
) WITH (fillfactor = 50);
COMMENT ON TABLE progress IS 'Counters of a campaign, added up over shards when read and recounted from the rows at its end.';
COMMENT ON COLUMN progress.campaign_id IS 'The campaign.';
COMMENT ON COLUMN progress.kind IS 'branch: counters of one branch; trial: counters of the campaign''s trials and of its judge calls.';
COMMENT ON COLUMN progress.member IS 'The branch''s index; 0 for trial.';
COMMENT ON COLUMN progress.shard IS 'The worker that counts, so that no two workers wait for one row.';
COMMENT ON COLUMN progress.cells_done IS 'Cells with a final outcome.';
COMMENT ON COLUMN progress.cells_passed IS 'Of these, the ones that passed.';
COMMENT ON COLUMN progress.cells_failed IS 'Of these, the ones that ended in MODEL_ERROR or TIMED_OUT.';
COMMENT ON COLUMN progress.input_tokens IS 'Sum over outcomes (over judge calls for kind trial), as are the other token columns.';
COMMENT ON COLUMN progress.output_tokens IS 'See input_tokens.';
COMMENT ON COLUMN progress.reasoning_tokens IS 'See input_tokens.';
COMMENT ON COLUMN progress.cache_read_tokens IS 'See input_tokens.';
COMMENT ON COLUMN progress.cache_write_tokens IS 'See input_tokens.';
COMMENT ON COLUMN progress.total_tokens IS 'See input_tokens.';
COMMENT ON COLUMN progress.cost_usd IS 'Sum of the known costs in US dollars; null while none is known.';
COMMENT ON COLUMN progress.trials_done IS 'Trials with a recorded selection whose cells are all final; only for kind trial.';
COMMENT ON COLUMN progress.wins IS 'Trials that the branch won by a decided selection.';
