package dev.assay.web;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The client's name of a submission, which makes sending it again idempotent. */
public final class IdempotencyKey {

    /** The header that carries it. */
    public static final String HEADER = "Idempotency-Key";

    private static final Pattern KEY = Pattern.compile("[^\\p{Cntrl}]{1,255}");

    private IdempotencyKey() {}

    /**
     * The key as it was sent; null when there is none.
     *
     * @throws AssayException INVALID_INPUT when it is none
     */
    public static @Nullable String checked(@Nullable String sent) {
        if (sent != null && !KEY.matcher(sent).matches()) {
            throw AssayException.invalid(
                    "The idempotency key is not valid",
                    List.of(new FieldError(HEADER, "Send 1 to 255 characters without control characters")));
        }
        return sent;
    }
}
