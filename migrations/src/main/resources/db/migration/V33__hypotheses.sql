-- Hypothesis evaluations: campaigns in which each batch of hypotheses is a case of one branch, the challenger.
CREATE TABLE hypothesis_evaluation (
    evaluation_id    text PRIMARY KEY REFERENCES campaign,
    mode             text NOT NULL CHECK (length(mode) BETWEEN 1 AND 32),
    batch_size       integer NOT NULL CHECK (batch_size > 0),
    max_concurrent   integer NOT NULL CHECK (max_concurrent > 0),
    shuffle_seed     bigint,
    rubric           jsonb NOT NULL
);
COMMENT ON TABLE hypothesis_evaluation IS 'A list of hypotheses that is scored by a rubric.';
COMMENT ON COLUMN hypothesis_evaluation.evaluation_id IS 'The campaign that runs it.';
COMMENT ON COLUMN hypothesis_evaluation.mode IS 'How calls are cut: single, batched or individual.';
COMMENT ON COLUMN hypothesis_evaluation.batch_size IS 'Hypotheses of one call, at most.';
COMMENT ON COLUMN hypothesis_evaluation.max_concurrent IS 'Calls at once, at most, as it was submitted.';
COMMENT ON COLUMN hypothesis_evaluation.shuffle_seed IS 'By which each batch was shuffled; null: none was.';
COMMENT ON COLUMN hypothesis_evaluation.rubric IS 'By which is scored: dimensions, scale, thresholds, tie break.';

CREATE TABLE hypothesis_batch (
    evaluation_id    text NOT NULL REFERENCES hypothesis_evaluation,
    batch_index      integer NOT NULL CHECK (batch_index >= 0),
    hypothesis_ids   text[] NOT NULL CHECK (cardinality(hypothesis_ids) > 0),
    shown            text[] NOT NULL CHECK (cardinality(shown) = cardinality(hypothesis_ids)),
    hypotheses       jsonb NOT NULL,
    PRIMARY KEY (evaluation_id, batch_index)
);
COMMENT ON TABLE hypothesis_batch IS 'Hypotheses that are scored in one call.';
COMMENT ON COLUMN hypothesis_batch.evaluation_id IS 'The evaluation.';
COMMENT ON COLUMN hypothesis_batch.batch_index IS 'Place among the batches, from 0: index of the case that asks for it.';
COMMENT ON COLUMN hypothesis_batch.hypothesis_ids IS 'Its hypotheses in input order.';
COMMENT ON COLUMN hypothesis_batch.shown IS 'The same in the order in which the model sees them.';
COMMENT ON COLUMN hypothesis_batch.hypotheses IS 'What they say: id, statement, rationale, sources, metadata.';
