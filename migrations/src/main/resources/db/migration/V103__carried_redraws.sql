-- A copy of an answer says whether it is the first of several: scorings and campaigns that reuse answers count these cells, too.
ALTER TABLE outcome ADD COLUMN redrawn boolean;
COMMENT ON COLUMN outcome.redrawn IS 'Of a copy: whether its cell was asked again after this answer had passed or failed there; null: no.';
