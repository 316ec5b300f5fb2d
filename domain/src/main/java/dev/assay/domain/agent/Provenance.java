package dev.assay.domain.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.StorableJson;
import org.jspecify.annotations.Nullable;

/**
 * The origin of an answer: what the user asked for, what was sent, what served it. Where they differ, a number means something
 * else than it seems to.
 *
 * @param requested provider, model, thinking and parameters in the words of the campaign file, without schemas; null: no model is
 *     asked, or it was not noted
 * @param effective the last request as it was sent, without its conversation, tools and schemas; null: nothing was answered over a
 *     network, or it was not noted
 * @param served what the last answer says of its origin; null: nothing was answered over a network, or it was not noted
 */
public record Provenance(
        @Nullable JsonNode requested,
        @Nullable JsonNode effective,
        @Nullable Served served) {

    /** Nothing is known. */
    public static final Provenance NONE = new Provenance(null, null, null);

    public Provenance {
        requested = storable(requested);
        effective = storable(effective);
    }

    private static @Nullable JsonNode storable(@Nullable JsonNode tree) {
        return tree == null || tree.isNull() ? null : StorableJson.of(tree);
    }

    /** The same, of an answer that was asked of {@code agent}. */
    public Provenance requestedOf(Agent agent) {
        return agent.model()
                .map(choice -> new Provenance(choice.onRecord(), effective, served))
                .orElse(this);
    }

    /** The name of the model that answered; null: not said. */
    public @Nullable String servedModel() {
        return served == null ? null : served.model();
    }
}
