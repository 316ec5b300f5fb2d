package dev.assay.web;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A parameter that is a time. */
public final class Moment {

    /** PostgreSQL knows fewer years than Java does. */
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    private Moment() {}

    /**
     * Reads it.
     *
     * @param text null: the client did not say
     * @throws AssayException INVALID_INPUT when it is no time of the years 1 to 9999
     */
    public static @Nullable Instant of(String name, @Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            Instant time = Instant.parse(text);
            if (!time.isBefore(EARLIEST) && !time.isAfter(LATEST)) {
                return time;
            }
        } catch (DateTimeParseException e) {
            throw invalid(name, e);
        }
        throw invalid(name, null);
    }

    private static AssayException invalid(String name, @Nullable Exception cause) {
        AssayException invalid = AssayException.invalid(
                "A parameter of the request is not valid",
                List.of(new FieldError(name, "Write a time of the years 1 to 9999, such as 2026-11-25T18:00:00Z")));
        if (cause != null) {
            invalid.addSuppressed(cause);
        }
        return invalid;
    }
}
