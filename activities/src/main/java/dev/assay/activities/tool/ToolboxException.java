package dev.assay.activities.tool;

import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import org.jspecify.annotations.Nullable;

/** The tools of a branch cannot be offered: TOOL_NOT_ALLOWED, or TOOL_UNAVAILABLE. */
public final class ToolboxException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Failure failure;

    ToolboxException(ErrorCode code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.failure = new Failure(code, message);
    }

    public Failure failure() {
        return failure;
    }
}
