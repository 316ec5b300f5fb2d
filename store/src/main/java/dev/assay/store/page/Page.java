package dev.assay.store.page;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list.
 *
 * @param items in the list's order
 * @param nextPageToken asks for the items after these; null: there are none
 */
public record Page<T>(List<T> items, @Nullable String nextPageToken) {

    public Page {
        items = List.copyOf(items);
    }

    /**
     * The page of at most {@code size} items of {@code found}; the query asked for one more item than that.
     *
     * @param token what names the place of an item
     */
    public static <T> Page<T> of(List<T> found, int size, Function<T, PageToken> token) {
        if (found.size() <= size) {
            return new Page<>(found, null);
        }
        List<T> items = found.subList(0, size);
        return new Page<>(items, token.apply(items.getLast()).text());
    }

    /** The same page of other items. */
    public <R> Page<R> map(Function<? super T, ? extends R> mapping) {
        return new Page<>(items.stream().<R>map(mapping).toList(), nextPageToken);
    }
}
