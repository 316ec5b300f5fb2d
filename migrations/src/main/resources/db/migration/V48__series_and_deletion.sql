-- How fast a campaign went, recorded as it runs: widths double with its age, so that there are few rows.
CREATE TABLE series (
    campaign_id  text NOT NULL REFERENCES campaign,
    shard        text NOT NULL,
    starts_at    timestamptz NOT NULL,
    width_s      integer NOT NULL CHECK (width_s > 0),
    cells        bigint NOT NULL,
    passed       bigint NOT NULL,
    failed       bigint NOT NULL,
    busy_ms      bigint NOT NULL,
    cost_usd     numeric,
    PRIMARY KEY (campaign_id, starts_at, width_s, shard)
) WITH (fillfactor = 50);
COMMENT ON TABLE series IS 'Cells that were finished in a span of time.';
COMMENT ON COLUMN series.campaign_id IS 'The campaign.';
COMMENT ON COLUMN series.shard IS 'The worker that counts, so that workers do not wait for each other.';
COMMENT ON COLUMN series.starts_at IS 'Begin of the span, a multiple of its width since 1970.';
COMMENT ON COLUMN series.width_s IS 'Length of the span in seconds, a power of two.';
COMMENT ON COLUMN series.cells IS 'Cells that got their final outcome in it.';
COMMENT ON COLUMN series.passed IS 'Of these, the ones that passed.';
COMMENT ON COLUMN series.failed IS 'Of these, the ones that ended in MODEL_ERROR or TIMED_OUT.';
COMMENT ON COLUMN series.busy_ms IS 'Sum of their latencies in milliseconds; over the width: how many were in flight.';
COMMENT ON COLUMN series.cost_usd IS 'Sum of their known costs in US dollars; null where none is known.';

-- Campaigns that are being deleted: nobody finds them any more, and their rows go in pieces.
ALTER TABLE campaign ADD COLUMN deleted_at timestamptz;
COMMENT ON COLUMN campaign.deleted_at IS 'When a user deleted it; its rows are going. Null: nobody did.';
-- The server that goes on with deletions of one that was killed. Nearly no campaign is in it.
CREATE INDEX campaign_deleted ON campaign (deleted_at) WHERE deleted_at IS NOT NULL;
-- Deletion: whether a prompt is still named.
CREATE INDEX judge_call_by_prompt ON judge_call (prompt_hash);
