package dev.assay.web.provider;

import dev.assay.domain.provider.CallBounds;
import dev.assay.domain.provider.ManualLimitChange;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * What a change of limits may say, as the API's description shows it. It is read by {@link ManualLimitChange}.
 *
 * @param models the pattern of an entry of the settings, as it is written there
 * @param account what the provider counts for; all accounts when it is left out
 * @param reason why, for those who look at it later
 * @param concurrent calls in flight with all accounts: a number, {@code {min, max}}, or null: back to what is configured
 * @param requestsPerMinute units a period, as in each of the following; null: back to what is configured
 */
record LimitsBody(
        @Schema(example = "gpt-6.1*") String models,
        @Nullable String account,

        @Schema(maxLength = ManualLimitChange.LONGEST_REASON)
        String reason,

        @Schema(anyOf = {Integer.class, CallBounds.class}) @Nullable
        Object concurrent,

        @Nullable Long requestsPerMinute,
        @Nullable Long inputTokensPerMinute,
        @Nullable Long outputTokensPerMinute,
        @Nullable Long tokensPerMinute,
        @Nullable Long requestsPerDay,
        @Nullable Long inputTokensPerDay,
        @Nullable Long outputTokensPerDay,
        @Nullable Long tokensPerDay) {}
