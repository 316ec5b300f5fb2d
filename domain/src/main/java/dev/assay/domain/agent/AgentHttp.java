package dev.assay.domain.agent;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A system under test behind an address. {@code {{prompt}}}, {@code {{messages}}} and {@code {{vars.name}}} are places of the address
 * and of the body.
 *
 * @param method GET, POST, PUT, PATCH or DELETE
 * @param url begins with a scheme and a host without places
 * @param headers values; {@code ${name}} stands for a variable of the worker
 * @param body a text is sent as it is, everything else as JSON; null: nothing is sent
 * @param answer where the answer stands in the response
 * @param maxCostUsd the most that one request costs in US dollars, which the budget reserves; null: unknown
 */
public record AgentHttp(
        String method,
        String url,
        Map<String, String> headers,
        @Nullable JsonNode body,
        Answer answer,
        @Nullable BigDecimal maxCostUsd) {

    /**
     * The place of an answer.
     *
     * @param response JSONPath of the text; null: all that comes back is the text
     */
    public record Answer(@Nullable String response, UsagePaths usage) {

        /** Whether something is searched in what comes back; else all of it is the answer. */
        public boolean needsSearch() {
            return response != null || !usage.equals(UsagePaths.NONE);
        }
    }

    /**
     * The places of an answer's usage.
     *
     * @param object JSONPath of an object with the names that most APIs give to numbers of tokens; null: there is none
     * @param fields JSONPath of single numbers, by the word for each; they win over the object's
     */
    public record UsagePaths(@Nullable String object, Map<String, String> fields) {

        /** The usage is not reported. */
        public static final UsagePaths NONE = new UsagePaths(null, Map.of());

        public UsagePaths {
            fields = Map.copyOf(fields);
        }
    }

    public AgentHttp {
        headers = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /** The host in lower case, for people and for the pool of permits; without its port. */
    public String host() {
        int end = url.indexOf('?') < 0 ? url.length() : url.indexOf('?');
        int slash = url.indexOf('/', url.indexOf("://") + 3);
        String begin = url.substring(0, slash < 0 ? end : Math.min(slash, end));
        String host = URI.create(begin).getHost();
        return host == null ? begin : host.toLowerCase(Locale.ROOT);
    }
}
