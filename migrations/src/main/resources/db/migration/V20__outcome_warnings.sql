ALTER TABLE outcome ADD COLUMN warnings text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN outcome.warnings IS 'What its loop warned of, as sentences: input filters that only warn, and a conversation that compaction could not make small enough.';
