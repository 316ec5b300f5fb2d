package dev.assay.store.reuse;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.draw.Draw;
import dev.assay.domain.draw.RequestName;
import dev.assay.domain.draw.ReusePolicy;
import dev.assay.domain.draw.ReusePolicy.Call;
import dev.assay.domain.json.Json;
import dev.assay.domain.steering.Rerun;
import dev.assay.store.SampleCampaign;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.reuse.ReuseRepository.Wanted;
import dev.assay.store.suite.CaseRepository;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which stored answer a cell takes. */
@StoreTest
final class ReuseRepositoryTest {

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final ReusePolicy ANY = new ReusePolicy(List.of(), null, EnumSet.allOf(Call.class));

    private final StoreFixture store;
    private final CampaignRepository campaigns;
    private final ReuseRepository reuse;
    private final CaseRepository cases;
    private final String prefix = "reuse-" + NUMBER.incrementAndGet() + "-";

    ReuseRepositoryTest(StoreFixture store, CampaignRepository campaigns, ReuseRepository reuse, CaseRepository cases) {
        this.cases = cases;
        this.store = store;
        this.campaigns = campaigns;
        this.reuse = reuse;
    }

    static List<JsonNode> vectors() throws IOException {
        try (InputStream stream =
                requireNonNull(ReuseRepositoryTest.class.getResourceAsStream("/records/reuse.json"))) {
            List<JsonNode> all = new ArrayList<>();
            Json.mapper().readTree(stream).forEach(all::add);
            return all;
        }
    }

    private SampleCampaign sample(String campaign) {
        return new SampleCampaign(prefix + campaign, 5, 2, 3);
    }

    private String key(JsonNode row) {
        return prefix + row.get("key").asText();
    }

    /** The rank of each row among those before it of the same trial with the same key. */
    private static List<Integer> ranks(List<JsonNode> rows) {
        Map<String, Integer> seen = new HashMap<>();
        return rows.stream()
                .map(row -> seen.merge(row.get("trial") + " " + row.get("key"), 1, Integer::sum) - 1)
                .toList();
    }

    private void record(JsonNode row, int rank) {
        SampleCampaign sample = sample(row.get("campaign").asText());
        int ordinal = (row.get("trial").asInt() - 1) * 5 + row.get("case").asInt();
        int branch = row.get("branch").asInt();
        sample.recordOutcome(store, sample.name(), ordinal, branch, "COMPLETED", true);
        JsonNode number = row.get("number");
        JsonNode root = row.get("root");
        boolean copy = row.get("source").asText().equals("REUSED");
        store.execute(
                "UPDATE outcome SET request_key = ?, request_rank = ?, source = ?,"
                        + " answered_at = timestamptz '2026-01-01' + ? * interval '1 second' WHERE campaign_id = ? AND"
                        + " ordinal = ? AND branch_index = ?",
                key(row),
                copy ? number.get(1).asInt() : rank,
                row.get("source").asText(),
                row.get("answeredAt").asInt(),
                sample.name(),
                ordinal,
                branch);
        if (copy) {
            store.execute(
                    "UPDATE outcome SET origin_campaign = ?, origin_case = ?, origin_branch = ?, origin_trial = ?,"
                            + " origin_draw = 0 WHERE campaign_id = ? AND ordinal = ? AND branch_index = ?",
                    prefix + root.get(0).asText(),
                    caseId(root.get(1).asInt()),
                    branchId(root.get(2).asInt()),
                    number.get(0).asInt(),
                    sample.name(),
                    ordinal,
                    branch);
        }
    }

    private String caseId(int index) {
        return sample("x").submission().suite().cases().get(index).id();
    }

