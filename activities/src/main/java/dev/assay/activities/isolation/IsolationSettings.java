package dev.assay.activities.isolation;

import dev.assay.domain.isolation.IsolationLevel;
import org.jspecify.annotations.Nullable;

/**
 * The word of the command that runs a worker on isolation.
 *
 * @param asked the level that its user asks for; null: none
 * @param highest whether programs start at the highest level that the system has, where the user asks for none
 * @param atLeast the level below which no program starts, where the operator's file names none
 */
public record IsolationSettings(@Nullable IsolationLevel asked, boolean highest, IsolationLevel atLeast) {

    /** Programs are the user's own. */
    public static final IsolationSettings OWN = new IsolationSettings(null, false, IsolationLevel.NONE);
}
