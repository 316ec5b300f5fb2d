package dev.assay.activities.http;

import java.io.IOException;

/** An answer that came, and whose body is longer than it may be. */
public final class AnswerTooLongException extends IOException {

    private static final long serialVersionUID = 1L;

    AnswerTooLongException(IOException cause) {
        super(cause.getMessage(), cause);
    }

    /** The JDK's handler that limits a body has no type of its own for one that is too long. */
    public static boolean is(Throwable failure) {
        return failure instanceof IOException
                && failure.getMessage() != null
                && failure.getMessage().startsWith("body exceeds capacity");
    }
}
