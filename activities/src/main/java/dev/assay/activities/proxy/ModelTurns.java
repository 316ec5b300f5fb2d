package dev.assay.activities.proxy;

import dev.assay.domain.text.StorableText;
import dev.assay.domain.text.Utf8;
import dev.assay.domain.trace.ModelTurn;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The turns of one attempt for its trace. However many requests there are, what is kept of them is bounded. */
final class ModelTurns {

    /** Bytes of a request or an answer. */
    static final int MAX_MESSAGE = 1024 * 1024;

    /** Bytes of all requests and answers, as many as are kept of what a program prints. */
    private static final int MAX_MESSAGES = 10 * 1024 * 1024;

    private static final int MAX_TURNS = 10_000;

    private final List<ModelTurn> turns = new ArrayList<>();
    private int messages;
    private int left;

    /** Notes a turn, with its messages where there is room for them. */
    synchronized void add(ModelTurn turn, byte[] request, byte[] answer) {
        if (turns.size() == MAX_TURNS) {
            left++;
            return;
        }
        String asked = text(request);
        String said = text(answer);
        int bytes = Math.toIntExact(Utf8.length(asked) + Utf8.length(said));
        boolean isRoom = messages + bytes <= MAX_MESSAGES;
        messages += isRoom ? bytes : 0;
        turns.add(isRoom ? turn.withMessages(asked, said) : turn);
    }

    private static String text(byte[] bytes) {
        return Utf8.first(
                StorableText.of(new String(bytes, 0, Math.min(bytes.length, MAX_MESSAGE), StandardCharsets.UTF_8)),
                MAX_MESSAGE);
    }

    /** The turns, by their numbers. */
    synchronized List<ModelTurn> all() {
        return turns.stream().sorted(Comparator.comparingInt(ModelTurn::turn)).toList();
    }

    /** How many were not noted. */
    synchronized int left() {
        return left;
    }
}
