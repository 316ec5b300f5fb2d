package dev.assay.domain.outcome;

/**
 * The name of an agent loop (docs/evaluations.md). All branches of a trial and its judge share the session; branches are numbered 1 to n
 * in order, the judge n + 1.
 *
 * @param sessionId see {@link #sessionOf}, or the session of an evaluation
 * @param segment names who runs the loop: a branch's id, or {@link dev.assay.domain.agent.Agent#segment}
 * @param n number of the loop in its session, from 1
 */
public record LoopId(String sessionId, String segment, int n) {

    public LoopId {
        if (n < 1) {
            throw new IllegalArgumentException("Loops of a session are numbered from 1, not " + n);
        }
    }

    /**
     * The session of one trial of a campaign.
     *
     * <p>An id holds no slash, so the first slash ends it, and the digits after that end the number. So two trials never share a
     * session or a loop id, whatever ids users choose.
     *
     * @param campaignId without a slash
     * @param ordinal number of the trial (see {@link dev.assay.domain.plan.TrialGrid})
     */
    public static String sessionOf(String campaignId, int ordinal) {
        if (campaignId.indexOf('/') >= 0 || ordinal < 0) {
            throw new IllegalArgumentException(
                    "No session for trial " + ordinal + " of campaign " + campaignId + ": an id must not hold a slash");
        }
        return campaignId + "/" + ordinal;
    }

    /** The campaign of the session, with which the loop waits its turn; evaluations have one name together. */
    public String queue() {
        int slash = sessionId.indexOf('/');
        return slash < 0 ? "evaluations" : sessionId.substring(0, slash);
    }

    /** {@code {session}.{segment}.{n}}, as it is stored and shown. */
    public String text() {
        return sessionId + "." + segment + "." + n;
    }
}
