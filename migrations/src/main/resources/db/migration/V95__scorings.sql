-- Scorings: campaigns that judge the stored answers of another one anew.
CREATE TABLE scoring (
    campaign_id     text        PRIMARY KEY REFERENCES campaign,
    of_campaign     text        NOT NULL,
    of_name         text        NOT NULL,
    branches        integer[]   NOT NULL,
    accepted_at     timestamptz NOT NULL DEFAULT now(),
    copied_trials   integer     NOT NULL DEFAULT 0 CHECK (copied_trials >= 0),
    copied_at       timestamptz
);
COMMENT ON TABLE scoring IS 'A campaign that scores the stored answers of another one.';
COMMENT ON COLUMN scoring.campaign_id IS 'The scoring.';
COMMENT ON COLUMN scoring.of_campaign IS 'The campaign whose answers it scores, which may be deleted.';
COMMENT ON COLUMN scoring.of_name IS 'The name of that campaign.';
COMMENT ON COLUMN scoring.branches IS 'The branches of that campaign whose answers are scored, in the order of those of the scoring.';
COMMENT ON COLUMN scoring.accepted_at IS 'When it was accepted; from then on that campaign keeps its answers until they are copied.';
COMMENT ON COLUMN scoring.copied_trials IS 'Trials of which all answers are copied: those with lower numbers.';
COMMENT ON COLUMN scoring.copied_at IS 'When all answers were copied; null: they are being copied, and the scoring does not run.';

CREATE INDEX scoring_by_source ON scoring (of_campaign, accepted_at DESC);
CREATE INDEX scoring_to_copy ON scoring (accepted_at) WHERE copied_at IS NULL;

ALTER TABLE outcome ADD COLUMN passed_before boolean,
    ADD COLUMN evaluators_before text[];
COMMENT ON COLUMN outcome.passed_before IS 'Of a scoring: whether the trial passed in the campaign whose answers are scored; null: no evidence there.';
COMMENT ON COLUMN outcome.evaluators_before IS 'Of a scoring: who gave that verdict, by hash; a null stands for one that an earlier build did not note.';
