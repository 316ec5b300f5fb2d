package dev.assay.activities.provider;

import dev.assay.activities.model.ModelClient;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.usage.Price;
import org.jspecify.annotations.Nullable;

/**
 * How an agent is asked.
 *
 * @param provider whose permits its calls need
 * @param choice the model
 * @param client who asks
 * @param price of the model; null where none is known, or where nothing is paid
 * @param maxOutputTokens bound of a reply
 * @param billedOutputTokens the most output tokens that a reply can be billed for, thinking included
 */
public record ResolvedModel(
        String provider,
        ModelChoice choice,
        ModelClient client,
        @Nullable Price price,
        int maxOutputTokens,
        int billedOutputTokens) {}
