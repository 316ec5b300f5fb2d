package dev.assay.cli.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.standalone.server.DataDirectory;
import dev.assay.standalone.server.Endpoints;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;

/** The API of whatever server runs over a data directory; it outlives any server. */
public final class Api implements AutoCloseable {

    public static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String CAMPAIGNS = "/api/v1/campaigns";

    private final HttpClient http = HttpClient.newHttpClient();
    private final Path data;

    public Api(Path data) {
        this.data = data;
    }

    /** What runs now, as {@code endpoints.json} says; a killed server leaves it behind. */
    public Optional<Endpoints> endpoints() {
        return Files.exists(data) ? Endpoints.read(DataDirectory.open(data)) : Optional.empty();
    }

    /** Waits until a server answers. */
    public Endpoints await() throws Exception {
        Awaitility.await().atMost(PATIENCE).until(this::answers);
        return endpoints().orElseThrow();
    }

    private boolean answers() throws InterruptedException {
        try {
            return endpoints().isPresent() && get(CAMPAIGNS).path("items").isArray();
        } catch (IOException e) {
            return false;
        }
    }

    /** The body at {@code path}, whatever the status. */
    public JsonNode get(String path) throws IOException, InterruptedException {
        return Json.tree(send(path, Duration.ofSeconds(30)).body());
    }

    /** The response at {@code path}; an {@link IOException} when no server takes the request. */
    public HttpResponse<String> send(String path, Duration timeout) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(address(path)).timeout(timeout).build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** Submits a campaign file; gives the campaign's id. */
    public String submit(String campaign) throws IOException, InterruptedException {
        return submit(CAMPAIGNS, campaign);
    }

    /** Submits a document to {@code path}; gives the id of what was made of it. */
    public String submit(String path, String document) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address(path))
                .header("Content-Type", "application/yaml")
                .POST(HttpRequest.BodyPublishers.ofString(document))
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        return Json.tree(response.body()).path("id").asText();
    }

    private URI address(String path) throws IOException {
        Endpoints endpoints = endpoints().orElseThrow(() -> new IOException("No server has started yet"));
        return URI.create(endpoints.api() + path);
    }

    /** Deletes what is at {@code path}. */
    public HttpResponse<String> delete(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address(path)).DELETE().build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** Asks a campaign for one of {@code pause}, {@code resume} and {@code cancel}. */
    public void steer(String id, String verb) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address(CAMPAIGNS + "/" + id + "/" + verb))
                .POST(HttpRequest.BodyPublishers.noBody());
        HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    }

    /** Waits until so many live workers can ask {@code provider}. */
    public void awaitWorkers(String provider, int workers) throws Exception {
        Awaitility.await().atMost(PATIENCE).until(() -> workers(provider) == workers);
    }

    private int workers(String provider) throws IOException, InterruptedException {
        for (JsonNode item : get("/api/v1/providers").path("items")) {
            if (item.path("name").asText().equals(provider)) {
                return item.path("workers").asInt();
            }
        }
        return 0;
    }

    /** Id of the newest campaign, when there is one. */
    public Optional<String> newest() throws IOException, InterruptedException {
        return Optional.of(get(CAMPAIGNS).at("/items/0/id").asText()).filter(id -> !id.isEmpty());
    }

    /** The campaign as the API shows it. */
    public JsonNode campaign(String id) throws IOException, InterruptedException {
        return get(CAMPAIGNS + "/" + id);
    }

    public int cellsDone(String id) throws IOException, InterruptedException {
        return campaign(id).at("/progress/cellsDone").asInt();
    }

    /** The campaign's state; empty while no server can say. */
    public String state(String id) throws InterruptedException {
        try {
            return campaign(id).path("state").asText();
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
