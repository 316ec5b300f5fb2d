package dev.assay.store.reuse;

import dev.assay.domain.draw.AnswerOrigin;
import dev.assay.domain.draw.Delivered;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.usage.Measured;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer on record.
 *
 * @param warnings what its loop warned of, as sentences
 * @param origin the draw that it is
 * @param delivered the batch of the provider that brought it; null: it was given live
 */
public record ReusableAnswer(
        Outcome.Answer answer,
        Measured measured,
        List<String> warnings,
        AnswerOrigin origin,
        @Nullable Delivered delivered) {

    public ReusableAnswer {
        warnings = List.copyOf(warnings);
    }
}
