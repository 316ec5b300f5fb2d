-- The interpreters that ran a campaign's own code, as evidence of its results.
CREATE TABLE campaign_interpreter (
    campaign_id text        NOT NULL REFERENCES campaign,
    language    text        NOT NULL,
    path        text        NOT NULL,
    version     text        NOT NULL,
    first_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (campaign_id, language, path, version)
);
COMMENT ON TABLE campaign_interpreter IS 'Interpreters that ran own code of a campaign, each once, a hundred at most.';
COMMENT ON COLUMN campaign_interpreter.campaign_id IS 'The campaign.';
COMMENT ON COLUMN campaign_interpreter.language IS 'The language, as users write it.';
COMMENT ON COLUMN campaign_interpreter.path IS 'Path of the program on its worker, as it says itself.';
COMMENT ON COLUMN campaign_interpreter.version IS 'Its version, as it says itself.';
COMMENT ON COLUMN campaign_interpreter.first_at IS 'When a worker first started it for the campaign.';
