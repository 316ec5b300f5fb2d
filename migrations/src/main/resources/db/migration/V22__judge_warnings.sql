COMMENT ON COLUMN judge_call.warning IS 'What users should know of what the judge read and said, as sentences; null: nothing.';
