-- By these rows whoever remembers one can tell that PostgreSQL went back to an earlier state, as after a restored backup.
CREATE TABLE store_mark (
    number    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token     uuid NOT NULL DEFAULT gen_random_uuid(),
    marked_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX store_mark_marked_at ON store_mark (marked_at);
COMMENT ON TABLE store_mark IS 'Marks in the life of this database, one every few seconds while workers live; older than 7 days: deleted.';
COMMENT ON SEQUENCE store_mark_number_seq IS 'Numbers of marks.';
COMMENT ON COLUMN store_mark.number IS 'Rises. After a restore numbers come again, with other tokens.';
COMMENT ON COLUMN store_mark.token IS 'Never the same twice.';
COMMENT ON COLUMN store_mark.marked_at IS 'When it was made, by PostgreSQL''s clock.';

CREATE TABLE store_gap (
    campaign_id text NOT NULL REFERENCES campaign,
    lost_from   timestamptz,
    lost_until  timestamptz NOT NULL,
    PRIMARY KEY (campaign_id, lost_until)
);
COMMENT ON TABLE store_gap IS 'Times of which a campaign''s records are lost, because PostgreSQL went back to an earlier state.';
COMMENT ON COLUMN store_gap.campaign_id IS 'The campaign.';
COMMENT ON COLUMN store_gap.lost_from IS 'The last mark before; null: not known.';
COMMENT ON COLUMN store_gap.lost_until IS 'The first mark after.';
