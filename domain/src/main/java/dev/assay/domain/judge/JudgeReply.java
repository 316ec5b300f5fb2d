package dev.assay.domain.judge;

import dev.assay.domain.text.WhiteSpace;

/**
 * The choice in a judge's reply.
 *
 * @param index 0-based, into the responses that were shown; 0 when the reply names none of them
 * @param fallback whether the reply names none of them
 */
public record JudgeReply(int index, boolean fallback) {

    /** Nothing usable was said. */
    public static final JudgeReply UNUSABLE = new JudgeReply(0, true);

    /**
     * Reads a reply (semantics A3). It splits the reply at white space and glues the ASCII digits of each word together. The first
     * word whose number is between 1 and {@code shown} chooses.
     *
     * @param shown how many responses were shown, at least 1
     */
    public static JudgeReply parseSelection(String reply, int shown) {
        if (shown < 1) {
            throw new IllegalArgumentException("A judge is shown at least one response");
        }
        // Numbers stop growing once they are out of range, so that no run of digits overflows.
        long number = 0;
        for (int i = 0; i <= reply.length(); i++) {
            if (i == reply.length() || WhiteSpace.is(reply.charAt(i))) {
                if (number >= 1 && number <= shown) {
                    return new JudgeReply((int) number - 1, false);
                }
                number = 0;
            } else if (reply.charAt(i) >= '0' && reply.charAt(i) <= '9' && number <= shown) {
                number = number * 10 + (reply.charAt(i) - '0');
            }
        }
        return UNUSABLE;
    }
}
