package dev.assay.domain.report;

/**
 * The warning before a campaign that is very large (docs/fastskill.md).
 *
 * @param judgeCalls calls of judges, apart from retries
 */
public record CostWarning(long cells, long judgeCalls) {

    /** Stands before the warning. */
    public static final String CODE = "EVAL_COST_WARNING";

    /** Calls from which on users are warned, where they name no other number. */
    public static final long DEFAULT_FROM = 100;

    /** Calls, apart from retries and the turns of loops. */
    public long calls() {
        return cells + judgeCalls;
    }

    /** Whether there are at least {@code from} calls. */
    public boolean isDueFrom(long from) {
        return calls() >= from;
    }
}
