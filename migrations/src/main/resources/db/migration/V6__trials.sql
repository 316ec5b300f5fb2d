-- Selections: which branch won each trial, and what the judge read and said.
CREATE TABLE trial (
    campaign_id      text NOT NULL REFERENCES campaign,
    ordinal          integer NOT NULL CHECK (ordinal >= 0),
    case_index       integer NOT NULL CHECK (case_index >= 0),
    trial            integer NOT NULL CHECK (trial > 0),
    epoch            integer NOT NULL,
    complete         boolean NOT NULL,
    selected_index   integer CHECK (selected_index >= 0),
    strategy         text NOT NULL,
    reason           text NOT NULL,
    fallback         boolean NOT NULL,
    decided          boolean NOT NULL,
    finished_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (campaign_id, ordinal)
);
COMMENT ON TABLE trial IS 'The strategy''s decision for one trial. A missing row is a trial that is open.';
COMMENT ON COLUMN trial.campaign_id IS 'The campaign.';
COMMENT ON COLUMN trial.ordinal IS 'Number of the trial: (trial - 1) * case_count + case_index.';
COMMENT ON COLUMN trial.case_index IS 'The case.';
COMMENT ON COLUMN trial.trial IS 'Which repetition of the case, from 1.';
COMMENT ON COLUMN trial.epoch IS 'The campaign''s epoch in which it was recorded.';
COMMENT ON COLUMN trial.complete IS 'Whether all its cells are final; a trial that is not is open again in a later epoch.';
COMMENT ON COLUMN trial.selected_index IS 'The branch that won; null when none completed.';
COMMENT ON COLUMN trial.strategy IS 'Type of the strategy.';
COMMENT ON COLUMN trial.reason IS 'Why, for people.';
COMMENT ON COLUMN trial.fallback IS 'Whether the strategy could not decide and took its stated default.';
COMMENT ON COLUMN trial.decided IS 'Whether the selection counts as a win.';
COMMENT ON COLUMN trial.finished_at IS 'When it was recorded.';

CREATE TABLE judge_prompt (
    prompt_hash     text PRIMARY KEY,
    system_prompt   text NOT NULL,
    prompt          text NOT NULL
);
COMMENT ON TABLE judge_prompt IS 'Prompts as they were sent to judges, each stored once.';
COMMENT ON COLUMN judge_prompt.prompt_hash IS 'SHA-256 of both prompts.';
COMMENT ON COLUMN judge_prompt.system_prompt IS 'What the judge was told.';
COMMENT ON COLUMN judge_prompt.prompt IS 'What it was asked, after compaction.';

CREATE TABLE judge_call (
    campaign_id          text NOT NULL REFERENCES campaign,
    ordinal              integer NOT NULL CHECK (ordinal >= 0),
    member               integer NOT NULL CHECK (member >= 0),
    epoch                integer NOT NULL,
    loop_id              text NOT NULL,
    status               text NOT NULL CHECK (status IN ('COMPLETED', 'LIMIT', 'MODEL_ERROR', 'TIMED_OUT', 'CANCELLED', 'BUDGET_SKIPPED')),
    prompt_hash          text NOT NULL REFERENCES judge_prompt,
    shown                integer[] NOT NULL,
    reply                text,
    compaction           jsonb NOT NULL,
    warning              text,
    input_tokens         bigint NOT NULL CHECK (input_tokens >= 0),
    output_tokens        bigint NOT NULL CHECK (output_tokens >= 0),
    reasoning_tokens     bigint NOT NULL CHECK (reasoning_tokens >= 0),
    cache_read_tokens    bigint NOT NULL CHECK (cache_read_tokens >= 0),
    cache_write_tokens   bigint NOT NULL CHECK (cache_write_tokens >= 0),
    total_tokens         bigint NOT NULL CHECK (total_tokens >= 0),
    cost_usd             numeric CHECK (cost_usd >= 0),
    latency_ms           bigint NOT NULL CHECK (latency_ms >= 0),
    attempts             integer NOT NULL CHECK (attempts >= 0),
    error_code           text,
    error_message        text,
    finished_at          timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (campaign_id, ordinal, member)
);
COMMENT ON TABLE judge_call IS 'What one judge read and said in one trial.';
COMMENT ON COLUMN judge_call.campaign_id IS 'The campaign.';
COMMENT ON COLUMN judge_call.ordinal IS 'Number of the trial: (trial - 1) * case_count + case_index.';
COMMENT ON COLUMN judge_call.member IS 'Number of the call in its trial, from 0.';
COMMENT ON COLUMN judge_call.epoch IS 'The campaign''s epoch in which it was recorded.';
COMMENT ON COLUMN judge_call.loop_id IS 'Name of the judge''s loop: {session}.{segment}.{N}.';
COMMENT ON COLUMN judge_call.status IS 'How the call ended; CANCELLED and BUDGET_SKIPPED are not final.';
COMMENT ON COLUMN judge_call.prompt_hash IS 'What it read.';
COMMENT ON COLUMN judge_call.shown IS 'Branch indexes in the order in which their responses were shown: response 1 first.';
COMMENT ON COLUMN judge_call.reply IS 'What it said; null when it failed.';
COMMENT ON COLUMN judge_call.compaction IS 'What was cut so that it could read everything.';
COMMENT ON COLUMN judge_call.warning IS 'Set when even the largest cut did not fit the budget.';
COMMENT ON COLUMN judge_call.input_tokens IS 'Tokens of the prompt.';
COMMENT ON COLUMN judge_call.output_tokens IS 'Tokens of the reply, reasoning included.';
COMMENT ON COLUMN judge_call.reasoning_tokens IS 'Tokens of output_tokens that were reasoning.';
COMMENT ON COLUMN judge_call.cache_read_tokens IS 'Tokens of input_tokens that came from the provider''s cache.';
COMMENT ON COLUMN judge_call.cache_write_tokens IS 'Tokens written to the provider''s cache.';
COMMENT ON COLUMN judge_call.total_tokens IS 'All tokens as the provider counts them.';
COMMENT ON COLUMN judge_call.cost_usd IS 'Cost in US dollars; null where no price is known.';
COMMENT ON COLUMN judge_call.latency_ms IS 'Milliseconds from request to reply.';
COMMENT ON COLUMN judge_call.attempts IS 'How often it was tried.';
COMMENT ON COLUMN judge_call.error_code IS 'Why it failed; null when it did not.';
COMMENT ON COLUMN judge_call.error_message IS 'The same for people.';
COMMENT ON COLUMN judge_call.finished_at IS 'When it was recorded.';
