package dev.assay.domain.judge;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.delivery.DeliveryWish;
import org.jspecify.annotations.Nullable;

/**
 * A model that judges.
 *
 * @param id what the user calls it; null: nothing
 * @param maxContextTokens its window, from which the compaction budget follows; null: nothing is compacted
 */
public record Judge(
        @Nullable String id, Agent agent, @Nullable Integer maxContextTokens, DeliveryWish delivery) {

    /** A judge that is asked live. */
    public Judge(@Nullable String id, Agent agent, @Nullable Integer maxContextTokens) {
        this(id, agent, maxContextTokens, DeliveryWish.LIVE);
    }

    /** A judge without an id that is asked live. */
    public Judge(Agent agent, @Nullable Integer maxContextTokens) {
        this(null, agent, maxContextTokens);
    }

    /** The same asked in another way. */
    public Judge with(DeliveryWish other) {
        return new Judge(id, agent, maxContextTokens, other);
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
