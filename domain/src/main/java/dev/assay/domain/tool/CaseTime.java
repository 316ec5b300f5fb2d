package dev.assay.domain.tool;

import dev.assay.domain.suite.Case;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;

/** The time that a case states, so that every trial of it gets the same. */
public final class CaseTime {

    /** The field of the case's metadata. */
    public static final String FIELD = "time";

    private CaseTime() {}

    /**
     * The field {@code time} of the case's metadata.
     *
     * @param otherwise the time of a case that states none
     * @throws ToolException when the field is no time
     */
    public static Instant of(Case suiteCase, Instant otherwise) {
        String written = suiteCase.metadata().get(FIELD);
        if (written == null) {
            return otherwise;
        }
        try {
            return OffsetDateTime.parse(written).toInstant();
        } catch (DateTimeException e) {
            throw new ToolException(
                    "The case's metadata.time is \"" + written + "\"; write it as in 2026-03-01T12:30:00Z.", e);
        }
    }
}
