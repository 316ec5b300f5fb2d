package dev.assay.store.page;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;

/**
 * The place of an item in a list, opaque to clients: its sort keys, which hold no line break.
 *
 * @param keys in the order of the sort
 */
public record PageToken(List<String> keys) {

    /** The path that errors of a token name. */
    public static final String PATH = "pageToken";

    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    public PageToken {
        keys = List.copyOf(keys);
    }

    /** The place with the given sort keys. */
    public static PageToken of(Object... keys) {
        return new PageToken(List.of(keys).stream().map(Object::toString).toList());
    }

    /**
     * Reads back {@link #text} of a token with {@code keys} sort keys.
     *
     * @throws AssayException INVALID_INPUT when it is not one
     */
    public static PageToken parse(String text, int keys) {
        return reading(() -> {
            String joined = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
            PageToken token = new PageToken(List.of(joined.split("\n", -1)));
            if (token.keys().size() != keys || joined.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("A token of another list");
            }
            return token;
        });
    }

    /** The token as clients carry it. */
    public String text() {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(String.join("\n", keys).getBytes(StandardCharsets.UTF_8));
    }

    /** The key at {@code index} as an integer. */
    public int integer(int index) {
        return key(index, Integer::valueOf);
    }

    /** The key at {@code index} as a long integer. */
    public long number(int index) {
        return key(index, Long::valueOf);
    }

    /** The key at {@code index} as a time, from the years 1 to 9999: PostgreSQL knows fewer years than Java does. */
    public Instant instant(int index) {
        return key(index, text -> {
            Instant instant = Instant.parse(text);
            if (instant.isBefore(EARLIEST) || instant.isAfter(LATEST)) {
                throw new DateTimeException("A time that no item has");
            }
            return instant;
        });
    }

    private <T> T key(int index, Function<String, T> parse) {
        return reading(() -> parse.apply(keys.get(index)));
    }

    private static <T> T reading(java.util.function.Supplier<T> reader) {
        try {
            return reader.get();
        } catch (IllegalArgumentException | DateTimeException e) {
            AssayException invalid = AssayException.invalid(
                    "The page token is not one that Assay gave",
                    List.of(new FieldError(
                            PATH, "Use the nextPageToken of the page before, or leave it out to start")));
            invalid.addSuppressed(e);
            throw invalid;
        }
    }
}
