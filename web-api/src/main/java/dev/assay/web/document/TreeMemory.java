package dev.assay.web.document;

import dev.assay.web.connection.BodyPlace;
import io.micronaut.http.HttpRequest;

/** Takes the memory of a document's tree before it is built, by an estimate of its values and names that is never too low. */
final class TreeMemory {

    /** The number of values and names that are taken at once while YAML is read. */
    private static final int PIECE = 10_000;

    private final HttpRequest<?> request;
    private long taken;
    private long steps;

    /** Takes what {@code text} needs if it is JSON. */
    TreeMemory(HttpRequest<?> request, String text) {
        this.request = request;
        take(marks(text));
    }

    /** Characters that JSON puts around values and names. Those in texts count, too. */
    private static long marks(String text) {
        long marks = 0;
        for (int i = 0; i < text.length(); i++) {
            switch (text.charAt(i)) {
                case ',', ':', '[', '{' -> marks++;
                default -> {}
            }
        }
        return marks;
    }

    /** YAML has one value or name more. */
    void step() {
        if (++steps > taken) {
            take(PIECE);
        }
    }

    private void take(long nodes) {
        BodyPlace.takeNodes(request, nodes);
        taken += nodes;
    }
}
