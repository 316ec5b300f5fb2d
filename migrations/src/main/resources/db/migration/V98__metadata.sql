-- What authors note of their campaigns, such as the commit that one measures.
ALTER TABLE campaign ADD COLUMN metadata jsonb CHECK (jsonb_typeof(metadata) = 'object');
COMMENT ON COLUMN campaign.metadata IS 'Names and texts that the author noted; no part of the definition. Null: none.';
