-- Prompts that are messages, and whether a user wrote how many calls an evaluation may have in flight.
ALTER TABLE suite_case ADD COLUMN prompt_messages jsonb;
COMMENT ON COLUMN suite_case.prompts IS 'What is said next, as texts of the user; a null is one that is no plain text. None when the context already ends on one.';
COMMENT ON COLUMN suite_case.prompt_messages IS 'The prompts as messages; null: all are plain texts.';

ALTER TABLE evaluation ADD COLUMN keeps_concurrency boolean NOT NULL DEFAULT false;
UPDATE evaluation v SET keeps_concurrency = true
FROM campaign c WHERE c.campaign_id = v.evaluation_id AND c.definition #>> '{limits,maxConcurrent}' <> '20';
COMMENT ON COLUMN evaluation.keeps_concurrency IS 'Whether maxConcurrent was written; else it grows with the branches of a continuation.';
