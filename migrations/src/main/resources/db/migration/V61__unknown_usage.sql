-- A number of tokens that a provider did not report is null, never 0 (docs/decisions/0049-unknown-usage.md). Rows of earlier builds hold 0.
ALTER TABLE outcome ALTER COLUMN input_tokens DROP NOT NULL,
    ALTER COLUMN output_tokens DROP NOT NULL,
    ALTER COLUMN reasoning_tokens DROP NOT NULL,
    ALTER COLUMN cache_read_tokens DROP NOT NULL,
    ALTER COLUMN cache_write_tokens DROP NOT NULL,
    ALTER COLUMN total_tokens DROP NOT NULL;
COMMENT ON COLUMN outcome.input_tokens IS 'Tokens of the prompts; null where they were not reported. 0 in a row that was answered, as the other token columns, says the same: an earlier build wrote it.';
COMMENT ON COLUMN outcome.output_tokens IS 'Tokens of the answers, reasoning included; null as input_tokens.';
COMMENT ON COLUMN outcome.reasoning_tokens IS 'Tokens of output_tokens that were reasoning; null as input_tokens.';
COMMENT ON COLUMN outcome.cache_read_tokens IS 'Tokens of input_tokens that came from the provider''s cache; null as input_tokens.';
COMMENT ON COLUMN outcome.cache_write_tokens IS 'Tokens written to the provider''s cache; null as input_tokens.';
COMMENT ON COLUMN outcome.total_tokens IS 'All tokens as the provider counts them; null where neither they nor input and output were reported.';

ALTER TABLE judge_call ALTER COLUMN input_tokens DROP NOT NULL,
    ALTER COLUMN output_tokens DROP NOT NULL,
    ALTER COLUMN reasoning_tokens DROP NOT NULL,
    ALTER COLUMN cache_read_tokens DROP NOT NULL,
    ALTER COLUMN cache_write_tokens DROP NOT NULL,
    ALTER COLUMN total_tokens DROP NOT NULL;
COMMENT ON COLUMN judge_call.input_tokens IS 'Tokens of the prompt; null, and 0, as in outcome.';
COMMENT ON COLUMN judge_call.output_tokens IS 'Tokens of the reply, reasoning included; null as in outcome.';
COMMENT ON COLUMN judge_call.reasoning_tokens IS 'Tokens of output_tokens that were reasoning; null as in outcome.';
COMMENT ON COLUMN judge_call.cache_read_tokens IS 'Tokens of input_tokens that came from the provider''s cache; null as in outcome.';
COMMENT ON COLUMN judge_call.cache_write_tokens IS 'Tokens written to the provider''s cache; null as in outcome.';
COMMENT ON COLUMN judge_call.total_tokens IS 'All tokens as the provider counts them; null as in outcome.';

ALTER TABLE turn ALTER COLUMN input_tokens DROP NOT NULL,
    ALTER COLUMN output_tokens DROP NOT NULL,
    ALTER COLUMN reasoning_tokens DROP NOT NULL,
    ALTER COLUMN cache_read_tokens DROP NOT NULL,
    ALTER COLUMN cache_write_tokens DROP NOT NULL,
    ALTER COLUMN total_tokens DROP NOT NULL;
COMMENT ON COLUMN turn.input_tokens IS 'Tokens of the request; null where they were not reported, as the other token columns.';

ALTER TABLE trial ALTER COLUMN input_tokens DROP NOT NULL,
    ALTER COLUMN output_tokens DROP NOT NULL,
    ALTER COLUMN reasoning_tokens DROP NOT NULL,
    ALTER COLUMN cache_read_tokens DROP NOT NULL,
    ALTER COLUMN cache_write_tokens DROP NOT NULL,
    ALTER COLUMN total_tokens DROP NOT NULL;
COMMENT ON COLUMN trial.input_tokens IS 'Tokens of prompts that a custom strategy says it used by itself, beside its calls in judge_call; null where it does not know, as the other token columns.';

ALTER TABLE progress ALTER COLUMN input_tokens DROP NOT NULL,
    ALTER COLUMN output_tokens DROP NOT NULL,
    ALTER COLUMN reasoning_tokens DROP NOT NULL,
    ALTER COLUMN cache_read_tokens DROP NOT NULL,
    ALTER COLUMN cache_write_tokens DROP NOT NULL,
    ALTER COLUMN total_tokens DROP NOT NULL,
    ADD COLUMN unknown_usage bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN progress.input_tokens IS 'Sum of what is known over outcomes (over judge calls for kind trial), as are the other token columns; null where nothing is.';
COMMENT ON COLUMN progress.unknown_usage IS 'Of these outcomes and calls, the ones that did not report input, output and total.';

COMMENT ON COLUMN ledger.total_tokens IS 'Tokens of the answer; null when there was none, or when they were not reported.';
