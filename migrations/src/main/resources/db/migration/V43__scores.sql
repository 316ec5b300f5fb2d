-- What several checks must come to together, and what they came to.
ALTER TABLE suite_case ADD COLUMN threshold numeric;
COMMENT ON COLUMN suite_case.threshold IS 'Mean of the checks'' scores that passes, 0 to 1, whatever single checks say; null: every required check must pass.';

ALTER TABLE outcome ADD COLUMN score double precision, ADD COLUMN finish_reason text;
COMMENT ON COLUMN outcome.score IS 'How well the trial went, 0 to 1: the mean of its checks'' scores by their weights; null: not known, or written by a build that recorded none.';
COMMENT ON COLUMN outcome.finish_reason IS 'Why the model ended its last answer, in the provider''s word; null: it did not say, or a build wrote the row that recorded none.';
