package dev.assay.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.json.Json;
import dev.assay.store.SampleCampaign;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every list of the OpenAPI document, with twenty items of 1 MB. */
@Tag("slow")
@Timeout(180)
final class ListBytesTest {

    private static final int ITEMS = 20;
    private static final int PAGE_BYTES = 8 * 1024 * 1024;
    private static final SampleCampaign SAMPLE = new SampleCampaign("large", ITEMS, 2, 1);

    private static final String EVALUATION = """
        {"prompts": ["Why?"], "branches": [{"kind": "scripted", "script": {"answers": ["x"]}}]}\
        """;
    private static final String HYPOTHESES = """
        {"challenger": {"kind": "scripted", "script": {"answers": ["{}"]}},
         "hypotheses": [{"id": "h1", "statement": "Tea cures colds."}]}\
        """;

    /** A megabyte of text in JSON, which PostgreSQL compresses. */
    private static final String MESSAGES = """
        jsonb_build_array(jsonb_build_object('role', 'assistant', 'content', repeat('m', 1000000)))\
        """;

    /** Lists whose rows are bounded by those who write them, by operation; the others are asked for large items. */
    private static final Set<String> SMALL =
            Set.of("listAudit", "listProviders", "getSeries", "listTags", "listAnswers");

    private static ServerFixture server;

    /** The lists by operation. */
    private static Map<String, String> addresses;

