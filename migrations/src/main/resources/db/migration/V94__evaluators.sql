-- Who gave a verdict: what decided on answers, by the hash of its definition.
CREATE TABLE evaluator (
    evaluator_hash text        PRIMARY KEY,
    kind           text        NOT NULL,
    definition     jsonb       NOT NULL,
    first_seen_at  timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE evaluator IS 'What decides on answers. Results and judge calls name it by its hash. Rows stay when campaigns go.';
COMMENT ON COLUMN evaluator.evaluator_hash IS 'SHA-256 of the definition as canonical JSON, 64 hexadecimal digits.';
COMMENT ON COLUMN evaluator.kind IS 'check, grader or judge.';
COMMENT ON COLUMN evaluator.definition IS 'All that may change what it says of an answer.';
COMMENT ON COLUMN evaluator.first_seen_at IS 'When a worker first used it.';

ALTER TABLE judge_call ADD COLUMN evaluator_hash text;
COMMENT ON COLUMN judge_call.evaluator_hash IS 'The judge or grader that was asked; null: a custom strategy asked, or an earlier build noted none.';
