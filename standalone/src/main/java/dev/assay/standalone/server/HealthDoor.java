package dev.assay.standalone.server;

import com.sun.net.httpserver.HttpExchange;
import dev.assay.domain.access.LocalDoor;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The clients that a worker lets read its health and metrics. */
sealed interface HealthDoor {

    /** The reason why {@code exchange} is not answered; null: it is. */
    @Nullable
    Refusal refusal(HttpExchange exchange);

    /**
     * The answer to a request that is refused.
     *
     * @param status of HTTP
     */
    record Refusal(int status, String reason) {}

    /** Only this machine can reach it, and pages of others must not. */
    record Local(LocalDoor door) implements HealthDoor {

        @Override
        public @Nullable Refusal refusal(HttpExchange exchange) {
            String reason = door.refusal(all(exchange, "Host"), all(exchange, "Origin"));
            return reason == null ? null : new Refusal(403, reason);
        }
    }

    /** Others can reach it. The metrics need a token of any scope; a supervisor that asks for the health needs none. */
    record Tokens(Predicate<String> valid) implements HealthDoor {

        private static final Pattern BEARER = Pattern.compile("Bearer +([!-~]{1,1000})", Pattern.CASE_INSENSITIVE);

        @Override
        public @Nullable Refusal refusal(HttpExchange exchange) {
            if (exchange.getHttpContext().getPath().equals("/prometheus") && !bears(all(exchange, "Authorization"))) {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
                return new Refusal(401, "The metrics need a token of scope read (assay token create)");
            }
            return null;
        }

        private boolean bears(List<String> written) {
            Matcher bearer = BEARER.matcher(written.size() == 1 ? written.getFirst() : "");
            return bearer.matches() && valid.test(bearer.group(1));
        }
    }

    private static List<String> all(HttpExchange exchange, String header) {
        List<String> values = exchange.getRequestHeaders().get(header);
        return values == null ? List.of() : values;
    }
}
