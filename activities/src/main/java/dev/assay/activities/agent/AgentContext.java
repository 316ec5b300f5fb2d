package dev.assay.activities.agent;

import dev.assay.activities.model.ModelClient;
import java.time.Instant;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The surroundings of one attempt of an agent.
 *
 * @param client asks the agent's model; each request takes a permit and is in the ledger
 * @param nanoTime nanoseconds from an arbitrary origin; it stands still while the attempt waits for permits or budget
 * @param record what earlier attempts recorded, and where this one records
 * @param caseTime the time that the case says it is
 */
public record AgentContext(
        ModelClient client,
        LongSupplier nanoTime,
        AgentEvents listener,
        LoopRecord record,
        Supplier<Instant> caseTime) {}
