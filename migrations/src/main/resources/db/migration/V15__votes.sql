-- What each judge said of a trial, as it was understood.
ALTER TABLE trial ADD COLUMN votes jsonb NOT NULL DEFAULT '[]';
COMMENT ON COLUMN trial.votes IS 'The judges'' votes: judge, compared, result, choice, tied, and of each call member, shown, path, choice, scores, reason; empty when none was asked.';
COMMENT ON COLUMN judge_call.member IS 'Number of the call in its trial, from 0: by comparison, then order, then question and repair, then judge, so that member % judges says which judge was asked.';
COMMENT ON COLUMN cell.member IS 'The branch''s index, or the number of the judge call in its trial (judge_call.member).';
