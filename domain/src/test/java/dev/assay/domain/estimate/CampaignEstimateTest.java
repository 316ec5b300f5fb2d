package dev.assay.domain.estimate;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.delivery.AutoDelivery;
import dev.assay.domain.delivery.Delivery;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.estimate.AskedEstimate.Basis;
import dev.assay.domain.estimate.PlanAssumptions.Given;
import dev.assay.domain.estimate.RecordedRuns.AskedModel;
import dev.assay.domain.json.Json;
import dev.assay.domain.provider.BatchSettings;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.ClopperPearson;
import dev.assay.domain.statistics.Interval;
import dev.assay.domain.usage.BatchPrice;
import dev.assay.domain.usage.Price;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CampaignEstimateTest {

    /** A dollar for a million tokens read, ten for a million written, of priced models. */
    private static final Price PRICE = new Price(BigDecimal.ONE, BigDecimal.TEN, BigDecimal.ZERO, BigDecimal.ZERO);

    private static final Map<String, ProviderInfo> PROVIDERS = Map.of(
            "p",
            new ProviderInfo("p", true, "KEY", 50, 4096, Map.of("priced", PRICE)),
            "scripted",
            new ProviderInfo("scripted", true, null, 50, 4096, Map.of()));

    /** 4 cases of 8 bytes: 2 tokens each. */
    private static CampaignEstimate estimate(String branches, String more, RecordedRuns recorded, Given given) {
        String file = """
            name: plan
            cases: [{id: a, prompt: abcdefgh}, {id: b, prompt: abcdefgh}, {id: c, prompt: abcdefgh}, {id: d, prompt: abcdefgh}]
            trials: 2
            branches: %s
            %s
            """.formatted(branches, more);
        return CampaignEstimate.of(
                CampaignReader.read(CampaignDocument.parse(file), PROVIDERS), PROVIDERS, recorded, given);
    }

    private static CampaignEstimate estimate(String branches) {
        return estimate(branches, "", RecordedRuns.NONE, Given.NOTHING);
    }

    @Test
    void shouldBoundTheCostByLimitsWhenNothingIsRecorded() {
        CampaignEstimate plan = estimate("[{id: x, provider: p, model: priced, parameters: {maxOutputTokens: 100}}]");

        AskedEstimate asked = plan.asked().getFirst();
        assertThat(asked.basis()).isEqualTo(Basis.LIMITS);
        assertThat(asked.tokens()).isEqualTo(102);
        assertThat(asked.costUsd()).isEqualByComparingTo("0.001002");
        assertThat(plan.planned().cost().calls()).isEqualTo(8);
        assertThat(plan.planned().cost().tokens()).isEqualTo(816);
        assertThat(plan.planned().cost().costUsd()).isEqualByComparingTo("0.008016");
        assertThat(plan.byTrials()).extracting(PlannedTrials::trials).containsExactly(1, 2, 5, 10);
        assertThat(plan.byTrials().get(3).cost().calls()).isEqualTo(40);
    }

    @Test
    void shouldCountTheSchemaOfAnswersAsInputOfEachRequest() {
        String schema = "{title: '%s'}".formatted("x".repeat(400 - "{\"title\":\"\"}".length()));

        AskedEstimate asked = estimate("[{id: x, provider: p, model: priced, parameters: {maxOutputTokens: 100,"
                        + " responseFormat: {schema: " + schema + "}}}]")
                .asked()
                .getFirst();

        assertThat(asked.tokens()).isEqualTo(202);
    }

    @Test
    void shouldTakeWhatWasRecordedAtTodaysPriceBeforeLimits() {
        RecordedRuns recorded = new RecordedRuns(
                Map.of("x", new RecordedUse("earlier", 3, Usage.of(300, 30), null)),
                Map.of(),
                null,
                RecordedRate.of(
                        "earlier", List.of(new CaseCounts(2, 0, 2), new CaseCounts(1, 1, 3), new CaseCounts(0, 5, 5))),
                null,
                null);

        CampaignEstimate plan = estimate("[{id: x, provider: p, model: priced}]", "", recorded, Given.NOTHING);

        AskedEstimate asked = plan.asked().getFirst();
        assertThat(asked.basis()).isEqualTo(Basis.RECORDED);
        assertThat(asked.from()).isEqualTo("earlier");
        assertThat(asked.tokens()).isEqualTo(110);
        assertThat(asked.costUsd()).isEqualByComparingTo("0.0002");
        assertThat(plan.assumptions().rate()).isCloseTo((1.5 + 1) / 4, within(1e-12));
        assertThat(plan.assumptions().measuredIn()).isEqualTo("earlier");
    }

    @Test
    void shouldSayUnknownWhereNoLimitBoundsACall() {
        CampaignEstimate plan = estimate("""
            [{id: tools, provider: p, model: priced, tools: [{type: calculator}]},
              {id: thinks, provider: p, model: priced, thinking: high},
              {id: unpriced, provider: p, model: other},
              {id: script, kind: scripted, script: {answers: [a]}}]\
            """);

        assertThat(plan.asked())
                .extracting(AskedEstimate::basis)
                .containsExactly(Basis.UNKNOWN, Basis.UNKNOWN, Basis.LIMITS, Basis.FREE);
        assertThat(plan.planned().cost().unpriced()).isEqualTo(24);
        assertThat(plan.isPaidFor()).isTrue();
        assertThat(estimate("[{id: script, kind: scripted, script: {answers: [a]}}]")
                        .isPaidFor())
                .isFalse();
    }

    @Test
    void shouldCountWhatJudgesReadAndSay() {
        CampaignEstimate plan = estimate(
                "[{id: x, provider: p, model: priced}, {id: y, provider: p, model: priced}]",
                "strategy: {type: llm-judge, swapPositions: true, judge: {provider: p, model: priced}}",
                RecordedRuns.NONE,
                Given.NOTHING);

        AskedEstimate judges = plan.asked().getLast();
        assertThat(judges.callsPerTrial()).isEqualTo(2);
        assertThat(judges.tokens()).isEqualTo(2 + 3 * 4096);
        assertThat(plan.size().judgeCalls()).isEqualTo(16);
        assertThat(plan.planned().cost().calls()).isEqualTo(32);
    }

    /** plan_gate of the reference: every trial of 4 cases must pass, so p = rate⁴ᵗ when cases do not differ. */
    @Test
    void shouldSayHowOftenTheGatePassesAndRepeatsItself() {
        CampaignEstimate plan = estimate(
                "[{id: x, kind: scripted, script: {answers: [a]}}, {id: y, kind: scripted, script: {answers: [a]}}]",
                "gate: {branches: [x]}",
                RecordedRuns.NONE,
                new Given(0.9, 0.0, null, null, null));

        double passes = Math.pow(0.9, 8);
        assertThat(plan.planned().passes()).isCloseTo(passes, within(1e-12));
        assertThat(plan.planned().sameTwice()).isCloseTo(passes * passes + (1 - passes) * (1 - passes), within(1e-12));
        assertThat(plan.gate().getLast()).isEqualTo(new PlannedGate(1, 1, 1));
        assertThat(plan.byTrials().getFirst().precision().halfWidth())
                .isCloseTo(halfOf(ClopperPearson.of(0.9, 4)), within(1e-9));
    }

    private static double halfOf(Interval interval) {
        return (interval.high() - interval.low()) / 2;
    }

    @Test
    void shouldReadBackWhatItWrites() {
        CampaignEstimate plan = estimate("[{id: x, provider: p, model: priced}]");

        String json = Json.write(plan);

        assertThat(Json.read(json, CampaignEstimate.class).planned()).isEqualTo(plan.planned());
        assertThat(Json.tree(json).get("calls").asInt()).isEqualTo(8);
        assertThat(Json.tree(json).at("/asked/0/basis").asText()).isEqualTo("limits");
    }

    @ParameterizedTest
    @CsvSource({"2, , , , ", ", -1, , , ", ", , 2, , ", ", , , 0, ", ", , , , 1", "NaN, , , , "})
    void shouldRefuseWhatCannotBe(Double rate, Double icc, Double correlation, Double difference, Double power) {
        assertThatThrownBy(() ->
                        PlanAssumptions.of(new Given(rate, icc, correlation, difference, power), RecordedRuns.NONE))
                .isInstanceOf(AssayException.class)
                .hasMessageContaining("must ");
        assertThat(requireNonNull(PlanAssumptions.of(Given.NOTHING, RecordedRuns.NONE))
                        .rate())
                .isEqualTo(0.8);
    }

    /** What a provider costs and takes that has batches. */
    private static CampaignEstimate inBatches(Price price, String branch, String more, List<Duration> earlier) {
        BatchSettings settings = new BatchSettings(2, 1_000_000, 2, 0, null, 3, 8);
        Map<String, ProviderInfo> providers = Map.of(
                "p",
                new ProviderInfo(
                        "p", null, true, "KEY", 50, 4096, Map.of("priced", price), List.of(), List.of(), settings));
        String file = """
            name: plan
            cases: [{id: a, prompt: abcdefgh}, {id: b, prompt: abcdefgh}, {id: c, prompt: abcdefgh}, {id: d, prompt: abcdefgh}]
            trials: 2
            branches: [{id: x, provider: p, model: priced, parameters: {maxOutputTokens: 100}%s}]
            %s
            """.formatted(branch, more);
        return CampaignEstimate.of(
                CampaignReader.read(CampaignDocument.parse(file), providers),
                providers,
                new RecordedRuns(Map.of(), Map.of(new AskedModel("p", "priced"), earlier), null, null, null, null),
                Given.NOTHING);
    }

    private static PlannedDelivery only(CampaignEstimate plan) {
        return requireNonNull(plan.delivery()).getFirst();
    }

    @Test
    void shouldSayWhatBatchesSaveWhenTheCampaignIsLive() {
        CampaignEstimate plan = inBatches(PRICE, "", "", List.of());

        PlannedDelivery either = only(plan);
        assertThat(either.goes()).isEqualTo(Delivery.LIVE);
        assertThat(either.calls()).isEqualTo(8);
        assertThat(either.liveUsd()).isEqualByComparingTo("0.008016");
        assertThat(either.batchUsd()).isEqualByComparingTo("0.004008");
        assertThat(either.savedUsd()).isEqualByComparingTo("0.004008");
        assertThat(either.assumed()).isTrue();
        assertThat(either.batchSeconds()).as("no batch has ended").isNull();
        assertThat(plan.planned().cost().costUsd()).isEqualByComparingTo("0.008016");
    }

    @Test
    void shouldCostWhatBatchesCostWhenTheCampaignGoesByBatch() {
        Price configured = PRICE.withBatch(new BatchPrice(PRICE.times(new BigDecimal("0.25")), false));

        CampaignEstimate plan = inBatches(configured, "", "delivery: batch", List.of());

        assertThat(only(plan).goes()).isEqualTo(Delivery.BATCH);
        assertThat(only(plan).assumed()).isFalse();
        assertThat(only(plan).savedUsd()).isEqualByComparingTo("0.006012");
        assertThat(plan.planned().cost().costUsd()).isEqualByComparingTo("0.002004");
        assertThat(requireNonNull(plan.planned().duration()).seconds())
                .as("no call is live")
                .isNull();
    }

    @Test
    void shouldExpectTheMedianOfThePastBatchesForEachWaveWhenSomeHaveEnded() {
        List<Duration> earlier = List.of(Duration.ofMinutes(50), Duration.ofMinutes(10), Duration.ofMinutes(30));

        PlannedDelivery planned = only(inBatches(PRICE, "", "delivery: batch", earlier));

        // 8 cells in batches of 2, of which 2 are out together: two waves.
        assertThat(planned.batchSeconds()).isEqualTo(2 * 30 * 60);
        assertThat(planned.lastBatches()).isEqualTo(3);
    }

    @Test
    void shouldSayWhyAutoGoesLive() {
        assertThat(only(inBatches(PRICE, "", "delivery: auto", List.of())).goes())
                .isEqualTo(Delivery.BATCH);
        PlannedDelivery soon = only(inBatches(PRICE, ", delivery: auto, deadline: 1h", "", List.of()));
        assertThat(soon.goes()).isEqualTo(Delivery.LIVE);
        assertThat(soon.why()).isEqualTo(AutoDelivery.Why.DEADLINE);
        PlannedDelivery quick = only(inBatches(
                PRICE, ", delivery: auto, deadline: 1h", "", List.of(Duration.ofMinutes(20), Duration.ofMinutes(30))));
        assertThat(quick.goes()).isEqualTo(Delivery.BATCH);
    }

    @Test
    void shouldShowJudgesAndGradersBothWaysToo() {
        String judge = "{provider: p, model: priced, parameters: {maxOutputTokens: 10}}";
        CampaignEstimate plan = inBatches(
                PRICE,
                "}, {id: y, provider: p, model: priced, parameters: {maxOutputTokens: 100}",
                "strategy: {type: llm-judge, judge: %s}\ngrader: %s\nchecks: [{type: rubric, value: good}]\ndelivery: batch"
                        .formatted(judge, judge),
                List.of(Duration.ofMinutes(10)));

        List<PlannedDelivery> all = requireNonNull(plan.delivery());
        assertThat(all).extracting(PlannedDelivery::branch).containsExactly("x", "y", "judges", "graders");
        assertThat(all).extracting(PlannedDelivery::calls).containsExactly(8L, 8L, 8L, 16L);
        assertThat(all).extracting(PlannedDelivery::goes).containsOnly(Delivery.BATCH);
        PlannedDelivery judges = all.get(2);
        assertThat(requireNonNull(judges.liveUsd()))
                .isEqualByComparingTo(requireNonNull(judges.batchUsd()).multiply(new BigDecimal(2)));
        assertThat(judges.batchSeconds()).isEqualTo(2 * 600);
        assertThat(all.get(3).liveUsd())
                .as("nothing says how much graders read")
                .isNull();
        assertThat(plan.asked())
                .filteredOn(asked -> asked.who().equals("judges"))
                .singleElement()
                .satisfies(asked -> assertThat(requireNonNull(asked.costUsd()).multiply(new BigDecimal(8)))
                        .isEqualByComparingTo(requireNonNull(judges.batchUsd())));
    }

    @Test
    void shouldCostEachCallOfAJudgeInFullWhenItReadsSeveralOrders() {
        String judge = "{provider: p, model: priced, parameters: {maxOutputTokens: 10}}";
        String branches = "}, {id: y, provider: p, model: priced, parameters: {maxOutputTokens: 100}";
        PlannedDelivery one = requireNonNull(
                        inBatches(PRICE, branches, "strategy: {type: llm-judge, judge: " + judge + "}", List.of())
                                .delivery())
                .get(2);
        PlannedDelivery two = requireNonNull(inBatches(
                                PRICE,
                                branches,
                                "strategy: {type: llm-judge, judge: " + judge + ", swapPositions: true}",
                                List.of())
                        .delivery())
                .get(2);

        assertThat(two.calls()).isEqualTo(2 * one.calls());
        assertThat(requireNonNull(two.liveUsd()))
                .isEqualByComparingTo(requireNonNull(one.liveUsd()).multiply(new BigDecimal(2)));
    }

    @Test
    void shouldNotSpeakOfBatchesWhenABranchCannotBeInOne() {
        assertThat(inBatches(PRICE, ", tools: [{type: calculator}]", "", List.of())
                        .delivery())
                .isEmpty();
        assertThat(estimate("[{id: x, provider: p, model: priced}]").delivery())
                .as("a provider without batches")
                .isEmpty();
    }
}
