package dev.assay.domain.judge;

import dev.assay.domain.agent.Agent;
import org.jspecify.annotations.Nullable;

/**
 * A model that judges.
 *
 * @param id what the user calls it; null: nothing
 * @param maxContextTokens its window, from which the compaction budget follows; null: nothing is compacted
 */
public record Judge(
        @Nullable String id, Agent agent, @Nullable Integer maxContextTokens) {

    /** A judge without an id. */
    public Judge(Agent agent, @Nullable Integer maxContextTokens) {
        this(null, agent, maxContextTokens);
    }

    /** Whether it can be asked for a JSON object: all that a script says is written. */
    boolean canReplyInJson() {
        return !agent.isWritten();
    }

    /** The judge's name in loop ids (docs/glossary.md). */
    public String segment() {
        return id == null ? agent.segment() : id;
    }
}
