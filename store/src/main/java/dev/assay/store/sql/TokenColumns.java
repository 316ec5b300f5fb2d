package dev.assay.store.sql;

/**
 * SQL that adds up the six token columns of rows {@code r}, as {@link dev.assay.domain.usage.UsageTotal} does in Java. In rows that
 * earlier builds wrote, a total of 0 says that nothing was reported, or that nothing was answered.
 */
public final class TokenColumns {

    private static final String COUNTED = " FILTER (WHERE r.total_tokens IS DISTINCT FROM 0)";

    /** The sums of what is known, null where nothing is, in the order and under the names of the columns. */
    public static final String SUMS = "sum(r.input_tokens)" + COUNTED + " AS input_tokens, sum(r.output_tokens)"
            + COUNTED
            + " AS output_tokens, sum(r.reasoning_tokens)" + COUNTED + " AS reasoning_tokens, sum(r.cache_read_tokens)"
            + COUNTED + " AS cache_read_tokens, sum(r.cache_write_tokens)" + COUNTED
            + " AS cache_write_tokens, sum(r.total_tokens)" + COUNTED + " AS total_tokens";

    /** The number of rows whose usage is missing; needs {@code r.status}. Without a campaign, a row is none: a join found nothing. */
    public static final String UNKNOWN_USAGE = "count(r.campaign_id) FILTER (WHERE r.input_tokens IS NULL"
            + " OR r.output_tokens IS NULL OR r.total_tokens IS NULL"
            + " OR (r.total_tokens = 0 AND r.status IN ('COMPLETED', 'LIMIT')))";

    /** The number of rows whose tokens have no cost; needs {@code r.status} and {@code r.cost_usd}. */
    public static final String UNPRICED = "count(*) FILTER (WHERE r.cost_usd IS NULL"
            + " AND (r.total_tokens IS DISTINCT FROM 0 OR r.status IN ('COMPLETED', 'LIMIT')))";

    private TokenColumns() {}
}
