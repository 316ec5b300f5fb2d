package dev.assay.cli.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import dev.assay.domain.report.CampaignSummary;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The API of one server, under {@code /api/v1}. Every failure is an {@link AssayException} with the server's own words. */
public final class AssayApi implements AutoCloseable {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(60);
    private static final int PAGE_SIZE = 500;
    private static final String API = "/api/v1";

    private static final String EVALUATIONS = "/evaluations";
    private static final String HYPOTHESES = "/hypothesis-evaluations";

    private final URI base;
    private final HttpClient http;

    /**
     * The base URL of a server, from what a user gave: also from the address of the API itself.
     *
     * @throws AssayException INVALID_INPUT when {@code server} is no http or https URL
     */
    public static URI base(String server) {
        String trimmed = server.strip().replaceFirst("/+$", "");
        String root = trimmed.endsWith(API) ? trimmed.substring(0, trimmed.length() - API.length()) : trimmed;
        try {
            URI base = new URI(root);
            String scheme = String.valueOf(base.getScheme()).toLowerCase(Locale.ROOT);
            if (List.of("http", "https").contains(scheme) && base.getHost() != null) {
                return base;
            }
        } catch (URISyntaxException e) {
            // Said below, in the user's words.
        }
        throw new AssayException(
                ErrorCode.INVALID_INPUT, "--server must be a URL like http://127.0.0.1:8080, but is " + server);
    }

    /** A client of the server at {@code base}. */
    public AssayApi(URI base) {
        this.base = base;
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

    /** Stores a campaign and starts it. */
    public RemoteCampaign submit(JsonNode document) {
        return view(json(send(withJson("/campaigns", "POST", document))));
    }

    /** One campaign. */
    public RemoteCampaign campaign(String id) {
        return view(campaignJson(id));
    }

    /** One campaign with everything that the server says of it. */
    public JsonNode campaignJson(String id) {
        return json(send(request(path(id)).GET().build()));
    }

    /** All campaigns, newest first. */
    public List<RemoteCampaign> campaigns() {
        return campaigns(List.of()).stream().map(AssayApi::view).toList();
    }

    /** Campaigns in these states, else in any, newest first, each with everything that the server says of it in lists. */
    public List<JsonNode> campaigns(Collection<CampaignState> states) {
        String only = states.stream().map(state -> "&state=" + state).collect(Collectors.joining());
        List<JsonNode> campaigns = new ArrayList<>();
        pages("/campaigns?pageSize=" + PAGE_SIZE + only, campaigns::add);
        return campaigns;
    }

    /** Every outcome of a campaign, page by page. */
    public void outcomes(String id, Consumer<JsonNode> consumer) {
        pages(path(id) + "/outcomes?pageSize=" + PAGE_SIZE, consumer);
    }

    /**
     * Asks the server to pause, resume or cancel a campaign.
     *
     * @return the campaign after that, with everything that the server says of it
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
        return json(send(withJson(path(id) + "/rerun", "POST", rerun)));
    }

    /**
     * Changes the limits of a campaign.
     *
     * @param limits the ones that change, as the API takes them
     * @return the campaign after that
     */
    public JsonNode change(String id, JsonNode limits) {
        return json(send(withJson(path(id), "PATCH", limits)));
    }

    private HttpRequest withJson(String path, String method, JsonNode body) {
        return request(path)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(Json.write(body)))
                .build();
    }

    /** What a campaign that has ended adds up to. */
    public CampaignSummary report(String id) {
        return convert(json(send(request(path(id) + "/report").GET().build())), CampaignSummary.class);
    }

    /** Stores an evaluation and starts it. */
    public JsonNode evaluate(JsonNode document) {
        return json(send(withJson(EVALUATIONS, "POST", document)));
    }

    /** Goes on from the selected context of an evaluation. */
    public JsonNode continueEvaluation(String id, JsonNode document) {
        return json(send(withJson(evaluation(id) + "/continue", "POST", document)));
    }

    /** Cancels an evaluation. */
    public JsonNode cancelEvaluation(String id) {
        return post(evaluation(id) + "/cancel");
    }

    /** An evaluation that has ended: waits for its end. */
    public JsonNode ended(String id) {
        return awaited(evaluation(id));
    }

    /** Stores a hypothesis evaluation and starts it. */
    public JsonNode scoreHypotheses(JsonNode document) {
        return json(send(withJson(HYPOTHESES, "POST", document)));
    }

    /** Cancels a hypothesis evaluation. */
    public JsonNode cancelHypotheses(String id) {
        return post(HYPOTHESES + "/" + encoded(id) + "/cancel");
    }

    /** A hypothesis evaluation that has ended: waits for its end. */
    public JsonNode hypothesesEnded(String id) {
        return awaited(HYPOTHESES + "/" + encoded(id));
    }

    private JsonNode post(String path) {
        return json(send(request(path).POST(HttpRequest.BodyPublishers.noBody()).build()));
    }

    private JsonNode awaited(String path) {
        while (true) {
            JsonNode evaluation = json(send(request(path + "?wait=20s").GET().build()));
            if (!evaluation.path("finishedAt").isNull()
                    && !evaluation.path("finishedAt").isMissingNode()) {
                return evaluation;
            }
        }
    }

    /** The events of an evaluation as JSON, from the first to the last, as they happen. */
    public void evaluationEvents(String id, Consumer<String> consumer) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(base + API + evaluation(id) + "/events"))
                .header("Accept", "text/event-stream")
                .build();
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

    private void pages(String first, Consumer<JsonNode> consumer) {
        String token = "";
        do {
            String next = token.isEmpty() ? "" : "&pageToken=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
            JsonNode page = json(send(request(first + next).GET().build()));
            page.path("items").forEach(consumer);
            token = page.path("nextPageToken").asText("");
        } while (!token.isEmpty() && !token.equals("null"));
    }

    private static String path(String id) {
        return "/campaigns/" + encoded(id);
    }

    private static String evaluation(String id) {
        return EVALUATIONS + "/" + encoded(id);
    }

    private static String encoded(String id) {
        return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + API + path)).timeout(REQUEST_TIMEOUT);
    }

    private String send(HttpRequest request) {
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() >= 300) {
                throw Problem.of(response);
            }
            return response.body();
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

    /** The same campaign, as far as commands look at it. */
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
