package dev.assay.domain.results.form;

import org.jspecify.annotations.Nullable;

/**
 * What a user says of results.
 *
 * @param name of the campaign; null: as the tool names it
 * @param branchId of its only branch; null: as the tool names the model
 * @param passAt the score from which on a check passes; null: 1
 * @param verdict the only metric that counts; null: all do
 * @param salvage whether what is damaged is left out
 */
public record ImportChoices(
        @Nullable String name,
        @Nullable String branchId,
        @Nullable Double passAt,
        @Nullable String verdict,
        boolean salvage) {

    /** As the tool says. */
    public static final ImportChoices NONE = new ImportChoices(null, null, null, null, false);
}
