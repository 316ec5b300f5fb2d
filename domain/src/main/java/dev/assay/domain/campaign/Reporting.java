package dev.assay.domain.campaign;

import dev.assay.domain.reducer.Reducer;
import dev.assay.domain.suite.GroupBy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a campaign's report beside its pass rates.
 *
 * @param reducers how the trials of a case become one number
 * @param groupBy what makes cases related; null: nothing
 */
public record Reporting(List<Reducer> reducers, @Nullable GroupBy groupBy) {

    /** Of cases that are not related, without reducers. */
    public static final Reporting PLAIN = new Reporting(List.of(), null);

    public Reporting {
        reducers = List.copyOf(reducers);
    }
}
