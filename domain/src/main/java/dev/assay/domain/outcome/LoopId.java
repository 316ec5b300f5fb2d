package dev.assay.domain.outcome;

import dev.assay.domain.agent.Thinking;
import org.jspecify.annotations.Nullable;

/**
 * Names of agent loops: {@code {session}.{segment}.{N}} (semantics A5). All branches of a trial and its judge share the session;
 * branches are numbered 1 to n in order, the judge n + 1.
 */
public final class LoopId {

    private LoopId() {}

    /**
     * The session of one trial of a campaign.
     *
     * <p>An id holds no slash, so the first slash ends it, and the digits after that end the number: two trials never share a
     * session or a loop id, whatever ids users choose.
     *
     * @param campaignId without a slash
     * @param ordinal number of the trial (see {@link dev.assay.domain.plan.TrialGrid})
     */
    public static String sessionId(String campaignId, int ordinal) {
        if (campaignId.indexOf('/') >= 0 || ordinal < 0) {
            throw new IllegalArgumentException(
                    "No session for trial " + ordinal + " of campaign " + campaignId + ": an id must not hold a slash");
        }
        return campaignId + "/" + ordinal;
    }

    /**
     * The part of a loop id that names who runs it.
     *
     * @param id the branch's id, used as it is; null: made of provider, model and thinking
     * @param thinking null: off
     */
    public static String segment(@Nullable String id, String provider, String model, @Nullable Thinking thinking) {
        if (id != null) {
            return id;
        }
        String suffix = thinking == null || thinking == Thinking.OFF ? "" : ".thinking";
        return provider + "." + slug(model) + suffix;
    }

    /**
     * The id of a loop.
     *
     * @param n number of the loop in its session, from 1
     */
    public static String of(String sessionId, String segment, int n) {
        if (n < 1) {
            throw new IllegalArgumentException("Loops of a session are numbered from 1, not " + n);
        }
        return sessionId + "." + segment + "." + n;
    }

    /** {@code model} with every code point that is neither a letter, a number nor a hyphen turned into one hyphen. */
    private static String slug(String model) {
        StringBuilder slug = new StringBuilder(model.length());
        model.codePoints()
                .map(codePoint -> isLetterOrNumber(codePoint) ? codePoint : '-')
                .forEach(slug::appendCodePoint);
        return slug.toString();
    }

    private static boolean isLetterOrNumber(int codePoint) {
        int category = Character.getType(codePoint);
        return Character.isLetterOrDigit(codePoint)
                || category == Character.LETTER_NUMBER
                || category == Character.OTHER_NUMBER;
    }
}
