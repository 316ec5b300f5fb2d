package dev.assay.activities.provider.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.assay.activities.http.WholeAnswers;
import dev.assay.domain.json.Json;
import dev.assay.domain.provider.ProviderSettings;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lists of the models that providers have ({@code GET /models}). */
public final class ModelLists implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ModelLists.class);

    /** Far above the longest list. */
    private static final long MAX_BYTES = 16L * 1024 * 1024;

    private final WholeAnswers http = new WholeAnswers(MAX_BYTES);

    /**
     * The provider's list of models; missing where it answers no JSON within {@code limit}. Not every server has a list, and
     * nothing depends on it.
     *
     * @param key null: the provider needs none
     * @throws InterruptedException when the calling thread is interrupted
     */
    public JsonNode of(ProviderSettings provider, @Nullable ApiKey key, Duration limit) throws InterruptedException {
        try {
            HttpRequest request = Endpoint.request(provider, key, "/models").build();
            HttpResponse<byte[]> answer = http.send(request, limit.toNanos());
            return answer.statusCode() == 200 ? Json.mapper().readTree(answer.body()) : MissingNode.getInstance();
        } catch (IOException | TimeoutException e) {
            log.debug("Provider {} gives no list of models", provider.name(), e);
            return MissingNode.getInstance();
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
