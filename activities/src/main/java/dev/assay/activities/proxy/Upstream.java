package dev.assay.activities.proxy;

import dev.assay.activities.http.DirectHttp;
import dev.assay.activities.provider.ProviderAccess;
import dev.assay.activities.provider.wire.ApiKey;
import dev.assay.domain.provider.ProviderType;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The way to the providers. Nothing but the provider's own URL is asked, no redirect is followed, and nothing is tried again. */
final class Upstream implements AutoCloseable {

    /** Headers of a program that go on. */
    private static final List<String> SENT = List.of("accept", "anthropic-version", "anthropic-beta", "openai-beta");

    private static final List<String> PASSED = List.of("content-type", "retry-after");

    private static final List<String> PASSED_BEGINS = List.of("x-ratelimit-", "anthropic-ratelimit-", "ratelimit");

    private static final String CONTENT_TYPE = "content-type";

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client =
            DirectHttp.builder(DirectHttp.CONNECT_TIMEOUT).executor(executor).build();

    /**
     * The request to a provider.
     *
     * @throws RefusedException when a header of the program cannot be sent
     */
    static HttpRequest.Builder request(ProviderAccess provider, Route route, RequestHead head, byte[] body)
            throws RefusedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(provider.settings().apiUrl() + route.path()))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        try {
            String type = head.header(CONTENT_TYPE);
            request.header(CONTENT_TYPE, type == null ? "application/json" : type);
            for (String name : SENT) {
                String value = head.header(name);
                if (value != null) {
                    request.header(name, value);
                }
            }
        } catch (IllegalArgumentException _) {
            throw RefusedException.malformed("A header of the request is malformed.");
        }
        return request;
    }

    /** The request with the key of a provider. */
    static HttpRequest keyed(HttpRequest.Builder request, ProviderAccess provider) {
        ApiKey key = provider.key();
        if (key != null) {
            boolean isAnthropic = provider.settings().type() == ProviderType.ANTHROPIC;
            request.header(
                    isAnthropic ? "x-api-key" : "authorization", isAnthropic ? key.value() : "Bearer " + key.value());
        }
        return request.build();
    }

    /**
     * Sends a request and waits for the head of its answer. To close the body ends the request.
     *
     * @throws InterruptedException when the thread is interrupted; the request is then aborted
     */
    HttpResponse<InputStream> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, BodyHandlers.ofInputStream());
    }

    /** The headers of an answer that the program sees, without the key of {@code provider}. */
    static Map<String, String> passed(ProviderAccess provider, HttpResponse<?> answer) {
        ApiKey key = provider.key();
        Map<String, String> passed = new TreeMap<>();
        answer.headers().map().forEach((name, values) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (PASSED.contains(lower) || PASSED_BEGINS.stream().anyMatch(lower::startsWith)) {
                String value = values.getFirst();
                passed.put(lower, key == null ? value : key.redact(value));
            }
        });
        return passed;
    }

    /** Whether the answer is a stream of events. */
    static boolean isStream(HttpResponse<?> answer) {
        return answer.headers()
                .firstValue(CONTENT_TYPE)
                .filter(type -> type.toLowerCase(Locale.ROOT).startsWith("text/event-stream"))
                .isPresent();
    }

    /** Whether its body can be passed on without the headers that say how it is encoded. */
    static boolean isPlain(HttpResponse<?> answer) {
        return answer.headers()
                .firstValue("content-encoding")
                .filter(coding -> !coding.equalsIgnoreCase("identity"))
                .isEmpty();
    }

    @Override
    public void close() {
        client.shutdownNow();
        executor.shutdownNow();
    }
}
