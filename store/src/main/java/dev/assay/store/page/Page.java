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

    /**
     * The first {@code size} of the items that were found. One more was looked for: where it is there, others follow.
     *
     * @param token what names the place of an item
     */
    public static <T> Page<T> first(int size, List<T> found, Function<T, PageToken> token) {
        return found.size() <= size ? of(found, true, token) : of(found.subList(0, size), false, token);
    }

    /**
     * Reads an item.
     *
     * @param <E> what it may throw
     */
    @FunctionalInterface
    public interface ItemReader<T, E extends Exception> {
        void read(T item) throws E;
    }

    /**
     * Hands over the items of all pages, and holds one page at a time.
     *
     * @param pages the page that a token names; null: the first
     */
    public static <T, E extends Exception> void forEach(
            Function<@Nullable String, Page<T>> pages, ItemReader<? super T, E> reader) throws E {
        String token = null;
        do {
            Page<T> page = pages.apply(token);
            for (T item : page.items()) {
                reader.read(item);
            }
            token = page.nextPageToken();
        } while (token != null);
    }

    /** The same page of other items. */
    public <R> Page<R> map(Function<? super T, ? extends R> mapping) {
        return new Page<>(items.stream().<R>map(mapping).toList(), nextPageToken);
    }
}
