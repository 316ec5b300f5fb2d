package dev.assay.domain.results.source;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import org.jspecify.annotations.Nullable;

/** The errors of files of results. */
public final class BadResults {

    private BadResults() {}

    /** The error of {@code place}: a sentence. */
    public static AssayException at(String place, String what) {
        return at(place, what, null);
    }

    /** As {@link #at(String, String)}, with its cause. */
    public static AssayException at(String place, String what, @Nullable Throwable cause) {
        return new AssayException(ErrorCode.INVALID_INPUT, place + ": " + what, cause);
    }
}
