package dev.assay.web;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.store.SampleCampaign;
import dev.assay.store.StoreFixture;
import dev.assay.workflows.TaskQueues;
import io.micronaut.runtime.server.EmbeddedServer;
import io.temporal.client.WorkflowClient;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** The HTTP server on a database of its own, an in-process Temporal and a {@link FakeCampaignWorkflow}; one live worker. */
public final class ServerFixture implements AutoCloseable {

    private final TestWorkflowEnvironment temporal;
    private final StoreFixture store;
    private final EmbeddedServer server;
    private boolean temporalLost;
    private final HttpClient http = HttpClient.newHttpClient();

    private ServerFixture(Map<String, Object> properties, Function<WorkflowClient, WorkflowClient> client) {
        temporal = TestWorkflowEnvironment.newInstance(
                TestEnvironmentOptions.newBuilder().setUseTimeskipping(false).build());
        temporal.newWorker(TaskQueues.ORCHESTRATION).registerWorkflowImplementationTypes(FakeCampaignWorkflow.class);
        temporal.start();
        Map<String, Object> all = new HashMap<>(properties);
        all.put("micronaut.server.port", -1);
        store = StoreFixture.open(all);
        store.context().registerSingleton(WorkflowClient.class, client.apply(temporal.getWorkflowClient()));
        server = store.context().getBean(EmbeddedServer.class).start();
        SampleCampaign.registerWorker(store, "worker");
    }

    /** Starts everything. */
    public static ServerFixture start() {
        return start(Map.of());
    }

    /** Starts everything, with further settings of the server. */
    public static ServerFixture start(Map<String, Object> properties) {
        return new ServerFixture(properties, client -> client);
    }

    /** Starts everything; the server asks Temporal through {@code client}, which the caller closes. */
    public static ServerFixture startWith(WorkflowClient client) {
        return new ServerFixture(Map.of(), inProcess -> client);
    }

    /** The database. */
    public StoreFixture store() {
        return store;
    }

    /** The client of the in-process Temporal. */
    public WorkflowClient temporal() {
        return temporal.getWorkflowClient();
    }

    /** Temporal ends and does not answer any more. */
    public void loseTemporal() {
        temporalLost = true;
        temporal.close();
    }

    /** The bean of {@code type}. */
    public <T> T get(Class<T> type) {
        return store.get(type);
    }

    /** Where the server listens. */
    public URI uri() {
        return server.getURI();
    }

    /** A request to {@code path}, with a time limit. */
    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server.getURI() + path)).timeout(Duration.ofSeconds(30));
    }

    /** Answers of {@code GET path}. */
    public HttpResponse<String> fetch(String path) {
        return send(request(path).GET());
    }

    /** The body of {@code GET path}, which must be 200. */
    public JsonNode json(String path) {
        HttpResponse<String> response = fetch(path);
        if (response.statusCode() != 200) {
            throw new IllegalStateException(path + " answered " + response.statusCode() + ": " + response.body());
        }
        return Json.tree(response.body());
    }

    /** Answers of {@code POST path} with a body. */
    public HttpResponse<String> post(String path, String mediaType, String body) {
        return send(request(path).header("Content-Type", mediaType).POST(BodyPublishers.ofString(body)));
    }

    /** Answers of {@code POST path} without a body. */
    public HttpResponse<String> post(String path) {
        return send(request(path).POST(BodyPublishers.noBody()));
    }

    /** Answers of {@code PATCH path} with a JSON body. */
    public HttpResponse<String> patch(String path, String body) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .method("PATCH", BodyPublishers.ofString(body)));
    }

    /** Sends a request. */
    public HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Submits {@code sample} and says the id that it got. */
    public String submit(SampleCampaign sample) {
        HttpResponse<String> response =
                post("/api/v1/campaigns", "application/json", sample.document().toString());
        if (response.statusCode() != 202) {
            throw new IllegalStateException(response.statusCode() + ": " + response.body());
        }
        return Json.tree(response.body()).get("id").asText();
    }

    @Override
    public void close() {
        store.close();
        if (!temporalLost) {
            temporal.close();
        }
    }
}
