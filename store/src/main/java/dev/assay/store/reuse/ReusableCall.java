package dev.assay.store.reuse;

import dev.assay.domain.agent.Provenance;
import dev.assay.domain.draw.AnswerOrigin;
import dev.assay.domain.usage.Measured;

/**
 * A call of a judge or grader on record.
 *
 * @param origin where it was first recorded; its branch is empty
 */
public record ReusableCall(String reply, Measured measured, Provenance provenance, AnswerOrigin origin) {}
