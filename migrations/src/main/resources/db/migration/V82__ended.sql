-- What has ended is not read again and again: rows of workers go, and campaigns that have not ended are found among all.
CREATE INDEX worker_by_start ON worker (started_at);
COMMENT ON INDEX worker_by_start IS 'Finds the workers that began long ago: those that have ended among them go.';

CREATE INDEX campaign_not_ended ON campaign (created_at, campaign_id) WHERE state IN ('PENDING', 'RUNNING', 'PAUSED');
COMMENT ON INDEX campaign_not_ended IS 'Finds the campaigns that have not ended: the reconciler and the metrics ask for them all the time.';
