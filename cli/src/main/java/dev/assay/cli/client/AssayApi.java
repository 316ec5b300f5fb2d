package dev.assay.cli.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.estimate.CampaignEstimate;
import dev.assay.domain.json.Json;
import dev.assay.domain.report.CampaignSummary;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The API of one server, under {@code /api/v1}. Every failure is an {@link AssayException} with the server's own message. */
public final class AssayApi implements AutoCloseable {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(60);
    /** Items of a page that is asked for. */
    static final int PAGE_SIZE = 500;

    private static final int NOT_MODIFIED = 304;

    /** Bytes of a workspace in one request: the server takes no more. */
    private static final int PIECE = 8 * 1024 * 1024;
    /** The path of the API. */
    static final String API = "/api/v1";

    private final URI base;
    private final @Nullable String token;
    private final HttpClient http;

    /** A client of the server at {@code base}, which asks for no token. */
    public AssayApi(URI base) {
        this(base, null);
    }

    /**
     * A client of the server at {@code base}.
     *
     * @param token the token that each request bears; null: none
     */
    public AssayApi(URI base, @Nullable String token) {
        this.base = base;
        this.token = token;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_TIMEOUT)
                .build();
    }

    /** Base URL of the server. */
    public URI base() {
        return base;
    }

    /** Whether the server answers at all. */
    public boolean answers() {
        try {
            send(request("/campaigns?pageSize=1").GET().build());
            return true;
        } catch (AssayException e) {
            return e.code() != ErrorCode.STORE_UNAVAILABLE;
        }
    }

    /** Stores the archive of a workspace under its content, unless it is stored. */
    public void upload(String workspaceId, Path archive) {
        String path = "/workspaces/" + workspaceId;
        if (json(send(request(path).GET().build())).path("stored").asBoolean()) {
            return;
        }
        int piece = 0;
        try (InputStream source = Files.newInputStream(archive)) {
            for (byte[] bytes = source.readNBytes(PIECE); bytes.length > 0; bytes = source.readNBytes(PIECE)) {
                send(request(path + "/" + piece++)
                        .header("Content-Type", "application/octet-stream")
                        .PUT(HttpRequest.BodyPublishers.ofByteArray(bytes))
                        .build());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        send(withJson(path, "PUT", Json.mapper().createObjectNode().put("pieces", piece)));
    }

    /** Stores a campaign and starts it. */
    public RemoteCampaign submit(JsonNode document) {
        return view(post("/campaigns", document));
    }

    /** What a scoring changes, with the first of its flips. */
    public JsonNode scoring(String id) {
        return get(path(id) + "/scoring?pageSize=10");
    }

    /** Submits a scoring of a campaign's answers. */
    public RemoteCampaign rescore(String id, JsonNode document) {
        return view(post(path(id) + "/scorings", document));
    }

    /** One campaign. */
    public RemoteCampaign campaign(String id) {
        return view(campaignJson(id));
    }

    /**
     * A campaign that is looked at again and again.
     *
     * @param tag names this answer; null: the server does not say
     */
    public record Seen(RemoteCampaign campaign, @Nullable String tag) {}

    /** A campaign as it is now: {@code last} itself while nothing was recorded since. */
    public Seen again(Seen last) {
        HttpRequest.Builder request = request(path(last.campaign().id()));
        if (last.tag() != null) {
            request.header("If-None-Match", last.tag());
        }
        HttpResponse<String> response = exchange(request.GET().build());
        return response.statusCode() == NOT_MODIFIED
                ? last
                : new Seen(
                        view(json(response.body())),
                        response.headers().firstValue("ETag").orElse(null));
    }

    /** One campaign with all fields of the API. */
    public JsonNode campaignJson(String id) {
        return get(path(id));
    }

    /** The progress of a campaign, branch by branch. */
    public JsonNode progress(String id) {
        return get(path(id) + "/progress");
    }

    /** The definition of a campaign, as a campaign file without its cases. */
    public JsonNode definition(String id) {
        return get(path(id) + "/definition");
    }

    /** All campaigns, newest first. */
    public List<RemoteCampaign> campaigns() {
        return campaigns(List.of()).stream().map(AssayApi::view).toList();
    }

    /** Campaigns in these states, else in any, newest first, each with all fields of the list. */
    public List<JsonNode> campaigns(Collection<CampaignState> states) {
        String only = states.stream().map(state -> "&state=" + state).collect(Collectors.joining());
        List<JsonNode> campaigns = new ArrayList<>();
        pages("/campaigns?pageSize=" + PAGE_SIZE + only, campaigns::add);
        return campaigns;
    }

    /** Reads a file while it is sent. */
    @FunctionalInterface
    public interface Reading<T> {

        /**
         * Reads the file.
         *
         * @param version the state of the campaign that it shows; null: the server does not say
         * @throws IOException when the rest is not sent, or is not what it should be
         */
        T read(InputStream content, @Nullable String version) throws IOException;
    }

    /**
     * The results of a campaign as a file.
     *
     * @param query which, as the API takes it
     */
    public <T> T artifacts(String id, Map<String, String> query, Reading<T> reading) {
        return file(path(id) + "/artifacts" + query(query), reading);
    }

    /**
     * The outcomes of a campaign as a file.
     *
     * @param query which, and in which form, as the API takes it
     */
    public <T> T export(String id, Map<String, String> query, Reading<T> reading) {
        return file(path(id) + "/export" + query(query), reading);
    }

    /** The file at {@code path}, read while it is sent. */
    <T> T file(String path, Reading<T> reading) {
        HttpRequest request = unlimited(path).GET().build();
        try {
            HttpResponse<InputStream> response = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream content = response.body()) {
                if (response.statusCode() >= 300) {
                    throw Problem.of(new String(content.readAllBytes(), StandardCharsets.UTF_8), response.statusCode());
                }
                return reading.read(
                        content, response.headers().firstValue("Matrix-Version").orElse(null));
            }
        } catch (IOException e) {
            throw unanswered(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /**
     * Asks the server to pause, resume or cancel a campaign.
     *
     * @return the campaign after that, with all fields of the API
     */
    public JsonNode act(String id, String action) {
        return post(path(id) + "/" + action);
    }

    /**
     * Runs cells of a campaign again.
     *
     * @param rerun which, as the API takes it
     * @return the campaign after that
     */
    public JsonNode rerun(String id, JsonNode rerun) {
        return post(path(id) + "/rerun", rerun);
    }

    /**
     * Changes the limits of a campaign.
     *
     * @param limits the ones that change, as the API takes them
     * @return the campaign after that
     */
    public JsonNode change(String id, JsonNode limits) {
        return patch(path(id), limits);
    }

    /** Deletes a campaign that has ended; returns when it is deleted, which may take minutes without a server that stays. */
    public void delete(String id) {
        var _ = send(unlimited(path(id)).DELETE().build());
    }

    private HttpRequest withJson(String path, String method, JsonNode body) {
        return request(path)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(Json.write(body)))
                .build();
    }

    /** The summary of a campaign that has ended. */
    public CampaignSummary report(String id) {
        return convert(get(path(id) + "/report"), CampaignSummary.class);
    }

    /**
     * Two campaigns, or two branches of one, side by side.
     *
     * @param maxDrop the drop of the trial rate that is accepted; null: the server's default
     * @param reducers further numbers to compare, by name
     * @param pair what cases must have in common; null: as the API has it
     */
    public JsonNode compare(
            String a, String b, @Nullable Double maxDrop, List<String> reducers, @Nullable String pair) {
        String query = "?a=" + encoded(a) + "&b=" + encoded(b) + (maxDrop == null ? "" : "&maxDrop=" + maxDrop)
                + (pair == null ? "" : "&pair=" + encoded(pair))
                + reducers.stream().map(name -> "&reducer=" + encoded(name)).collect(Collectors.joining());
        return get("/compare" + query);
    }

    /**
     * The cost and precision of a campaign; nothing is stored or started.
     *
     * @param assumptions of the plan, by the names of the API
     */
    public JsonNode plan(JsonNode document, Map<String, String> assumptions) {
        return post("/campaigns/plan" + query(assumptions), document);
    }

    /**
     * What a campaign takes, by the server's prices and what it recorded; nothing is stored or started.
     *
     * @throws AssayException INVALID_INPUT with all errors when the server refuses the campaign
     */
    public CampaignEstimate estimate(JsonNode document) {
        return convert(plan(document, Map.of()), CampaignEstimate.class);
    }

    /**
     * Hands over rows of the audit, newest first, page by page.
     *
     * @param filter as the API takes it
     */
    public void audit(Map<String, String> filter, Consumer<JsonNode> consumer) {
        Map<String, String> query = new LinkedHashMap<>(filter);
        query.put("pageSize", String.valueOf(PAGE_SIZE));
        pages("/audit" + query(query), consumer);
    }

    /**
     * Hands over outcomes, by trial, then case, then branch.
     *
     * @param filter as the API takes it
     */
    public void outcomes(String id, Map<String, String> filter, Consumer<JsonNode> consumer) {
        Map<String, String> query = new LinkedHashMap<>(filter);
        query.put("pageSize", String.valueOf(PAGE_SIZE));
        pages(path(id) + "/outcomes" + query(query), consumer);
    }

    static String query(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(one -> one.getKey() + "=" + encoded(one.getValue()))
                .collect(Collectors.joining("&", "?", ""));
    }

    /** What people say of answers. */
    public LabelsApi labels() {
        return new LabelsApi(this);
    }

    /** Imports of finished results. */
    public ImportsApi imports() {
        return new ImportsApi(this);
    }

    /** Evaluations: prompts through several branches. */
    public EvaluationsApi evaluations() {
        return new EvaluationsApi(this, "/evaluations", "evaluation");
    }

    /** Hypothesis evaluations. */
    public EvaluationsApi hypotheses() {
        return new EvaluationsApi(this, "/hypothesis-evaluations", "hypothesis evaluation");
    }

    /** Batches of providers. */
    public BatchesApi batches() {
        return new BatchesApi(this);
    }

    /** Providers and their limits. */
    public ProvidersApi providers() {
        return new ProvidersApi(this);
    }

    /** The resource at {@code path}. */
    JsonNode get(String path) {
        return json(send(request(path).GET().build()));
    }

    /** The server's answer to {@code body}. */
    JsonNode post(String path, JsonNode body) {
        return json(send(withJson(path, "POST", body)));
    }

    /** As {@link #post(String, JsonNode)}, however long it takes. */
    JsonNode postUnlimited(String path, JsonNode body) {
        return json(send(unlimited(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(Json.write(body)))
                .build()));
    }

    /** Sends lines of JSON. */
    void sendLines(String path, byte[] lines) {
        var _ = send(request(path)
                .header("Content-Type", "application/x-ndjson")
                .POST(HttpRequest.BodyPublishers.ofByteArray(lines))
                .build());
    }

    /** Removes a resource. */
    void remove(String path) {
        var _ = send(request(path).DELETE().build());
    }

    /** The server's answer to what replaces a resource. */
    JsonNode put(String path, JsonNode body) {
        return json(send(withJson(path, "PUT", body)));
    }

    /** The server's answer to a file. */
    JsonNode upload(String path, String mediaType, Path file) {
        try {
            return json(send(unlimited(path)
                    .header("Content-Type", mediaType)
                    .POST(HttpRequest.BodyPublishers.ofFile(file))
                    .build()));
        } catch (IOException e) {
            throw new AssayException(ErrorCode.INVALID_INPUT, "The file " + file + " cannot be read", e);
        }
    }

    /** The server's answer to a change. */
    JsonNode patch(String path, JsonNode body) {
        return json(send(withJson(path, "PATCH", body)));
    }

    /** The server's answer to a request without a body. */
    JsonNode post(String path) {
        return json(send(request(path).POST(HttpRequest.BodyPublishers.noBody()).build()));
    }

    /** The data of server-sent events, from the first to the last, as they happen. */
    void events(String path, Consumer<String> consumer) {
        HttpRequest request =
                unlimited(path).header("Accept", "text/event-stream").build();
        try {
            HttpResponse<Stream<String>> response = http.send(request, HttpResponse.BodyHandlers.ofLines());
            try (Stream<String> lines = response.body()) {
                lines.filter(line -> line.startsWith("data: "))
                        .map(line -> line.substring("data: ".length()))
                        .forEach(consumer);
            }
        } catch (IOException e) {
            throw unanswered(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** The recorded answers of a campaign as a cassette file. */
    public String cassette(String id) {
        return send(request(path(id) + "/cassette").GET().build());
    }

    /**
     * Hands over the items of a list, page by page.
     *
     * @param first the path of the first page, with a query
     */
    void pages(String first, Consumer<JsonNode> consumer) {
        String token = "";
        do {
            String next = token.isEmpty() ? "" : "&pageToken=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
            JsonNode page = get(first + next);
            page.path("items").forEach(consumer);
            token = page.path("nextPageToken").asText("");
        } while (!token.isEmpty() && !token.equals("null"));
    }

    private static String path(String id) {
        return "/campaigns/" + encoded(id);
    }

    /** {@code id} as it stands in a path. */
    static String encoded(String id) {
        return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private HttpRequest.Builder request(String path) {
        return unlimited(path).timeout(REQUEST_TIMEOUT);
    }

    private HttpRequest.Builder unlimited(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + API + path));
        return token == null ? request : request.header("Authorization", "Bearer " + token);
    }

    private String send(HttpRequest request) {
        return exchange(request).body();
    }

    private HttpResponse<String> exchange(HttpRequest request) {
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() >= 300 && response.statusCode() != NOT_MODIFIED) {
                throw Problem.of(response.body(), response.statusCode());
            }
            return response;
        } catch (IOException e) {
            throw unanswered(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private AssayException unanswered(IOException cause) {
        return new AssayException(
                ErrorCode.STORE_UNAVAILABLE,
                "The server at " + base + " does not answer"
                        + (cause.getMessage() == null ? "" : " (" + cause.getMessage() + ")"),
                cause);
    }

    private AssayException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new AssayException(ErrorCode.CANCELLED, "Interrupted while asking " + base, cause);
    }

    /** The same campaign, with the fields that commands use. */
    public static RemoteCampaign view(JsonNode campaign) {
        return convert(campaign, RemoteCampaign.class);
    }

    private static JsonNode json(String body) {
        try {
            return Json.mapper().readTree(body);
        } catch (JsonProcessingException e) {
            throw unexpected(e);
        }
    }

    private static <T> T convert(JsonNode json, Class<T> type) {
        try {
            return Json.mapper().treeToValue(json, type);
        } catch (JsonProcessingException e) {
            throw unexpected(e);
        }
    }

    private static AssayException unexpected(JsonProcessingException cause) {
        return new AssayException(
                ErrorCode.INTERNAL,
                "The server's answer cannot be read; is it another version of Assay? " + cause.getOriginalMessage(),
                cause);
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
