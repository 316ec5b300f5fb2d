package dev.assay.domain.campaignfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.delivery.Delivery;
import dev.assay.domain.delivery.DeliveryWish;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeliveryReaderTest {

    private static final String TOOLS = "[{type: calculator}]";

    private static DeliveryWish wish(CampaignFile file) {
        return file.read().definition().branches().getFirst().delivery();
    }

    @Test
    void shouldAskLiveWhenNothingIsSaid() {
        assertThat(wish(CampaignFile.minimal())).isEqualTo(DeliveryWish.LIVE);
    }

    @ParameterizedTest
    @CsvSource({"6h, PT6H", "PT6H, PT6H", "10m, PT10M", "168h, PT168H", "7d, PT168H"})
    void shouldTakeWayAndDeadlineOfTheFileWhenTheBranchSaysNothing(String written, Duration read) {
        CampaignFile file = CampaignFile.minimal().with("/delivery", "batch").with("/deadline", written);

        assertThat(wish(file)).isEqualTo(new DeliveryWish(Delivery.BATCH, read));
    }

    @Test
    void shouldTakeTheBranchsOwnWayWhenItSaysOne() {
        CampaignFile file = CampaignFile.minimal()
                .with("/delivery", "batch")
                .with("/deadline", "6h")
                .with("/branches/0/delivery", "live");

        assertThat(wish(file)).isEqualTo(DeliveryWish.LIVE);
    }

    @ParameterizedTest
    @CsvSource({"9m", "169h", "-PT1H", "soon", "6"})
    void shouldNameTheRangeWhenTheDeadlineIsOutOfIt(String deadline) {
        CampaignFile file = CampaignFile.minimal().with("/delivery", "batch").with("/deadline", "\"" + deadline + "\"");

        assertThat(file.errors()).containsExactly("deadline: `deadline` must be a time from 10m to 168h, such as 6h.");
    }

    @Test
    void shouldAskForAWayWhenThereIsADeadlineAlone() {
        assertThat(CampaignFile.minimal().with("/deadline", "6h").errors())
                .containsExactly("deadline: `deadline` needs `delivery: batch` or `delivery: auto` beside it.");
    }

    @Test
    void shouldNameTheBranchWhenItCannotBeInABatch() {
        CampaignFile file = CampaignFile.minimal().with("/branches/0/tools", TOOLS);

        assertThat(file.with("/branches/0/delivery", "batch").errors())
                .singleElement()
                .asString()
                .startsWith("branches[0].delivery: `branches[0].delivery` is batch, but branch `")
                .contains("it has tools");
        assertThat(CampaignFile.minimal()
                        .with("/branches/0/tools", TOOLS)
                        .with("/delivery", "batch")
                        .errors())
                .singleElement()
                .asString()
                .startsWith("delivery: `delivery` is batch");
    }

    @Test
    void shouldReadTheDeliveryOfAGraderThatNoCheckAsks() {
        CampaignFile file = CampaignFile.minimal().with("/grader", "{provider: openai, model: g, delivery: sometimes}");

        assertThat(file.errors()).singleElement().asString().startsWith("grader.delivery: ");
    }

    @Test
    void shouldNameTheProviderWhenItHasNoBatches() {
        CampaignFile file =
                CampaignFile.minimal().with("/branches/0/provider", "anthropic").with("/branches/0/delivery", "batch");

        assertThat(file.errors())
                .singleElement()
                .asString()
                .startsWith(
                        "branches[0].delivery: Branch `small` is asked in batches, and provider anthropic has none");
    }

    @Test
    void shouldAskLiveWhenAutoCannotBeInABatch() {
        CampaignFile file =
                CampaignFile.minimal().with("/branches/0/tools", TOOLS).with("/delivery", "auto");

        assertThat(wish(file)).isEqualTo(DeliveryWish.LIVE);
    }

    private static final String JUDGE = "{type: llm-judge, judge: {provider: openai, model: j}}";

    private static CampaignFile judged() {
        return CampaignFile.minimal()
                .with("/branches/-", "{id: other, provider: openai, model: b}")
                .with("/strategy", JUDGE);
    }

    private static DeliveryWish judge(CampaignFile file) {
        return file.read()
                .definition()
                .judging()
                .orElseThrow()
                .judges()
                .getFirst()
                .delivery();
    }

    private static DeliveryWish grader(CampaignFile file) {
        return file.read().definition().graders().getFirst().delivery();
    }

    @Test
    void shouldTakeTheCampaignsWayForJudgesAndGradersThatSayNothing() {
        assertThat(judge(judged().with("/delivery", "batch"))).isEqualTo(new DeliveryWish(Delivery.BATCH, null));
        assertThat(judge(judged().with("/delivery", "batch").with("/strategy/judge/delivery", "live")))
                .isEqualTo(DeliveryWish.LIVE);
        assertThat(judge(judged().with("/strategy/judge/delivery", "auto").with("/strategy/judge/deadline", "2h")))
                .isEqualTo(new DeliveryWish(Delivery.AUTO, Duration.ofHours(2)));
    }

    @Test
    void shouldTakeTheWayOfTheGraderThatIsAsked() {
        CampaignFile graded = CampaignFile.minimal()
                .with("/checks", "[{type: rubric, value: Polite}]")
                .with("/grader", "{provider: openai, model: g}");
        assertThat(grader(graded.with("/delivery", "batch"))).isEqualTo(new DeliveryWish(Delivery.BATCH, null));
        assertThat(grader(graded.with("/grader/delivery", "batch"))).isEqualTo(new DeliveryWish(Delivery.BATCH, null));
        assertThat(grader(graded)).isEqualTo(DeliveryWish.LIVE);
        assertThat(grader(judged().with("/checks", "[{type: rubric, value: Polite}]")
                        .with("/strategy/judge/delivery", "batch")))
                .as("the judge grades")
                .isEqualTo(new DeliveryWish(Delivery.BATCH, null));
    }

    @Test
    void shouldAskForEmbeddingsLive() {
        CampaignFile similar = CampaignFile.minimal()
                .with("/checks", "[{type: similar, value: Paris}]")
                .with("/grader", "{provider: openai, model: e}");
        assertThat(grader(similar.with("/delivery", "batch"))).isEqualTo(DeliveryWish.LIVE);
        assertThat(similar.with("/grader/delivery", "batch").errors())
                .singleElement()
                .asString()
                .startsWith(
                        "grader.delivery: `grader.delivery` is batch, but a grader cannot be in a batch: it computes");
    }

    @Test
    void shouldNameTheJudgeWhenItCannotBeInABatch() {
        CampaignFile scripted = judged().with("/strategy/judge", "{kind: scripted, script: {answers: [\"1\"]}}");
        assertThat(scripted.with("/strategy/judge/delivery", "batch").errors())
                .singleElement()
                .asString()
                .startsWith("strategy.judge.delivery: `strategy.judge.delivery` is batch, but a judge cannot be in a"
                        + " batch");
        assertThat(judge(scripted.with("/delivery", "auto"))).isEqualTo(DeliveryWish.LIVE);
    }

    @Test
    void shouldNameBothPlacesWhenOneGraderIsAskedInTwoWays() {
        CampaignFile graded = CampaignFile.minimal()
                .with(
                        "/checks",
                        "[{type: rubric, value: Polite}, {type: rubric, value: Short,"
                                + " grader: {provider: openai, model: g, delivery: batch}}]")
                .with("/grader", "{provider: openai, model: g}");
        assertThat(graded.errors())
                .containsExactly(
                        "checks[1].grader.delivery: The grader of `checks[1].grader` is that of `grader`, which is"
                                + " asked in another way; write the same `delivery` and `deadline` for both.");
    }

    @Test
    void shouldKeepTheWaysOfAStoredCampaign() {
        CampaignFile file = judged().with("/checks", "[{type: rubric, value: Polite}]")
                .with("/grader", "{provider: openai, model: g, delivery: auto, deadline: 3h}")
                .with("/strategy/judge/delivery", "batch");
        assertThat(CampaignReader.readStored(file.read().document()))
                .isEqualTo(file.read().definition());
    }
}
