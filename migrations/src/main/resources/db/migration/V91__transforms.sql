-- Own code makes another answer of one before its checks see it.
ALTER TABLE suite_case ADD COLUMN transform jsonb;
COMMENT ON COLUMN suite_case.transform IS 'Code that makes what its checks see of an answer; null: they see the answer, or what the transform of the branch made of it.';

ALTER TABLE outcome ADD COLUMN output text;
COMMENT ON COLUMN outcome.output IS 'JSON that transforms of branch and case made of the response, which checks and graders saw; null: the response itself.';

ALTER TABLE ungraded_outcome ADD COLUMN prepared jsonb;
COMMENT ON COLUMN ungraded_outcome.prepared IS 'What own code left for graders; null: own code has not run, or there is none.';
