package dev.assay.domain.judge;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The form of a judge's prompt and reply.
 *
 * @param reply what the reply looks like
 * @param fenced whether each response stands between marks that it cannot forge
 */
public record JudgeFormat(Reply reply, boolean fenced) {

    /** Bare responses, answered by a number (semantics A3). */
    public static final JudgeFormat PLAIN = new JudgeFormat(Reply.PLAIN, false);

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

    /** Whether the reply is a JSON object. */
    public boolean isStructured() {
        return reply == Reply.STRUCTURED;
    }
}
