-- Finished results of other tools. They are kept apart until all of them are here; then one transaction makes a campaign of them.
CREATE TABLE import_upload (
    import_id     text        PRIMARY KEY,
    header        jsonb       NOT NULL,
    created_by    text,
    touched_at    timestamptz NOT NULL DEFAULT now(),
    next_sequence integer     NOT NULL DEFAULT 0 CHECK (next_sequence >= 0),
    campaign_id   text
);
COMMENT ON TABLE import_upload IS 'Imports whose results arrive. One without a request for an hour is removed.';
COMMENT ON COLUMN import_upload.import_id IS 'Its id.';
COMMENT ON COLUMN import_upload.header IS 'What was said of the results before they were sent.';
COMMENT ON COLUMN import_upload.created_by IS 'Who sends them; null: not known.';
COMMENT ON COLUMN import_upload.touched_at IS 'When its last request came.';
COMMENT ON COLUMN import_upload.next_sequence IS 'The number of the piece that comes next.';
COMMENT ON COLUMN import_upload.campaign_id IS 'The campaign that was made of it; null: it is not finished.';
CREATE INDEX import_upload_by_time ON import_upload (touched_at);

CREATE TABLE import_piece (
    import_id text    NOT NULL REFERENCES import_upload ON DELETE CASCADE,
    sequence  integer NOT NULL CHECK (sequence >= 0),
    content   bytea   NOT NULL,
    PRIMARY KEY (import_id, sequence)
);
COMMENT ON TABLE import_piece IS 'Results that arrived, as lines of JSON.';
COMMENT ON COLUMN import_piece.import_id IS 'The import.';
COMMENT ON COLUMN import_piece.sequence IS 'Its place, from 0.';
COMMENT ON COLUMN import_piece.content IS 'The lines, in UTF-8.';

CREATE TABLE imported_campaign (
    campaign_id  text        PRIMARY KEY REFERENCES campaign,
    import_key   text,
    tool         text        NOT NULL,
    tool_version text,
    created_at   timestamptz,
    complete     boolean     NOT NULL,
    metrics      jsonb       NOT NULL
);
COMMENT ON TABLE imported_campaign IS 'Campaigns whose branches another tool asked.';
COMMENT ON COLUMN imported_campaign.campaign_id IS 'The campaign.';
COMMENT ON COLUMN imported_campaign.import_key IS 'SHA-256 that is the same for the same files with the same options; null: there were no files.';
COMMENT ON COLUMN imported_campaign.tool IS 'The tool.';
COMMENT ON COLUMN imported_campaign.tool_version IS 'Its version; null: not said.';
COMMENT ON COLUMN imported_campaign.created_at IS 'When the tool made the results; null: not said.';
COMMENT ON COLUMN imported_campaign.complete IS 'Whether nothing of its run is missing.';
COMMENT ON COLUMN imported_campaign.metrics IS 'What the tool says of its results, beside what they come to.';
CREATE INDEX imported_campaign_by_key ON imported_campaign (import_key) WHERE import_key IS NOT NULL;
COMMENT ON INDEX imported_campaign_by_key IS 'Finds the campaign of files that were imported before.';

CREATE TABLE import_file (
    campaign_id text    NOT NULL REFERENCES campaign,
    place       integer NOT NULL CHECK (place >= 0),
    name        text    NOT NULL,
    sha256      text    NOT NULL,
    size        bigint  NOT NULL CHECK (size >= 0),
    PRIMARY KEY (campaign_id, place)
);
COMMENT ON TABLE import_file IS 'Files that the results of a campaign were read from.';
COMMENT ON COLUMN import_file.campaign_id IS 'The campaign.';
COMMENT ON COLUMN import_file.place IS 'Its place among them, from 0.';
COMMENT ON COLUMN import_file.name IS 'Its name.';
COMMENT ON COLUMN import_file.sha256 IS 'SHA-256 of its content, 64 hexadecimal digits.';
COMMENT ON COLUMN import_file.size IS 'Its size in bytes.';
