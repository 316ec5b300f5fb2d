package dev.assay.web.outcome;

import dev.assay.domain.error.Failure;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The reason why an outcome did not complete.
 *
 * @param code the stable name of the error
 * @param message the same for people
 */
@Schema(name = "OutcomeRow.OutcomeError")
public record OutcomeError(String code, String message) {

    /** As clients see it; null when nothing failed. */
    public static @Nullable OutcomeError of(@Nullable Failure failure) {
        return failure == null ? null : new OutcomeError(failure.code().name(), failure.message());
    }
}
