package dev.assay.web;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The number of items on a page. */
public final class PageSize {

    private static final int MAX = 1_000;

    private PageSize() {}

    /**
     * The number that a client asked for.
     *
     * @param asked null: it did not say
     * @throws AssayException INVALID_INPUT when it is not from 1 to 1,000
     */
    public static int of(@Nullable Integer asked, int otherwise) {
        if (asked == null) {
            return otherwise;
        }
        if (asked < 1 || asked > MAX) {
            throw AssayException.invalid(
                    "The page size is not valid",
                    List.of(new FieldError("pageSize", "Ask for 1 to " + MAX + " items")));
        }
        return asked;
    }
}
