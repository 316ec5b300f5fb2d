package dev.assay.work.compute;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A definition that a compute process keeps, read once. */
public final class SentDefinition {

    private final String text;
    private @Nullable Object read;

    public SentDefinition(String text) {
        this.text = text;
    }

    /** The text as it was sent. */
    public String text() {
        return text;
    }

    /** The definition as {@code reader} reads it, at the first call only. */
    @SuppressWarnings("unchecked")
    <T> T read(Class<T> type, Function<String, T> reader) {
        if (!type.isInstance(read)) {
            read = reader.apply(text);
        }
        return (T) read;
    }
}
