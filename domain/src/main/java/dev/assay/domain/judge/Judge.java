package dev.assay.domain.judge;

import dev.assay.domain.agent.Agent;
import org.jspecify.annotations.Nullable;

/**
 * A model that judges.
 *
 * @param agent who is asked
 * @param maxContextTokens its window, from which the compaction budget follows; null: nothing is compacted
 */
public record Judge(Agent agent, @Nullable Integer maxContextTokens) {}
