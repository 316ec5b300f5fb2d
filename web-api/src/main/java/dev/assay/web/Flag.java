package dev.assay.web;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A parameter that is true or false. */
public final class Flag {

    private Flag() {}

    /**
     * Reads it strictly: the server's own conversion takes everything unknown for false.
     *
     * @param text null: the client did not say
     * @throws AssayException INVALID_INPUT when it is neither true nor false
     */
    public static @Nullable Boolean of(String name, @Nullable String text) {
        return switch (text) {
            case null -> null;
            case "true" -> true;
            case "false" -> false;
            default ->
                throw AssayException.invalid(
                        "A parameter of the request is not valid",
                        List.of(new FieldError(name, "Write true or false")));
        };
    }
}
