-- Whoever writes events looks at what was told once, with every group of events.
CREATE INDEX evaluation_event_once ON evaluation_event (evaluation_id, loop_id, name)
    WHERE name IN ('ParallelLoopStart', 'ParallelLoopEnd', 'AgentStart', 'AgentEnd');
COMMENT ON INDEX evaluation_event_once IS 'Begin and end of each loop: for what is told only once, and not after the end.';
