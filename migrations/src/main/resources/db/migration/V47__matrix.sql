-- What every cell of a campaign came to, as one byte each: chunks, and what was noted since they were written.
CREATE TABLE matrix (
    campaign_id  text PRIMARY KEY REFERENCES campaign,
    generation   bigint NOT NULL DEFAULT 1 CHECK (generation > 0)
);
COMMENT ON TABLE matrix IS 'Campaigns whose matrix has chunks.';
COMMENT ON COLUMN matrix.campaign_id IS 'The campaign.';
COMMENT ON COLUMN matrix.generation IS 'Raised whenever changes become chunks: who holds a matrix in memory loads it again.';

CREATE TABLE matrix_chunk (
    campaign_id  text NOT NULL REFERENCES campaign,
    chunk        integer NOT NULL CHECK (chunk >= 0),
    cells        bytea NOT NULL CHECK (octet_length(cells) BETWEEN 1 AND 65536),
    PRIMARY KEY (campaign_id, chunk)
);
COMMENT ON TABLE matrix_chunk IS 'Cells of a matrix; those of a chunk that is missing are open.';
COMMENT ON COLUMN matrix_chunk.campaign_id IS 'The campaign.';
COMMENT ON COLUMN matrix_chunk.chunk IS 'Place among the chunks, from 0: its first cell is 65536 × chunk.';
COMMENT ON COLUMN matrix_chunk.cells IS 'One byte for each cell, by trial, then case, then branch (docs/api.md).';

CREATE TABLE matrix_change (
    campaign_id  text NOT NULL REFERENCES campaign,
    number       bigint GENERATED ALWAYS AS IDENTITY,
    written_by   xid8 NOT NULL DEFAULT pg_current_xact_id(),
    entries      bytea NOT NULL CHECK (octet_length(entries) % 8 = 0),
    PRIMARY KEY (campaign_id, number)
);
COMMENT ON TABLE matrix_change IS 'What transactions changed in a matrix and is not in its chunks yet.';
COMMENT ON COLUMN matrix_change.campaign_id IS 'The campaign.';
COMMENT ON COLUMN matrix_change.number IS 'Order in which changes of one cell are applied.';
COMMENT ON COLUMN matrix_change.written_by IS 'The transaction, by which a reader tells what it may not have seen yet.';
COMMENT ON COLUMN matrix_change.entries IS 'Eight bytes each: trial number, branch, kind (0 cell, 1 selection), value.';
COMMENT ON SEQUENCE matrix_change_number_seq IS 'Numbers of matrix_change.';
