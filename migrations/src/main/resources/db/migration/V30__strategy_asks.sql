-- What models were asked by strategies of plugins stands beside what judges were asked: both choose among the branches.
ALTER TABLE judge_call ADD COLUMN model text;
COMMENT ON TABLE judge_call IS 'What one judge, or a model that a custom strategy asked, read and said in one trial.';
COMMENT ON COLUMN judge_call.model IS 'The name under which a custom strategy asked the model; null: a judge was asked. With a name the prompt is the messages as JSON, and nothing is shown.';
COMMENT ON COLUMN cell.kind IS 'What the cell produces, a word: branch (an outcome), judge (a judge call), strategy (a call of a model that a custom strategy asks), and what comes later.';

-- What a strategy of a plugin says that it used beside the calls that are on record.
ALTER TABLE trial
    ADD COLUMN input_tokens bigint NOT NULL DEFAULT 0,
    ADD COLUMN output_tokens bigint NOT NULL DEFAULT 0,
    ADD COLUMN reasoning_tokens bigint NOT NULL DEFAULT 0,
    ADD COLUMN cache_read_tokens bigint NOT NULL DEFAULT 0,
    ADD COLUMN cache_write_tokens bigint NOT NULL DEFAULT 0,
    ADD COLUMN total_tokens bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN trial.input_tokens IS 'Tokens of prompts that a custom strategy says it used by itself, beside its calls in judge_call.';
COMMENT ON COLUMN trial.output_tokens IS 'The same of answers, reasoning included.';
COMMENT ON COLUMN trial.reasoning_tokens IS 'Tokens of output_tokens that were reasoning.';
COMMENT ON COLUMN trial.cache_read_tokens IS 'Tokens of input_tokens that came from a provider''s cache.';
COMMENT ON COLUMN trial.cache_write_tokens IS 'Tokens written to a provider''s cache.';
COMMENT ON COLUMN trial.total_tokens IS 'All tokens as the strategy counts them.';
