package dev.assay.activities.tool;

import dev.assay.activities.model.CallFailedException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import org.jspecify.annotations.Nullable;

/** The tools of a branch cannot be offered: TOOL_NOT_ALLOWED, or TOOL_UNAVAILABLE. */
public final class ToolboxException extends CallFailedException {

    private static final long serialVersionUID = 1L;

    ToolboxException(ErrorCode code, String message, @Nullable Throwable cause) {
        super(new Failure(code, message), null, cause);
    }
}
