package dev.assay.store.sql;

import dev.assay.store.page.Page;
import dev.assay.store.page.PageEnd;
import dev.assay.store.page.PageRequest;
import dev.assay.store.page.PageToken;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads lists page by page. The sizes of the items are read first, and say where the page ends; then its memory is taken; then the
 * items are read. No transaction, and so no connection, is held meanwhile.
 */
@Singleton
public class ListReader {

    private final Sql sql;

    ListReader(Sql sql) {
        this.sql = sql;
    }

    /**
     * The statements of a list, from the place that a token names. Both have the same parameters, and then a limit of rows.
     *
     * @param sizes reads {@code octets}, the bytes of the texts of each item
     * @param items reads the items, in the same order
     */
    public record ListQuery<T>(String sizes, String items, RowReader<T> reader, List<@Nullable Object> parameters) {}

    /**
     * A page of a list.
     *
     * @param list makes its statements in a transaction
     * @param token what names the place of an item
     */
    public <T> Page<T> page(PageRequest request, Supplier<ListQuery<T>> list, Function<T, PageToken> token) {
        record Sized<T>(ListQuery<T> query, PageEnd end) {}
        Sized<T> sized = sql.read(() -> {
            ListQuery<T> query = list.get();
            return new Sized<>(query, end(query, request.size()));
        });
        PageEnd end = sized.end();
        request.room().take(end.bytes());
        int most = Math.max(1, end.items());
        // One more than the last: what was recorded meanwhile may stand before it.
        int limit = end.isLast() ? most + 1 : most;
        List<T> found = sql.read(() -> items(sized.query(), limit));
        return found.size() <= most
                ? Page.of(found, end.isLast(), token)
                : Page.of(found.subList(0, most), false, token);
    }

    /** The sizes come as one value, which takes less time than a row for each. */
    private PageEnd end(ListQuery<?> query, int size) {
        List<Long> octets = sql.first(
                        "SELECT coalesce(string_agg(int8send(octets::bigint), ''), '') AS octets FROM (" + query.sizes()
                                + ") s",
                        row -> Columns.packedLongs(row, "octets"),
                        limited(query.parameters(), size + 1))
                .orElseThrow();
        return PageEnd.of(octets, size);
    }

    private <T> List<T> items(ListQuery<T> query, int items) {
        return sql.list(query.items(), query.reader(), limited(query.parameters(), items));
    }

    private static @Nullable Object[] limited(List<@Nullable Object> parameters, int limit) {
        List<@Nullable Object> all = new ArrayList<>(parameters);
        all.add(limit);
        return all.toArray();
    }
}
