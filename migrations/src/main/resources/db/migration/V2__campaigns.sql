-- Campaigns and their branches.
CREATE TABLE campaign (
    campaign_id      text PRIMARY KEY CHECK (length(campaign_id) BETWEEN 1 AND 128),
    name             text NOT NULL,
    suite_id         text NOT NULL REFERENCES suite,
    case_count       integer NOT NULL CHECK (case_count > 0),
    trials           integer NOT NULL CHECK (trials BETWEEN 1 AND 1000),
    definition       jsonb NOT NULL,
    state            text NOT NULL CHECK (state IN ('PENDING', 'RUNNING', 'PAUSED', 'COMPLETED', 'CANCELLED', 'FAILED')),
    verdict          text CHECK (verdict IN ('PASS', 'FAIL', 'INCONCLUSIVE')),
    epoch            integer NOT NULL DEFAULT 1 CHECK (epoch > 0),
    max_concurrent   integer NOT NULL CHECK (max_concurrent BETWEEN 1 AND 10000),
    budget_usd       numeric CHECK (budget_usd > 0),
    failure_reason   text,
    summary          jsonb,
    created_at       timestamptz NOT NULL DEFAULT now(),
    started_at       timestamptz,
    finished_at      timestamptz
);
COMMENT ON TABLE campaign IS 'Suite × branches × trials, with strategy, gate, limits and budget; the durable unit.';
COMMENT ON COLUMN campaign.campaign_id IS 'The id that users type.';
COMMENT ON COLUMN campaign.name IS 'For people.';
COMMENT ON COLUMN campaign.suite_id IS 'The cases.';
COMMENT ON COLUMN campaign.case_count IS 'Cases of the suite; trial number = (trial - 1) * case_count + case_index.';
COMMENT ON COLUMN campaign.trials IS 'Repetitions of each case; may be raised, never lowered.';
COMMENT ON COLUMN campaign.definition IS 'The campaign file as it was submitted, without its cases.';
COMMENT ON COLUMN campaign.state IS 'Where the campaign stands.';
COMMENT ON COLUMN campaign.verdict IS 'What the gate said; null until the campaign is COMPLETED.';
COMMENT ON COLUMN campaign.epoch IS 'Raised by resume, cancel and restart: work of an older epoch stops, its claims are free.';
COMMENT ON COLUMN campaign.max_concurrent IS 'Model calls in flight, over all workers; the limit in force.';
COMMENT ON COLUMN campaign.budget_usd IS 'What all calls together may cost, in US dollars; null: no budget.';
COMMENT ON COLUMN campaign.failure_reason IS 'Why the campaign could not go on; null unless FAILED.';
COMMENT ON COLUMN campaign.summary IS 'Pass rates, wins and usage as computed when the campaign ended; null before.';
COMMENT ON COLUMN campaign.created_at IS 'When it was submitted.';
COMMENT ON COLUMN campaign.started_at IS 'When its first cell could run.';
COMMENT ON COLUMN campaign.finished_at IS 'When it last reached COMPLETED, CANCELLED or FAILED; null while it goes on.';
-- The list of campaigns, newest first.
CREATE INDEX campaign_by_creation ON campaign (created_at DESC, campaign_id);
-- The reconciler: campaigns that should be going on.
CREATE INDEX campaign_going_on ON campaign (state) WHERE state IN ('PENDING', 'RUNNING');

CREATE TABLE campaign_branch (
    campaign_id    text NOT NULL REFERENCES campaign,
    branch_index   integer NOT NULL CHECK (branch_index >= 0),
    branch_id      text NOT NULL CHECK (length(branch_id) BETWEEN 1 AND 128),
    provider       text NOT NULL,
    model          text,
    PRIMARY KEY (campaign_id, branch_index),
    UNIQUE (campaign_id, branch_id)
);
COMMENT ON TABLE campaign_branch IS 'One agent configuration under comparison.';
COMMENT ON COLUMN campaign_branch.campaign_id IS 'The campaign.';
COMMENT ON COLUMN campaign_branch.branch_index IS 'Place among the branches, from 0.';
COMMENT ON COLUMN campaign_branch.branch_id IS 'The id that the campaign''s author gave.';
COMMENT ON COLUMN campaign_branch.provider IS 'The provider on whose task queue the branch runs.';
COMMENT ON COLUMN campaign_branch.model IS 'The provider''s name of the model; null where the agent has none.';

CREATE TABLE cassette_entry (
    cassette_id   text NOT NULL,
    request_key   text NOT NULL,
    trial         integer NOT NULL CHECK (trial > 0),
    entry         jsonb NOT NULL,
    PRIMARY KEY (cassette_id, request_key, trial)
);
COMMENT ON TABLE cassette_entry IS 'Recorded answers that replay agents give.';
COMMENT ON COLUMN cassette_entry.cassette_id IS 'SHA-256 of the cassette''s content.';
COMMENT ON COLUMN cassette_entry.request_key IS 'SHA-256 of what was asked.';
COMMENT ON COLUMN cassette_entry.trial IS 'The trial in which it was asked.';
COMMENT ON COLUMN cassette_entry.entry IS 'The answer: message, usage, cost, latency.';
