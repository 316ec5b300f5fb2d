-- What the health of a campaign is judged by, and its failed trials.
ALTER TABLE campaign ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now();
COMMENT ON COLUMN campaign.changed_at IS 'When state or epoch changed last.';

CREATE FUNCTION campaign_changed() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    NEW.changed_at := now();
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION campaign_changed() IS 'Notes the time of a change of state or epoch, whoever makes it.';
CREATE TRIGGER campaign_changed BEFORE UPDATE OF state, epoch ON campaign
    FOR EACH ROW EXECUTE FUNCTION campaign_changed();

ALTER TABLE progress ADD COLUMN counted_at timestamptz NOT NULL DEFAULT now();
COMMENT ON COLUMN progress.counted_at IS 'When its counters were raised last.';
ALTER TABLE progress ADD COLUMN trials_failed bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN progress.trials_failed IS 'Of trials_done, the ones with a cell that ended in MODEL_ERROR or TIMED_OUT; only for kind trial.';

ALTER TABLE worker ADD COLUMN load jsonb NOT NULL DEFAULT '[]';
COMMENT ON COLUMN worker.load IS 'Cells that it holds, by campaign and provider: how many have a permit, wait for one, or wait for budget; seconds old.';

-- Health: cells that wait for their next attempt. Cells that never failed are not in it, so that closing them stays cheap.
CREATE INDEX cell_by_next_try ON cell (campaign_id, next_try_at) WHERE next_try_at IS NOT NULL;
