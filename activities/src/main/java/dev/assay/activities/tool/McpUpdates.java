package dev.assay.activities.tool;

import dev.assay.domain.text.Excerpt;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import java.math.BigDecimal;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Brings a server's progress reports to the caller of the tool. Each call has a token, which its reports name. */
final class McpUpdates {

    private static final int MAX_CHARACTERS = 300;

    private final AtomicLong calls = new AtomicLong();
    private final Map<String, Consumer<String>> byToken = new ConcurrentHashMap<>();

    /** The token of a call whose updates {@code listener} receives, until it is over. */
    String begin(Consumer<String> listener) {
        String token = String.valueOf(calls.incrementAndGet());
        byToken.put(token, listener);
        return token;
    }

    /** Ends the updates of a call. */
    void end(String token) {
        byToken.remove(token);
    }

    void receive(ProgressNotification notification) {
        Consumer<String> listener = byToken.get(String.valueOf(notification.progressToken()));
        if (listener != null) {
            listener.accept(text(notification));
        }
    }

    /** The server's message, else its progress: "3 of 10". */
    private static String text(ProgressNotification notification) {
        String message = notification.message();
        if (message != null && !message.isBlank()) {
            return Excerpt.of(message, MAX_CHARACTERS);
        }
        Double total = notification.total();
        return number(notification.progress()) + (total == null ? "" : " of " + number(total));
    }

    private static String number(double value) {
        return Double.isFinite(value)
                ? BigDecimal.valueOf(value).stripTrailingZeros().toPlainString()
                : String.valueOf(value);
    }
}
