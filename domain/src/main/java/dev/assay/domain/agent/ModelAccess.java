package dev.assay.domain.agent;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The models that a program may ask through the model proxy.
 *
 * @param allow the provider's names of them, at least one
 * @param maxTokens the most output tokens that a request may ask for, at least 1; null: what the provider's settings say
 */
public record ModelAccess(
        String provider, List<String> allow, @Nullable Integer maxTokens) {

    /** Most names. */
    public static final int MAX_MODELS = 50;

    /** Variables by which a program is told of the proxy. */
    public static final Set<String> VARIABLES =
            Set.of("OPENAI_BASE_URL", "OPENAI_API_KEY", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY");

    public ModelAccess {
        allow = List.copyOf(allow);
        if (allow.isEmpty()) {
            throw new IllegalArgumentException("A program that may ask models is told which");
        }
    }
}