    private String branchId(int index) {
        return sample("x").submission().definition().branches().get(index).id();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldTakeTheDrawOfTheVectors(JsonNode vector) {
        JsonNode input = vector.get("input");
        Map<String, List<JsonNode>> stored = new HashMap<>();
        input.get("stored")
                .forEach(row -> stored.computeIfAbsent(row.get("campaign").asText(), _ -> new ArrayList<>())
                        .add(row));
        Set<String> all = new LinkedHashSet<>(stored.keySet());
        all.add("asking");
        all.forEach(campaign ->
                campaigns.create(sample(campaign).name(), sample(campaign).submission()));
        stored.values().forEach(rows -> {
            List<Integer> ranks = ranks(rows);
            for (int i = 0; i < rows.size(); i++) {
                record(rows.get(i), ranks.get(i));
            }
        });
        store.execute(
                "UPDATE campaign SET created_at = timestamptz '2026-01-01' + ? * interval '1 second' WHERE campaign_id"
                        + " = ?",
                input.get("now").asInt(),
                prefix + "asking");
        JsonNode maxAge = input.get("maxAge");
        ReusePolicy policy = new ReusePolicy(
                List.of(), maxAge.isNull() ? null : Duration.ofSeconds(maxAge.asInt()), EnumSet.allOf(Call.class));
        List<JsonNode> cells =
                StreamSupport.stream(input.get("cells").spliterator(), false).toList();
        List<Integer> ranks = ranks(cells);

        for (int i = 0; i < cells.size(); i++) {
            JsonNode cell = cells.get(i);
            JsonNode expected = vector.get("expected").get(i);
            Draw draw = find(
                    policy,
                    (cell.get("trial").asInt() - 1) * 5 + cell.get("case").asInt(),
                    cell.get("branch").asInt(),
                    cell.get("trial").asInt(),
                    new RequestName(key(cell), ranks.get(i)));
            if (expected.isNull()) {
                assertThat(draw).isNull();
            } else {
                assertThat(draw)
                        .isEqualTo(new Draw(
                                prefix + expected.get(0).asText(),
                                caseId(expected.get(1).asInt()),
                                branchId(expected.get(2).asInt()),
                                expected.get(3).asInt(),
                                0));
            }
        }
    }

    private @Nullable Draw find(ReusePolicy policy, int ordinal, int branch, int trial, RequestName request) {
        return reuse.find(List.of(
                        new Wanted(campaigns.required(prefix + "asking"), policy, ordinal, branch, trial, request)))
                .getFirst()
                .map(answer -> answer.origin().draw())
                .orElse(null);
    }

    private @Nullable Draw first() {
        return find(ANY, 0, 0, 1, new RequestName(prefix + "k", 0));
    }

    /** One stored answer, which a cell takes. */
    private SampleCampaign stored() {
        SampleCampaign source = sample("source");
        campaigns.create(source.name(), source.submission());
        campaigns.create(prefix + "asking", sample("asking").submission());
        source.recordOutcome(store, source.name(), 0, 0, "COMPLETED", false);
        name(source);
        return source;
    }

    private void name(SampleCampaign source) {
        store.execute(
                "UPDATE outcome SET request_key = ?, request_rank = 0, answered_at = now() WHERE campaign_id = ? AND"
                        + " ordinal = 0 AND branch_index = 0",
                prefix + "k",
                source.name());
    }

    @Test
    void shouldTakeNoFailedAnswer() {
        SampleCampaign source = stored();
        assertThat(first()).isNotNull();

        store.execute("UPDATE outcome SET status = 'MODEL_ERROR' WHERE campaign_id = ?", source.name());

        assertThat(first()).isNull();
    }

    @Test
    void shouldTakeTheFirstScoredDrawWhenACellWasAskedAgain() {
        SampleCampaign source = stored();
        store.execute("UPDATE campaign SET state = 'COMPLETED' WHERE campaign_id = ?", source.name());
        SampleCampaign.rerun(store, source.name(), new Rerun(Rerun.Only.FAILED, List.of(), List.of()));
        source.recordOutcome(store, source.name(), 0, 0, "COMPLETED", true);
        name(source);
        store.execute("UPDATE outcome SET response = 'the second' WHERE campaign_id = ?", source.name());

        assertThat(reuse.find(List.of(new Wanted(
                                campaigns.required(prefix + "asking"), ANY, 0, 0, 1, new RequestName(prefix + "k", 0))))
                        .getFirst())
                .hasValueSatisfying(answer -> {
                    assertThat(requireNonNull(answer.origin().draw()).draw()).isZero();
                    assertThat(answer.answer().response()).isEqualTo("the answer");
                });
    }

    @Test
    void shouldTakeNothingTwice() {
        stored();
        Draw draw = requireNonNull(first());
        sample("asking").recordOutcome(store, prefix + "asking", 1, 1, "COMPLETED", true);
        store.execute(
                "UPDATE outcome SET source = 'REUSED', origin_campaign = ?, origin_case = ?, origin_branch = ?,"
                        + " origin_trial = 1, origin_draw = 0 WHERE campaign_id = ?",
                draw.campaign(),
                draw.caseId(),
                draw.branchId(),
                prefix + "asking");

        assertThat(first()).isNull();
    }

    @Test
    void shouldTakeNothingOfADeletedCampaignOrOfOneThatIsNotNamed() {
        SampleCampaign source = stored();
        ReusePolicy other = new ReusePolicy(List.of("other"), null, EnumSet.allOf(Call.class));
        ReusePolicy named = new ReusePolicy(List.of("other", source.name()), null, EnumSet.allOf(Call.class));
        RequestName request = new RequestName(prefix + "k", 0);
        assertThat(find(other, 0, 0, 1, request)).isNull();
        assertThat(find(named, 0, 0, 1, request)).isNotNull();
        assertThat(find(ANY, 0, 0, 2, request)).as("another trial").isNull();

        store.execute("UPDATE campaign SET deleted_at = now() WHERE campaign_id = ?", source.name());

        assertThat(first()).isNull();
    }

    @Test
    void shouldNumberEqualCasesByWhatIsReadOfThem() {
        String suite = prefix + "suite";
        store.execute("INSERT INTO suite (suite_id, name, case_count) VALUES (?, 's', 4)", suite);
        for (int i = 0; i < 4; i++) {
            store.execute(
                    "INSERT INTO suite_case (suite_id, case_index, case_id, prompts, context, checks, tags, metadata,"
                            + " vars) VALUES (?, ?, ?, ARRAY[?], '[]', '[]', '{}', '{}', ?::jsonb)",
                    suite,
                    i,
                    "case-" + i,
                    i == 3 ? "other" : "same",
                    "{\"q\": \"%s\", \"unused\": %d}".formatted(i == 1 ? "x" : "y", i));
        }

        assertThat(cases.earlierEquals(suite, true, Set.of())).isEqualTo(Map.of(1, 1, 2, 2));
        assertThat(cases.earlierEquals(suite, false, Set.of("q"))).isEqualTo(Map.of(2, 1, 3, 2));
        assertThat(cases.earlierEquals(suite, true, null)).isEmpty();
    }
}
