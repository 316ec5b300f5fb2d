package dev.assay.activities.http;

import java.io.IOException;

/** An answer that came, and whose body is longer than it may be. */
public final class AnswerTooLongException extends IOException {

    private static final long serialVersionUID = 1L;

    AnswerTooLongException(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
