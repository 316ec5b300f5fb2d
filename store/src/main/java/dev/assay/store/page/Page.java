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
     * The page of {@code found}.
     *
     * @param isLast whether no items follow
     * @param token what names the place of an item
     */
    public static <T> Page<T> of(List<T> found, boolean isLast, Function<T, PageToken> token) {
        return new Page<>(
                found,
                isLast || found.isEmpty() ? null : token.apply(found.getLast()).text());
    }

    /** The same page of other items. */
    public <R> Page<R> map(Function<? super T, ? extends R> mapping) {
        return new Page<>(items.stream().<R>map(mapping).toList(), nextPageToken);
    }
}
