package dev.assay.domain.tool;

/** A tool could not do its task; the message tells the model why. */
public final class ToolException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ToolException(String message) {
        super(message);
    }

    public ToolException(String message, Throwable cause) {
        super(message, cause);
    }
}
