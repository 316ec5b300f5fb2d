-- Cells of new kinds come without a rewrite of the tables: the code knows the kinds, and the columns only that there is one.
ALTER TABLE cell DROP CONSTRAINT cell_kind_check;
ALTER TABLE cell ADD CONSTRAINT cell_kind_check CHECK (length(kind) BETWEEN 1 AND 32) NOT VALID;
COMMENT ON COLUMN cell.kind IS 'What the cell produces, a word: branch (an outcome), judge (a judge call), and what comes later.';

ALTER TABLE ledger DROP CONSTRAINT ledger_kind_check;
ALTER TABLE ledger ADD CONSTRAINT ledger_kind_check CHECK (length(kind) BETWEEN 1 AND 32) NOT VALID;
COMMENT ON COLUMN ledger.kind IS 'The cell''s kind.';
