package dev.assay.web.provider;

import dev.assay.domain.provider.KeyChange;
import io.swagger.v3.oas.annotations.media.Schema;

/**
 * What a change of a key may say, as the API's description shows it. It is read by {@link KeyChange}.
 *
 * @param state enabled, or draining: nothing new is sent with it
 * @param reason why, for those who look at it later
 */
record KeyBody(
        @Schema(example = "enabled") String state,

        @Schema(maxLength = KeyChange.LONGEST_REASON) String reason) {}