    @BeforeAll
    static void start() {
        server = ServerFixture.start();
        String id = server.submit(SAMPLE);
        recordResults(id);
        copyCampaigns(id, "campaign");
        server.store()
                .execute(
                        "INSERT INTO scoring (campaign_id, of_campaign, of_name, branches, copied_at)"
                                + " SELECT 'campaign-' || n, ?, 'sample', '{0}', now() FROM generate_series(1, ?) n",
                        id, ITEMS);
        server.store()
                .execute(
                        "INSERT INTO provider_batch (id, campaign_id, epoch, provider, model, kind, round, queue,"
                            + " state, lines, bytes, estimated_tokens, error_message) SELECT md5(n::text), ?, 1,"
                            + " 'openai', repeat('m', 200), 'branch', 1, 'q', 'COLLECTED', 1, 1, 1, repeat('w', 300)"
                            + " FROM generate_series(1, ?) n",
                        id,
                        ITEMS);
        copyEvaluations();
        copyHypotheses();
        enlarge(id);
        String one = "/api/v1/campaigns/" + id;
        addresses = Map.ofEntries(
                Map.entry("listCampaigns", "/api/v1/campaigns?pageSize=1000&q=campaign-"),
                Map.entry("listEvaluations", "/api/v1/evaluations?pageSize=1000"),
                Map.entry("listHypothesisEvaluations", "/api/v1/hypothesis-evaluations?pageSize=1000"),
                Map.entry("listOutcomes", one + "/outcomes?pageSize=1000"),
                Map.entry("listFailures", one + "/failures?pageSize=1000"),
                Map.entry("listSelections", one + "/selections?pageSize=1000"),
                Map.entry("listReplaced", one + "/replaced?pageSize=1000"),
                Map.entry("listCases", one + "/cases?limit=1000"),
                Map.entry("listAnswers", one + "/answers?places=" + places()),
                Map.entry("listAudit", "/api/v1/audit?pageSize=1000"),
                Map.entry("listProviders", "/api/v1/providers?"),
                Map.entry("listLimits", "/api/v1/providers/openai/limits?"),
                Map.entry("listLimitChanges", "/api/v1/providers/openai/changes?pageSize=1000"),
                Map.entry("listLabels", one + "/labels?pageSize=1000"),
                Map.entry("listBatches", "/api/v1/batches?pageSize=1000"),
                Map.entry("listScorings", one + "/scorings?pageSize=1000"),
                Map.entry("listErrors", one + "/errors?"),
                Map.entry("getSeries", one + "/series?"),
                Map.entry("listTags", one + "/tags?"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** Of the cells of all items. */
    private static String places() {
        return IntStream.range(0, ITEMS).mapToObj(i -> "" + 2 * i).collect(Collectors.joining(","));
    }

    private static void recordResults(String id) {
        for (int ordinal = 0; ordinal < ITEMS; ordinal++) {
            SAMPLE.recordOutcome(server.store(), id, ordinal, 0, "TIMED_OUT", false);
            SAMPLE.recordSelection(server.store(), id, ordinal, 0);
            SAMPLE.recordJudgeCall(server.store(), id, ordinal);
        }
    }

    private static void enlarge(String id) {
        server.store().execute("UPDATE outcome SET response = repeat('r', 1000000), messages = " + MESSAGES);
        server.store().execute("UPDATE judge_prompt SET prompt = repeat('p', 1000000)");
        server.store().execute("UPDATE suite_case SET tags = ARRAY[repeat('t', 1000000)]");
        server.store()
                .execute(
                        "INSERT INTO replaced_result (campaign_id, rerun, kind, ordinal, member, result)"
                                + " SELECT campaign_id, 1, 'outcome', ordinal, branch_index,"
                                + " to_jsonb(o) - 'messages' || jsonb_build_object('messages', jsonb_build_array())"
                                + " FROM outcome o WHERE campaign_id = ?",
                        id);
    }

    /** Twenty campaigns as {@code id} is. */
    private static void copyCampaigns(String id, String name) {
        copy("campaign", "campaign_id", id, name, "'failure_reason', repeat('f', 1000000), 'idempotency_key', null");
        copy("campaign_branch", "campaign_id", id, name, "'campaign_id', '" + name + "-' || n");
    }

    private static void copy(String table, String key, String id, String name, String others) {
        server.store()
                .execute(
                        "INSERT INTO " + table + " SELECT (jsonb_populate_record(t, jsonb_build_object('" + key
                                + "', ? || '-' || n, " + others + "))).* FROM " + table
                                + " t, generate_series(1, ?) n WHERE t." + key + " = ?",
                        name,
                        ITEMS,
                        id);
    }

    private static String created(String path, String document) {
        HttpResponse<String> answer = server.post(path, "application/json", document);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        return Json.tree(answer.body()).path("id").asText();
    }

    private static void copyEvaluations() {
        String id = created("/api/v1/evaluations", EVALUATION);
        copyCampaigns(id, "evaluation");
        copy("evaluation", "evaluation_id", id, "evaluation", "'first_loop', n + 1000");
        answer("evaluation");
    }

    private static void copyHypotheses() {
        String id = created("/api/v1/hypothesis-evaluations", HYPOTHESES);
        copyCampaigns(id, "hypotheses");
        copy("hypothesis_evaluation", "evaluation_id", id, "hypotheses", "'shuffle_seed', n");
        copy("hypothesis_batch", "evaluation_id", id, "hypotheses", "'batch_index', 0");
        answer("hypotheses");
    }

    /** Each of the copies has the outcome of an answer. */
    private static void answer(String name) {
        for (int n = 1; n <= ITEMS; n++) {
            SAMPLE.recordOutcome(server.store(), name + "-" + n, 0, 0, "COMPLETED", true);
        }
    }

    @Test
    void shouldKnowEveryListWhenTheDocumentIsWalked() {
        JsonNode document = CampaignDocument.parse(server.fetch("/openapi").body());
        Set<String> lists = new TreeSet<>();
        document.path("paths").forEach(path -> {
            JsonNode get = path.path("get");
            String reference = get.at("/responses/200/content/application~1json/schema/$ref")
                    .asText();
            if (!reference.isEmpty()
                    && document.at(reference.substring(1)).path("properties").has("items")) {
                lists.add(get.path("operationId").asText());
            }
        });

        assertThat(lists).isNotEmpty().isEqualTo(new TreeSet<>(addresses.keySet()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "listCampaigns",
                "listEvaluations",
                "listHypothesisEvaluations",
                "listOutcomes",
                "listFailures",
                "listSelections",
                "listReplaced",
                "listCases",
                "listScorings"
            })
    void shouldReachEveryItemInPagesOfBoundedBytesWhenItemsAreLarge(String operation) {
        String address = addresses.get(operation);
        Set<JsonNode> items = new HashSet<>();
        int pages = 0;
        int count = 0;
        String more = "";
        do {
            HttpResponse<String> answer = server.fetch(address + more);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(answer.body().getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(PAGE_BYTES);
            JsonNode page = Json.tree(answer.body());
            page.get("items").forEach(items::add);
            count += page.get("items").size();
            pages++;
            more = next(page);
        } while (!more.isEmpty());

        // Those from which the copies were made are items, too.
        assertThat(count).isBetween(ITEMS, ITEMS + 1);
        assertThat(items).hasSize(count);
        assertThat(pages).isGreaterThanOrEqualTo(3);
    }

    private static String next(JsonNode page) {
        if (page.hasNonNull("nextFrom")) {
            return "&from=" + page.get("nextFrom").asInt();
        }
        return page.hasNonNull("nextPageToken")
                ? "&pageToken=" + page.get("nextPageToken").asText()
                : "";
    }

    @Test
    void shouldAnswerWithinTheBytesOfAPageWhenRowsAreBoundedByTheirWriters() {
        for (String operation : SMALL) {
            HttpResponse<String> answer = server.fetch(addresses.get(operation));
            assertThat(answer.statusCode()).as(operation).isEqualTo(200);
            assertThat(answer.body().length()).as(operation).isLessThanOrEqualTo(PAGE_BYTES);
        }
    }

    @Test
    void shouldCutAnswersWhenTheyAreListed() {
        JsonNode items = server.json(addresses.get("listAnswers")).get("items");

        assertThat(items).hasSize(ITEMS);
        assertThat(items).allSatisfy(item -> {
            assertThat(item.get("answer").asText()).isEqualTo("r".repeat(600));
            assertThat(item.get("cut").asBoolean()).isTrue();
        });
    }

    @Test
    void shouldLeaveOutMessagesWhenEvaluationsAreListed() {
        JsonNode first = answered(server.json("/api/v1/evaluations?pageSize=2").get("items"));

        assertThat(first.get("outcomes")).hasSize(1);
        assertThat(first.at("/outcomes/0/response").asText()).hasSize(1_000_000);
        assertThat(first.findValues("messages")).isEmpty();
        for (String field : List.of("selectedMessages", "selectedContext", "context")) {
            assertThat(first.has(field)).as(field).isFalse();
        }
        JsonNode whole = server.json("/api/v1/evaluations/" + first.get("id").asText());
        assertThat(whole.at("/outcomes/0/messages/0/content").asText()).hasSize(1_000_000);
    }

    /** A copy: the one from which they were made has no outcome, and its random id may be the first. */
    private static JsonNode answered(JsonNode items) {
        return items.get(0).get("outcomes").isEmpty() ? items.get(1) : items.get(0);
    }
}
