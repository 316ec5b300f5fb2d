package dev.assay.cli.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.assay.domain.account.CampaignAccount;
import dev.assay.domain.campaign.CampaignMetadata;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.gate.CaseStatus;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.json.Json;
import dev.assay.domain.rendering.CaseTrials;
import dev.assay.domain.rendering.JunitReport;
import dev.assay.domain.rendering.MarkdownReport;
import dev.assay.domain.rendering.SummaryJson;
import dev.assay.domain.rendering.TrialResults;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.CaseSummary;
import dev.assay.domain.report.ExitRule;
import dev.assay.domain.report.GateReport;
import dev.assay.domain.report.Latency;
import dev.assay.domain.usage.Spend;
import dev.assay.domain.usage.Usage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * An API that knows one campaign, {@code c-1}, and answers what a test tells it to. Another one, {@code c-2}, is on the second page of
 * its list until the first campaign is changed.
 */
public final class FakeApi implements AutoCloseable {

    /** A request that came in. */
    public record Request(String method, String path, String body) {}

    private static final String PROGRESS =
            "{\"branches\":[{\"id\":\"small\",\"cellsTotal\":140},{\"id\":\"large\",\"cellsTotal\":1400}]}";

    private static final String DEFINITION =
            "{\"branches\":[{\"id\":\"small\",\"kind\":\"scripted\"},{\"id\":\"large\",\"provider\":\"openai\"}]}";

    private static final String DOWN = "{\"status\":500,\"code\":\"INTERNAL\",\"detail\":\"Assay failed.\"}";

    /** The campaign as its summary names it. */
    public static final SummaryJson.Run RUN = new SummaryJson.Run(
            "c-1",
            "capitals",
            CampaignMetadata.NONE,
            CampaignState.COMPLETED,
            Instant.parse("2026-01-01T00:00:00Z"),
            "ada",
            null,
            null,
            null,
            20);

    private final HttpServer server;
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final Deque<String> states = new ArrayDeque<>(List.of("RUNNING", "COMPLETED"));
    private CampaignSummary summary = summary(2, 0);
    private String steered = "RUNNING";
    private @Nullable String refusal;
    private @Nullable String plan;
    private @Nullable String second;
    private @Nullable CampaignAccount account;
    private final AtomicInteger busy = new AtomicInteger();

