package dev.assay.activities.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.tool.ToolException;
import dev.assay.domain.tool.ToolSpec;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;

/**
 * The values of the variables that a tool is given. A server that it asks may repeat them. Models, results, logs and transcripts
 * get {@code [secret]} in their place, also where they are encoded as in an address or in Base64. A value that was exchanged stays
 * remembered.
 */
public final class Secrets {

    private static final String HIDDEN = "[secret]";

    /** Shorter ones stand in other texts by chance. */
    private static final int SHORTEST = 4;

    /** The end of an excerpt. */
    private static final String CUT = "…";

    /** The longest first, since one may hold another. */
    private final NavigableSet<String> written = new ConcurrentSkipListSet<>(
            Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder()));

    /** Remembers {@code value} and returns it. */
    public String add(String value) {
        String secret = value.strip();
        if (secret.length() >= SHORTEST) {
            byte[] bytes = secret.getBytes(StandardCharsets.US_ASCII);
            written.add(secret);
            written.add(URLEncoder.encode(secret, StandardCharsets.UTF_8));
            written.add(URLEncoder.encode(secret, StandardCharsets.UTF_8).replace("+", "%20"));
            written.add(Base64.getEncoder().encodeToString(bytes));
            written.add(secret.replace("\\", "\\\\").replace("\"", "\\\""));
        }
        return value;
    }

    /** {@code text} without the remembered values. */
    public String hiddenFrom(String text) {
        String hidden = text;
        for (String secret : written) {
            hidden = hidden.replace(secret, HIDDEN);
        }
        return hidden.endsWith(CUT) ? withoutBegunSecret(hidden) : hidden;
    }

    /** The excerpt without the beginning of a secret at its end. */
    private String withoutBegunSecret(String excerpt) {
        String said = excerpt.substring(0, excerpt.length() - CUT.length());
        for (String secret : written) {
            for (int length = secret.length() - 1; length >= SHORTEST; length--) {
                String begin = secret.substring(0, length);
                if (said.endsWith(begin)) {
                    return said.substring(0, said.length() - length) + HIDDEN + CUT;
                }
            }
        }
        return excerpt;
    }

    /** The same failure without its cause, which may quote a server. */
    ToolboxException hiddenFrom(ToolboxException failure) {
        return written.isEmpty()
                ? failure
                : new ToolboxException(
                        failure.failure().code(), hiddenFrom(failure.failure().message()), null);
    }

    /** The same tool, with the secrets removed from its results. */
    RunnableTool hiddenFrom(RunnableTool tool) {
        return written.isEmpty() ? tool : new Discreet(tool, hiddenFrom(tool.spec()), this);
    }

    private ToolSpec hiddenFrom(ToolSpec spec) {
        return new ToolSpec(
                spec.name(),
                hiddenFrom(spec.description()),
                Json.tree(hiddenFrom(spec.parameters().toString())),
                spec.declared());
    }

    private record Discreet(RunnableTool tool, ToolSpec spec, Secrets secrets) implements RunnableTool {

        @Override
        public Duration timeout() {
            return tool.timeout();
        }

        @Override
        public boolean idempotent() {
            return tool.idempotent();
        }

        @Override
        public String run(JsonNode arguments, Consumer<String> updates) throws InterruptedException {
            try {
                return secrets.hiddenFrom(tool.run(arguments, update -> updates.accept(secrets.hiddenFrom(update))));
            } catch (ToolException e) {
                throw new ToolException(secrets.hiddenFrom(String.valueOf(e.getMessage())));
            } catch (RuntimeException e) {
                throw new IllegalStateException(secrets.hiddenFrom(String.valueOf(e)));
            }
        }
    }
}
