-- What compute processes were killed over, for the campaign's health.
CREATE TABLE compute_kill (
    campaign_id text    NOT NULL REFERENCES campaign,
    definition  text    NOT NULL,
    what        text    NOT NULL,
    kills       integer NOT NULL,
    PRIMARY KEY (campaign_id, definition)
);
COMMENT ON TABLE compute_kill IS 'Definitions of a campaign whose computation took too much and was killed.';
COMMENT ON COLUMN compute_kill.campaign_id IS 'The campaign.';
COMMENT ON COLUMN compute_kill.definition IS 'SHA-256 of the definition in hexadecimal; empty: all those beyond the first thousand.';
COMMENT ON COLUMN compute_kill.what IS 'What it is, and the beginning of its text.';
COMMENT ON COLUMN compute_kill.kills IS 'How many tasks were killed over it, on all workers.';
