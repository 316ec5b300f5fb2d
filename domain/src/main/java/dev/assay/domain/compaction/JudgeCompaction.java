package dev.assay.domain.compaction;

import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The compaction of context and responses to a judge's window, in two iterations (docs/judging.md). The first cuts only the context,
 * tier by tier, so that responses stay verbatim as long as possible. The second cuts the responses too. What does not fit even then
 * is judged all the same, and {@link Compaction#satisfied} says so.
 */
public final class JudgeCompaction {

    private static final int TIERS = 3;
    private static final int TAIL_LINES = 80;

    /** No text is cut below this many bytes, however small the budget. */
    private static final long LEAST_BYTES = 200;

    private JudgeCompaction() {}

    /**
     * Context and responses as a judge reads them.
     *
     * @param context the prior conversation; empty when there is none
     * @param responses in the order in which they are shown
     */
    public record Result(String context, List<String> responses, Compaction compaction) {

        public Result {
            responses = List.copyOf(responses);
        }
    }

    /**
     * Cuts as much as is needed.
     *
     * @param maxContextTokens window of the judge, at least 0; four fifths of it are for context and responses. Null: nothing
     *     is cut
     */
    public static Result compact(String context, List<String> responses, @Nullable Integer maxContextTokens) {
        Stage verbatim = new Stage(0, 0, 0, context, TokenEstimate.of(context), responses, tokens(responses));
        if (maxContextTokens == null) {
            return verbatim.result(null, verbatim.tokens());
        }
        if (maxContextTokens < 0) {
            throw new IllegalArgumentException("maxContextTokens must not be negative");
        }
        long budget = maxContextTokens * 4L / 5;
        return firstThatFits(verbatim, budget).result(budget, verbatim.tokens());
    }

    private static Stage firstThatFits(Stage verbatim, long budget) {
        Stage stage = verbatim;
        for (int tier = 1; tier <= TIERS && !stage.fits(budget); tier++) {
            stage = stage.cutContext(tier, budget);
        }
        for (int tier = 1; tier <= TIERS && !stage.fits(budget); tier++) {
            stage = stage.cutResponses(tier, budget);
        }
        return stage;
    }

    private static String cut(String text, int tier, long maxBytes) {
        return switch (tier) {
            case 1 -> CompactionTiers.tailLines(text, TAIL_LINES);
            case 2 -> CompactionTiers.firstAndLastParagraph(text);
            case 3 -> CompactionTiers.limit(text, Math.max(LEAST_BYTES, maxBytes));
            default -> throw new IllegalArgumentException("There is no tier " + tier);
        };
    }

    private static long tokens(List<String> texts) {
        return texts.stream().mapToLong(TokenEstimate::of).sum();
    }

    /** Texts on their way through the tiers, with their estimates, which are costly to count again. */
    private record Stage(
            int iteration,
            int contextTier,
            int responseTier,
            String context,
            long contextTokens,
            List<String> responses,
            long responseTokens) {

        long tokens() {
            return contextTokens + responseTokens;
        }

        boolean fits(long budget) {
            return tokens() <= budget;
        }

        Stage cutContext(int tier, long budget) {
            String shorter = cut(context, tier, TokenEstimate.bytes(Math.max(0, budget - responseTokens)));
            return new Stage(1, tier, 0, shorter, TokenEstimate.of(shorter), responses, responseTokens);
        }

        Stage cutResponses(int tier, long budget) {
            long share = TokenEstimate.bytes(Math.max(0, budget - contextTokens)) / Math.max(1, responses.size());
            UnaryOperator<String> shorten = response -> cut(response, tier, share);
            List<String> shorter = responses.stream().map(shorten).toList();
            return new Stage(2, contextTier, tier, context, contextTokens, shorter, JudgeCompaction.tokens(shorter));
        }

        Result result(@Nullable Long budget, long tokensBefore) {
            boolean satisfied = budget == null || fits(budget);
            return new Result(
                    context,
                    responses,
                    new Compaction(budget, iteration, contextTier, responseTier, tokensBefore, tokens(), satisfied));
        }
    }
}
