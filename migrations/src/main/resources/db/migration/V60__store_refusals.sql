-- Answers that were paid and that PostgreSQL refused to store in any form. They outlive the refusal, which the campaign's reason says.
CREATE TABLE unstored_answer (
    campaign_id text           NOT NULL REFERENCES campaign,
    ordinal     integer        NOT NULL,
    kind        text           NOT NULL,
    member      integer        NOT NULL,
    attempt     integer        NOT NULL,
    cost_usd    numeric,
    refused_at  timestamptz    NOT NULL DEFAULT now(),
    PRIMARY KEY (campaign_id, ordinal, kind, member, attempt)
);
COMMENT ON TABLE unstored_answer IS 'Answers of attempts that were paid and whose content PostgreSQL refused.';
COMMENT ON COLUMN unstored_answer.campaign_id IS 'The campaign.';
COMMENT ON COLUMN unstored_answer.ordinal IS 'Number of the trial.';
COMMENT ON COLUMN unstored_answer.kind IS 'Kind of the cell, as in cell.';
COMMENT ON COLUMN unstored_answer.member IS 'Index of the branch, or number of the call in its trial.';
COMMENT ON COLUMN unstored_answer.attempt IS 'Which attempt of the cell was answered, from 1.';
COMMENT ON COLUMN unstored_answer.refused_at IS 'When it was refused.';
COMMENT ON COLUMN unstored_answer.cost_usd IS 'What the answer cost; null where no price is known.';

COMMENT ON COLUMN campaign.failure_reason IS 'Why the campaign could not go on; null unless FAILED, or PAUSED since PostgreSQL refuses its rows.';

ALTER TABLE worker ADD COLUMN refusals jsonb NOT NULL DEFAULT '{}';
COMMENT ON COLUMN worker.refusals IS 'By campaign, what PostgreSQL says that refuses its rows for now, with the SQLSTATE.';