    public FakeApi() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.start();
    }

    /**
     * States that the campaign goes through, one for each look at it; the last one stays. DOWN: the server fails. ENDED_IN_TEMPORAL:
     * it is RUNNING, but an operator ended its workflow.
     */
    public FakeApi states(String... next) {
        states.clear();
        states.addAll(List.of(next));
        return this;
    }

    /** Knows {@code c-2} by itself, too, in this state. */
    public FakeApi second(String state) {
        second = state;
        return this;
    }

    /** Answers with this account of {@code c-1}; without one it is a server that knows none. */
    public FakeApi account(CampaignAccount next) {
        account = next;
        return this;
    }

    public FakeApi summary(CampaignSummary next) {
        summary = next;
        return this;
    }

    /** Answers with a campaign in this state when it is asked to change one. */
    public FakeApi steered(String state) {
        steered = state;
        return this;
    }

    /** Answers so many requests for files as a server does that writes files for others. */
    public FakeApi busy(int requests) {
        busy.set(requests);
        return this;
    }

    /** Answers every submission with this problem document. */
    public FakeApi refuse(String problem) {
        refusal = problem;
        return this;
    }

    /** Answers with this plan; without one it knows no such address. */
    public FakeApi plan(String next) {
        plan = next;
        return this;
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    public List<Request> requests() {
        return requests;
    }

    /** The campaign that was submitted. */
    public JsonNode submitted() {
        return requests.stream()
                .filter(request ->
                        request.method().equals("POST") && request.path().equals("/api/v1/campaigns"))
                .findFirst()
                .map(request -> Json.tree(request.body()))
                .orElseThrow();
    }

    /** A summary over two cases in one trial on the branch {@code small}. */
    public static CampaignSummary summary(int passed, int unknown) {
        int failed = 2 - passed - unknown;
        Verdict verdict = failed > 0 ? Verdict.FAIL : unknown > 0 ? Verdict.INCONCLUSIVE : Verdict.PASS;
        Spend spend = new Spend(Usage.of(100, 50), new BigDecimal("0.0012"), 0);
        BranchSummary branch = new BranchSummary(
                "small",
                true,
                verdict,
                Proportion.of(passed, unknown, 2),
                Proportion.of(passed, unknown, 2),
                new BranchSummary.TrialCounts(passed, failed, 0, unknown),
                Proportion.of(0, 0),
                spend,
                new Latency(2, 400L, 1_200L),
                List.of(one("france", passed > 0, unknown > 1), one("spain", passed > 1, unknown > 0)));
        return new CampaignSummary(
                new GateReport(verdict, 1.0, 1.0),
                null,
                Proportion.of(passed, unknown, 2),
                CampaignSummary.Reruns.NONE,
                List.of(branch),
                new CampaignSummary.SelectionCounts(2, 0, 0, 2, 0),
                new CampaignSummary.JudgeCalls(0, Spend.NONE),
                null,
                spend,
                null,
                null);
    }

    private static CaseSummary one(String id, boolean passed, boolean unknown) {
        CaseStatus status = passed ? CaseStatus.PASSED : unknown ? CaseStatus.INCONCLUSIVE : CaseStatus.FAILED;
        return new CaseSummary(id, passed ? 1 : 0, 1, passed ? 1 : 0, status, unknown ? 1 : 0, 0, 1);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        requests.add(new Request(exchange.getRequestMethod(), path, body));
        if (exchange.getRequestMethod().equals("POST") && path.equals("/api/v1/campaigns")) {
            if (refusal == null) {
                send(exchange, 202, campaign("PENDING"));
            } else {
                send(exchange, 422, refusal);
            }
            return;
        }
        if (path.equals("/api/v1/campaigns/plan") && plan != null) {
            send(exchange, plan.contains("\"errors\"") ? 422 : 200, plan);
            return;
        }
        if (path.startsWith("/api/v1/workspaces/")) {
            send(exchange, 200, "{\"stored\":true}");
            return;
        }
        if (exchange.getRequestMethod().equals("DELETE") && path.equals("/api/v1/campaigns/c-1")) {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
            return;
        }
        if (path.equals("/api/v1/campaigns/c-2") && second != null) {
            send(exchange, 200, campaign("c-2", second));
            return;
        }
        switch (path) {
            case "/api/v1/campaigns" ->
                send(exchange, 200, page(exchange.getRequestURI().getQuery()));
            case "/api/v1/campaigns/c-1" -> {
                if (exchange.getRequestMethod().equals("PATCH")) {
                    send(exchange, 200, campaign(steered));
                    return;
                }
                String state = nextState();
                send(exchange, state.equals("DOWN") ? 500 : 200, state.equals("DOWN") ? DOWN : campaign(state));
            }
            case "/api/v1/campaigns/c-1/progress" -> send(exchange, 200, PROGRESS);
            case "/api/v1/campaigns/c-1/definition" -> send(exchange, 200, DEFINITION);
            case "/api/v1/campaigns/c-1/report" -> send(exchange, 200, Json.write(summary));
            case "/api/v1/campaigns/c-1/cassette" -> send(exchange, 200, "{\"key\":\"k\"}\n");
            case "/api/v1/campaigns/c-1/artifacts" -> {
                if (busy.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    send(exchange, 503, "{\"status\":503,\"code\":\"SERVER_BUSY\",\"detail\":\"Try again.\"}");
                } else {
                    send(exchange, 200, artifacts(exchange.getRequestURI().getQuery()));
                }
            }
            case "/api/v1/campaigns/c-1/pause",
                    "/api/v1/campaigns/c-1/resume",
                    "/api/v1/campaigns/c-1/cancel",
                    "/api/v1/campaigns/c-1/rerun" -> send(exchange, 200, campaign(steered));
            case "/api/v1/campaigns/c-2/cancel" -> send(exchange, 200, campaign("c-2", "CANCELLED"));
            default ->
                send(exchange, 404, "{\"status\":404,\"code\":\"NOT_FOUND\",\"detail\":\"There is no " + path + ".\"}");
        }
    }

    private synchronized String nextState() {
        return states.size() > 1 ? states.pop() : states.getFirst();
    }

    private String page(String query) {
        boolean changed = requests.stream().anyMatch(request -> request.method().equals("POST"));
        boolean first = !query.contains("pageToken=second");
        String items = first ? campaign("PAUSED") : changed ? "" : campaign("c-2", "PAUSED");
        String next = first && query.contains("state=PAUSED") ? "\"second\"" : "null";
        return "{\"items\":[" + items + "],\"nextPageToken\":" + next + "}";
    }

    /** The campaign when it is over. */
    public String completed() {
        return campaign("COMPLETED");
    }

    private String campaign(String state) {
        return campaign("c-1", state);
    }

    private String campaign(String id, String state) {
        ObjectNode campaign = Json.mapper().createObjectNode();
        campaign.put("id", id).put("name", "capitals").put("suite", "world").put("createdBy", "ada");
        campaign.putArray("warnings").addObject().put("code", "LATER").put("message", "Known to a later build.");
        campaign.put("state", state.equals("ENDED_IN_TEMPORAL") ? "RUNNING" : state);
        campaign.putObject("progress")
                .put("cellsTotal", 2)
                .put("cellsDone", state.equals("COMPLETED") ? 2 : 1)
                .put("cellsPassed", 1)
                .put("trialsTotal", 2)
                .put("trialsDone", state.equals("COMPLETED") ? 2 : 1);
        campaign.put("costUsd", new BigDecimal("0.0012")).put("createdAt", "2026-01-01T00:00:00Z");
        campaign.put("maxConcurrent", 20);
        campaign.set("account", Json.mapper().valueToTree(account));
        if (state.equals("ENDED_IN_TEMPORAL")) {
            campaign.putObject("health")
                    .put("status", "STALLED")
                    .putArray("reasons")
                    .addObject()
                    .put("code", state)
                    .put("message", "Its workflow was terminated.");
        }
        if (state.equals("FAILED")) {
            campaign.put("failureReason", "three restarts without progress");
        }
        return campaign.toString();
    }

    /** The results as files; of the trials each has {@code stdout.txt} alone. */
    private byte[] artifacts(String query) throws IOException {
        CaseTrials trials = (branch, reader) -> {
            for (CaseSummary one : branch.cases()) {
                reader.read(one, TrialResults.all(one, Map.of(1, TrialResults.result(outcome(one.caseId())))));
            }
        };
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        switch (query) {
            case "format=junit" -> out.write(JunitReport.of(summary, trials, "world"));
            case "format=summary" -> writeSummary(trials, out);
            case "part=trials" -> {
                try (ZipOutputStream zip = new ZipOutputStream(out)) {
                    for (String caseId : List.of("france", "spain")) {
                        zip.putNextEntry(new ZipEntry(caseId + "/trial-1/stdout.txt"));
                        zip.write("Paris".getBytes(StandardCharsets.UTF_8));
                    }
                }
            }
            case "part=totals" -> {
                try (ZipOutputStream zip = new ZipOutputStream(out)) {
                    zip.putNextEntry(new ZipEntry("summary.json"));
                    ByteArrayOutputStream json = new ByteArrayOutputStream();
                    writeSummary(trials, json);
                    zip.write(json.toByteArray());
                }
            }
            default -> {
                ExitRule rule = ExitRule.decide(summary, false);
                String text = MarkdownReport.of("capitals", "c-1", summary, trials, rule, MarkdownReport.MAX_BYTES);
                out.write(text.getBytes(StandardCharsets.UTF_8));
            }
        }
        return out.toByteArray();
    }

    private void writeSummary(CaseTrials trials, OutputStream out) throws IOException {
        SummaryJson.write(RUN, summary, ExitRule.decide(summary, false), trials, out);
    }

    private static ObjectNode outcome(String caseId) {
        return Json.mapper()
                .createObjectNode()
                .put("caseId", caseId)
                .put("branchId", "small")
                .put("trial", 1)
                .put("status", "COMPLETED")
                .put("passed", true)
                .put("selected", true)
                .put("latencyMs", 400);
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        send(exchange, status, body.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, byte[] bytes) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
