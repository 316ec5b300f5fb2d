package dev.assay.domain.limit.size;

import dev.assay.domain.limit.Units;

/**
 * The size of a request, as far as it is known before it is sent.
 *
 * @param textBytes of its texts in UTF-8: system prompt, messages, tool calls and tools, at least 0
 * @param messages how many, at least 0
 * @param images how many, at least 0
 * @param maxOutput most tokens of output that can be billed, at least 0; 0: it writes none, as embeddings
 */
public record RequestSize(long textBytes, int messages, int images, long maxOutput) {

    private static final int BYTES_A_TOKEN = 4;
    private static final long TOKENS_A_MESSAGE = 4;
    private static final long TOKENS_AN_IMAGE = 1_600;

    public RequestSize {
        if (textBytes < 0 || messages < 0 || images < 0 || maxOutput < 0) {
            throw new IllegalArgumentException("Sizes of requests are not negative");
        }
    }

    /** Tokens of the input by its bytes alone. */
    public long base() {
        return Math.ceilDiv(textBytes, BYTES_A_TOKEN) + TOKENS_A_MESSAGE * messages + TOKENS_AN_IMAGE * images;
    }

    /**
     * What it is charged when it is sent.
     *
     * @param answers the last ones of its model
     */
    public Units estimate(CountingRules rules, AnsweredSizes answers) {
        long output = switch (rules.output()) {
            case ASKED -> maxOutput;
            case PRODUCED -> Math.min(maxOutput, answers.output());
        };
        return Units.ofRequest(answers.input(base()), output);
    }
}
