-- The order in which a campaign asks its cases. No part of the definition: the build before reads campaigns as it always did.
ALTER TABLE campaign ADD COLUMN order_seed bigint;
COMMENT ON COLUMN campaign.order_seed IS 'Draws the order in which each round asks the cases; trial numbers keep the order of the file. Null: that of the file.';
