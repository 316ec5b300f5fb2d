package dev.assay.domain.estimate;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.estimate.PlannedDuration.TimeBasis;
import dev.assay.domain.provider.LimitsInfo;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.provider.ProviderKey;
import dev.assay.domain.usage.Usage;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class PlannedDurationTest {

    private static final String BRANCH = "{id: x, provider: p, model: large, parameters: {maxOutputTokens: 100}}";

    private static ProviderInfo provider(LimitsInfo... limits) {
        return new ProviderInfo("p", null, true, "KEY", 50, 4_096, Map.of(), List.of(limits));
    }

    private static LimitsInfo group(String models, String limit, long units) {
        return new LimitsInfo(models, Map.of(limit, units), 2, null);
    }

    /** 4 cases of 8 bytes, 2 trials. */
    private static CampaignSubmission submission(String branches, String more, Map<String, ProviderInfo> providers) {
        return CampaignReader.read(CampaignDocument.parse("""
            name: plan
            cases: [{id: a, prompt: abcdefgh}, {id: b, prompt: abcdefgh}, {id: c, prompt: abcdefgh}, {id: d, prompt: abcdefgh}]
            trials: 2
            branches: [%s]
            %s
            """.formatted(branches, more)), providers);
    }

    private static PlannedDuration duration(String branches, String more, ProviderInfo provider, RecordedRuns runs) {
        Map<String, ProviderInfo> providers = Map.of("p", provider);
        CampaignEstimate plan = CampaignEstimate.of(
                submission(branches, more, providers), providers, runs, PlanAssumptions.Given.NOTHING);
        PlannedDuration top = plan.planned().duration();
        assertThat(top).isEqualTo(plan.byTrials().get(1).duration());
        return requireNonNull(top);
    }

    @Test
    void shouldTakeHalfTheTimeWhereTwoAccountsShareTheCalls() {
        List<ProviderKey> keys = List.of(new ProviderKey("a", "A", 1, "a"), new ProviderKey("b", "B", 1, "b"));
        ProviderInfo provider = new ProviderInfo(
                "p", null, true, "A", 50, 4_096, Map.of(), List.of(group("*", "requestsPerMinute", 1)), keys);

        assertThat(duration(BRANCH, "", provider, RecordedRuns.NONE).seconds()).isEqualTo(248);
        assertThat(provider.withLimits(List.of()).keys()).isEqualTo(keys);
    }

    private static RecordedRuns recorded(@Nullable Double seconds) {
        return new RecordedRuns(
                Map.of("x", new RecordedUse("earlier", 3, Usage.of(300, 30), seconds)),
                Map.of(),
                null,
                null,
                null,
                null);
    }

    @Test
    void shouldBeBoundByALimitWhenNothingIsRecorded() {
        // 8 calls of 102 tokens in pieces of 62 s.
        assertThat(duration(BRANCH, "", provider(group("large", "tokensPerMinute", 204)), RecordedRuns.NONE))
                .isEqualTo(new PlannedDuration(248L, "tokensPerMinute of p/large", TimeBasis.LIMITS));
    }

    @Test
    void shouldTakeTheFirstGroupThatMatches() {
        ProviderInfo provider = provider(group("lar*", "requestsPerMinute", 1), group("*", "requestsPerMinute", 1_000));

        assertThat(duration(BRANCH, "", provider, RecordedRuns.NONE).bound()).isEqualTo("requestsPerMinute of p/lar*");
    }

    @Test
    void shouldGoByTimesOfCallsWhereTheyAreKnown() {
        assertThat(duration(BRANCH, "limits: {maxConcurrent: 2}", provider(), recorded(3.0)))
                .isEqualTo(new PlannedDuration(12L, "maxConcurrent", TimeBasis.RECORDED));
        assertThat(duration(BRANCH, "", provider(group("*", "requestsPerMinute", 1)), recorded(3.0)))
                .isEqualTo(new PlannedDuration(496L, "requestsPerMinute of p/*", TimeBasis.RECORDED));
    }

    @Test
    void shouldBeUnknownWhereNeitherIsKnown() {
        PlannedDuration unknown = new PlannedDuration(null, null, TimeBasis.UNKNOWN);

        assertThat(duration(BRANCH, "", provider(), RecordedRuns.NONE)).isEqualTo(unknown);
        assertThat(duration(BRANCH, "", provider(), recorded(null))).isEqualTo(unknown);
        assertThat(duration(
                        "{id: s, kind: scripted, script: {answers: [a]}}",
                        "",
                        provider(group("*", "requestsPerMinute", 1)),
                        RecordedRuns.NONE))
                .isEqualTo(unknown);
    }

    @Test
    void shouldCountTheCallsOfAJudge() {
        String judged = "strategy: {type: llm-judge, swapPositions: true, judge: {provider: p, model: judge}}";
        String both = BRANCH + ", " + BRANCH.replace("id: x", "id: y");

        assertThat(duration(both, judged, provider(group("judge", "requestsPerMinute", 2)), RecordedRuns.NONE)
                        .seconds())
                .as("two orders of eight trials")
                .isEqualTo(496);
    }

    private static List<String> notices(LimitsInfo... limits) {
        Map<String, ProviderInfo> providers = Map.of("p", provider(limits));
        return LimitNotices.of(submission(BRANCH, "", providers), providers);
    }

    @Test
    void shouldWarnOfACallThatIsLargerThanALimitAndOfMoreThanADay() {
        assertThat(notices(group("*", "tokensPerMinute", 102))).isEmpty();
        assertThat(notices(group("*", "tokensPerMinute", 101)))
                .containsExactly(
                        "A call of x may take 102 tokens, more than tokensPerMinute of p/*, which is 101: it waits"
                                + " until nothing else counts.");
        assertThat(notices(group("*", "requestsPerDay", 1)))
                .containsExactly("The campaign takes at least 195 hours, by requestsPerDay of p/*.");
        assertThat(notices()).isEmpty();
    }
}
