package dev.assay.store.result;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.store.sql.QueryRepository;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The trials that a filter names. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class FilteredTrials implements QueryRepository {

    /**
     * The numbers of a case's trials: the primary key finds them among a million.
     *
     * @throws AssayException INVALID_INPUT when the campaign does not have the case
     */
    public List<Integer> ofCase(String campaignId, String caseId) {
        List<Integer> ordinals = ordinals(campaignId, caseId);
        if (ordinals.isEmpty()) {
            throw unknown("caseId", "case", caseId);
        }
        return ordinals;
    }

    @Query("""
        SELECT t * c.case_count + k.case_index AS ordinal
        FROM campaign c JOIN suite_case k USING (suite_id), generate_series(0, c.trials - 1) t
        WHERE c.campaign_id = :campaignId AND k.case_id = :caseId
        """)
    abstract List<Integer> ordinals(String campaignId, String caseId);

    /**
     * The condition that a row of {@code table}, beside {@code campaign c}, is of a repetition.
     *
     * @param trial from 1; no row is of one that the campaign does not have
     * @param parameters where those of the condition are added
     */
    public static String ofRepetition(String table, int trial, List<@Nullable Object> parameters) {
        parameters.add(trial);
        parameters.add(trial);
        return " AND %1$s.ordinal >= (?::bigint - 1) * c.case_count AND %1$s.ordinal < ?::bigint * c.case_count"
                .formatted(table);
    }

    static AssayException unknown(String path, String what, String id) {
        return AssayException.invalid(
                "The filter matches nothing that the campaign has",
                List.of(new FieldError(path, "The campaign has no " + what + " " + id)));
    }
}
