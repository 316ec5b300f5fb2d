-- Cells whose workers die with them: which ones had begun, and how often a worker was lost with them.
ALTER TABLE cell ADD COLUMN begun boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN cell.begun IS 'Whether the worker that claims it has begun to run it; a cell that only waits kills nobody.';
ALTER TABLE cell ADD COLUMN lost_runs integer NOT NULL DEFAULT 0 CHECK (lost_runs >= 0);
COMMENT ON COLUMN cell.lost_runs IS 'How many workers died after they had begun it, without an orderly end; from 1 on it runs alone in its worker.';
ALTER TABLE cell ADD COLUMN lost_worker text;
COMMENT ON COLUMN cell.lost_worker IS 'The worker that was lost with it last; should that worker come back, the loss is taken back. Null: none.';

ALTER TABLE worker ADD COLUMN ended boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN worker.ended IS 'Whether it stopped in good order, giving its cells back; else it died, or may still come back.';

-- A worker that comes back looks for the cells that were counted as lost with it. Nearly no cell is in it.
CREATE INDEX cell_by_lost_worker ON cell (lost_worker) WHERE lost_worker IS NOT NULL;
