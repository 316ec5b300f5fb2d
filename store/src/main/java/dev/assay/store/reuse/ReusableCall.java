package dev.assay.store.reuse;

import dev.assay.domain.agent.Provenance;
import dev.assay.domain.draw.AnswerOrigin;
import dev.assay.domain.draw.Delivered;
import dev.assay.domain.usage.Measured;
import org.jspecify.annotations.Nullable;

/**
 * A call of a judge or grader on record.
 *
 * @param origin where it was first recorded; its branch is empty
 * @param delivered the batch of the provider that brought it; null: it was given live
 */
public record ReusableCall(
        String reply,
        Measured measured,
        Provenance provenance,
        AnswerOrigin origin,
        @Nullable Delivered delivered) {}
