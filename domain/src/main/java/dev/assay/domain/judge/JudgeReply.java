package dev.assay.domain.judge;

import dev.assay.domain.text.Reasoning;
import dev.assay.domain.text.WhiteSpace;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.stream.Collectors;

/**
 * The choice in a judge's reply by its first number.
 *
 * @param index 0-based, into the responses that were shown; 0 when the reply names none of them
 * @param fallback whether the reply names none of them
 */
public record JudgeReply(int index, boolean fallback) {

    /** Nothing usable was said. */
    public static final JudgeReply UNUSABLE = new JudgeReply(0, true);

    /** A plain reply, read as its policy says. */
    sealed interface Choice {

        /** It chooses the response with this index, 0-based, into those that were shown. */
        record Of(int index) implements Choice {}

        /** It chooses none; why, as a sentence. */
        record None(String why) implements Choice {}
    }

    /**
     * Reads a reply behind its reasoning.
     *
     * @param shown how many responses were shown, at least 1
     */
    static Choice read(JudgeFormat.Reading reading, String reply, int shown) {
        Optional<String> behind = Reasoning.behind(reply);
        if (reading == JudgeFormat.Reading.ONE_NUMBER && behind.isEmpty()) {
            return new Choice.None("The reply's reasoning does not end.");
        }
        SequencedSet<Integer> numbers = numbers(behind.orElse(reply), shown);
        if (numbers.isEmpty()) {
            return new Choice.None("The reply names no response from 1 to " + shown + ".");
        }
        return reading == JudgeFormat.Reading.FIRST_NUMBER || numbers.size() == 1
                ? new Choice.Of(numbers.getFirst() - 1)
                : new Choice.None("The reply names several responses: "
                        + numbers.stream().map(String::valueOf).collect(Collectors.joining(", ")) + ".");
    }

    /**
     * Reads a reply by the rule of docs/judging.md: the first number from 1 to {@code shown} chooses.
     *
     * @param shown how many responses were shown, at least 1
     */
    public static JudgeReply parseSelection(String reply, int shown) {
        SequencedSet<Integer> numbers = numbers(reply, shown);
        return numbers.isEmpty() ? UNUSABLE : new JudgeReply(numbers.getFirst() - 1, false);
    }

    /**
     * The numbers of responses in a reply, each once, in order. The reply is split at white space, and the ASCII digits of each word
     * are glued together. A word whose number is not from 1 to {@code shown} names none.
     */
    private static SequencedSet<Integer> numbers(String reply, int shown) {
        if (shown < 1) {
            throw new IllegalArgumentException("A judge is shown at least one response");
        }
        SequencedSet<Integer> numbers = new LinkedHashSet<>();
        // Numbers stop growing once they are out of range, so that no run of digits overflows.
        long number = 0;
        for (int i = 0; i <= reply.length(); i++) {
            if (i == reply.length() || WhiteSpace.is(reply.charAt(i))) {
                if (number >= 1 && number <= shown) {
                    numbers.add((int) number);
                }
                number = 0;
            } else if (reply.charAt(i) >= '0' && reply.charAt(i) <= '9' && number <= shown) {
                number = number * 10 + (reply.charAt(i) - '0');
            }
        }
        return numbers;
    }
}
