-- The files that programs work on copies of.
CREATE TABLE workspace (
    workspace_id  text PRIMARY KEY CHECK (workspace_id ~ '^[0-9a-f]{64}$'),
    complete      boolean NOT NULL DEFAULT false,
    used_at       timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE workspace IS 'A directory of files, stored once under its content. One that no campaign names goes an hour after its last use.';
COMMENT ON COLUMN workspace.workspace_id IS 'SHA-256 of the archive, in hexadecimal digits.';
COMMENT ON COLUMN workspace.complete IS 'Whether all pieces are there and make up that content.';
COMMENT ON COLUMN workspace.used_at IS 'When it was last uploaded or asked for by an upload.';

CREATE TABLE workspace_piece (
    workspace_id  text NOT NULL REFERENCES workspace ON DELETE CASCADE,
    piece         integer NOT NULL CHECK (piece BETWEEN 0 AND 999),
    content       bytea NOT NULL,
    PRIMARY KEY (workspace_id, piece)
);
COMMENT ON TABLE workspace_piece IS 'The archive of a workspace, cut into pieces.';
COMMENT ON COLUMN workspace_piece.workspace_id IS 'The workspace.';
COMMENT ON COLUMN workspace_piece.piece IS 'Place of the piece in the archive, from 0.';
COMMENT ON COLUMN workspace_piece.content IS 'Bytes of the archive (tar).';

CREATE TABLE campaign_workspace (
    campaign_id   text NOT NULL REFERENCES campaign ON DELETE CASCADE,
    workspace_id  text NOT NULL REFERENCES workspace,
    PRIMARY KEY (campaign_id, workspace_id)
);
COMMENT ON TABLE campaign_workspace IS 'Which campaigns name which workspaces.';
COMMENT ON COLUMN campaign_workspace.campaign_id IS 'The campaign.';
COMMENT ON COLUMN campaign_workspace.workspace_id IS 'A workspace of one of its branches.';
CREATE INDEX campaign_workspace_by_workspace ON campaign_workspace (workspace_id);
COMMENT ON INDEX campaign_workspace_by_workspace IS 'Finds workspaces that no campaign names.';
