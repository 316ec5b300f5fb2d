package dev.assay.store.reuse;

import dev.assay.domain.draw.AnswerOrigin;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.usage.Measured;
import java.util.List;

/**
 * An answer on record.
 *
 * @param warnings what its loop warned of, as sentences
 * @param origin the draw that it is
 */
public record ReusableAnswer(Outcome.Answer answer, Measured measured, List<String> warnings, AnswerOrigin origin) {

    public ReusableAnswer {
        warnings = List.copyOf(warnings);
    }
}
