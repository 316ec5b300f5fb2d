-- Which installation this database belongs to: two databases must not drive campaigns under the same names in Temporal.
CREATE TABLE installation (
    only_row         boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    installation_id  uuid NOT NULL DEFAULT gen_random_uuid()
);
COMMENT ON TABLE installation IS 'The installation that this database belongs to; one row.';
COMMENT ON COLUMN installation.only_row IS 'Keeps it one row.';
COMMENT ON COLUMN installation.installation_id IS 'What Temporal is told of it; a restored database keeps it.';
INSERT INTO installation DEFAULT VALUES;

COMMENT ON COLUMN worker.version IS 'Build of Assay: its version and a hash of its workflow code.';
