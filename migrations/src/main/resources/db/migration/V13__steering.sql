-- Steering: what a campaign that goes on must know of changes, and the results that a re-run replaced.
ALTER TABLE campaign ADD COLUMN reruns integer NOT NULL DEFAULT 0 CHECK (reruns >= 0);
COMMENT ON COLUMN campaign.reruns IS 'How often finished cells were opened again; a selection made from outcomes of before is not recorded.';

ALTER TABLE campaign ADD COLUMN reopens_skipped boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN campaign.reopens_skipped IS 'Whether the budget was raised while the campaign went on: when nothing else is open, what was skipped for the budget is, in a new epoch.';

CREATE TABLE replaced_result (
    campaign_id   text NOT NULL REFERENCES campaign,
    rerun         integer NOT NULL CHECK (rerun > 0),
    kind          text NOT NULL CHECK (kind IN ('outcome', 'judge_call', 'trial')),
    ordinal       integer NOT NULL CHECK (ordinal >= 0),
    member        integer NOT NULL CHECK (member >= 0),
    result        jsonb NOT NULL,
    replaced_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (campaign_id, rerun, kind, ordinal, member)
);
COMMENT ON TABLE replaced_result IS 'What was recorded before a re-run: the history of a cell. Nothing that was paid for is lost.';
COMMENT ON COLUMN replaced_result.campaign_id IS 'The campaign.';
COMMENT ON COLUMN replaced_result.rerun IS 'Which re-run of the campaign replaced it, from 1.';
COMMENT ON COLUMN replaced_result.kind IS 'The table in which it stood.';
COMMENT ON COLUMN replaced_result.ordinal IS 'Number of the trial.';
COMMENT ON COLUMN replaced_result.member IS 'The branch''s index, the number of the judge call, or 0 for a trial.';
COMMENT ON COLUMN replaced_result.result IS 'The whole row.';
COMMENT ON COLUMN replaced_result.replaced_at IS 'When it was replaced.';
