package dev.assay.domain.judge;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The form of a judge's prompt and reply.
 *
 * @param fenced whether each response stands between marks that it cannot forge
 * @param reading how a number is found in a reply
 */
public record JudgeFormat(Reply reply, boolean fenced, Reading reading) {

    /** Bare responses, answered by a number, of which the first counts. */
    public static final JudgeFormat PLAIN = new JudgeFormat(Reply.PLAIN, false);

    /** A form in which the first number counts. */
    public JudgeFormat(Reply reply, boolean fenced) {
        this(reply, fenced, Reading.FIRST_NUMBER);
    }

    /** The rule by which a number is found in a reply (docs/judging.md). */
    public enum Reading {
        /** A reply decides that names one response, however often; one that names several is asked for once more. */
        ONE_NUMBER("one-number"),
        /** The first number of a response decides. */
        FIRST_NUMBER("first-number");

        private final String word;

        Reading(String word) {
            this.word = word;
        }

        /** The word that users write. */
        public String word() {
            return word;
        }

        /** By {@link #word}, in order. */
        public static Map<String, Reading> byWord() {
            return Arrays.stream(values())
                    .collect(Collectors.toMap(Reading::word, reading -> reading, (a, b) -> a, LinkedHashMap::new));
        }
    }

    /** The form of a judge's reply. */
    public enum Reply {
        /** The number of the best response. */
        PLAIN("plain"),
        /** A JSON object: reason, score of each response, number of the best. An invalid one is asked for again, once. */
        STRUCTURED("structured");

        private final String word;

        Reply(String word) {
            this.word = word;
        }

        /** The word that users write. */
        public String word() {
            return word;
        }

        /** By {@link #word}, in order. */
        public static Map<String, Reply> byWord() {
            return Arrays.stream(values())
                    .collect(Collectors.toMap(Reply::word, reply -> reply, (a, b) -> a, LinkedHashMap::new));
        }
    }

    /** The same, answered by a JSON object. */
    public JudgeFormat structured() {
        return new JudgeFormat(Reply.STRUCTURED, fenced, reading);
    }

    /** Whether a reply that names no single response is asked for once more, as a JSON object. */
    boolean asksAgain() {
        return reply == Reply.PLAIN && reading == Reading.ONE_NUMBER;
    }

    /** Whether the reply is a JSON object. */
    public boolean isStructured() {
        return reply == Reply.STRUCTURED;
    }
}
