-- Systems under test have pools of permits, too.
COMMENT ON COLUMN permit_lease.pool IS 'campaign/ID, whose size is the campaign''s max_concurrent; provider/NAME, whose size is the least maxConcurrent that a live worker gives it; or provider/http/HOST, whose size is the least maxConcurrent that a live worker gives an address of the host, 1000 where it gives none.';
