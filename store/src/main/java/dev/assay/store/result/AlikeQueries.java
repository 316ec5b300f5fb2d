package dev.assay.store.result;

import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.stream.IntStream;

/** Finds the branches whose trials are copies of each other, by a cache, a seed or a temperature of 0. */
@Singleton
public class AlikeQueries {

    /** The trials whose texts are read, at most: of cases that lie evenly over the suite. A million texts take seconds. */
    private static final int MOST = 10_000;

    /** In copies, more than 0.9 of the repeated answers are the most frequent text of their case. An empty answer is no text. */
    private static final String ALIKE = """
        SELECT branch_index FROM (
            SELECT branch_index, case_index, max(times) - 1 AS same, sum(times) - 1 AS repeats FROM (
                SELECT branch_index, case_index, count(*) AS times FROM outcome
                WHERE campaign_id = ? AND ordinal = ANY (?::integer[]) AND status IN ('COMPLETED', 'LIMIT')
                    AND response <> ''
                GROUP BY branch_index, case_index, hashtextextended(response, 0)) AS answer
            GROUP BY branch_index, case_index) AS asked
        GROUP BY branch_index HAVING sum(same) > 0.9 * sum(repeats)\
        """;

    private final Sql sql;

    AlikeQueries(Sql sql) {
        this.sql = sql;
    }

    /** The indexes of the branches; none of a campaign that asks each case once. */
    @ReadOnly
    public List<Integer> branches(StoredCampaign campaign) {
        int trials = campaign.trials();
        if (trials < 2) {
            return List.of();
        }
        int cases = campaign.caseCount();
        int read = Math.clamp(MOST / trials, 1, cases);
        List<Integer> ordinals = IntStream.range(0, read)
                .map(place -> (int) ((long) place * cases / read))
                .flatMap(index -> IntStream.rangeClosed(1, trials)
                        .map(trial -> campaign.grid().ordinal(index, trial)))
                .boxed()
                .toList();
        return sql.list(ALIKE, row -> row.getInt("branch_index"), campaign.id(), ordinals);
    }
}
