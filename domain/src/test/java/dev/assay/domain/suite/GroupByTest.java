package dev.assay.domain.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.evidence.Draws;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.RateBasis;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.report.CampaignTally;
import dev.assay.domain.report.TallyRules;
import dev.assay.domain.report.fact.OutcomeFact;
import dev.assay.domain.stop.Stopping;
import dev.assay.domain.usage.Usage;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupByTest {

    private static CampaignSubmission read(String groupBy) {
        return CampaignReader.read(CampaignDocument.parse("""
            name: related
            cases:
              - {id: a, prompt: A, tags: [geo, easy], metadata: {topic: rivers}}
              - {id: b, prompt: B, tags: [geo], metadata: {topic: lakes, level: "1"}}
            branches: [{id: x, kind: scripted, script: {answers: [Hi]}}]
            statistics: {groupBy: %s}
            """.formatted(groupBy)), Map.of());
    }

    @Test
    void shouldReadBackWhatItStoresAndNameTheGroupOfEachCase() {
        CampaignSubmission submission = read("metadata.topic");
        GroupBy groupBy = new GroupBy("topic");

        assertThat(CampaignReader.readStored(submission.document()).groupBy()).isEqualTo(groupBy);
        assertThat(submission.suite().cases().stream().map(groupBy::group)).containsExactly("rivers", "lakes");
        assertThat(read("tag").suite().cases().stream().map(new GroupBy(null)::group))
                .containsExactly("geo", "geo");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "metadata.level | Case `a` has no metadata `level`",
                "metadata.none  | Case `a` has no metadata `none`, nor have 1 others",
                "topic          | must be `tag` or `metadata.`",
                "metadata.      | must be `tag` or `metadata.`",
                "7              | groupBy",
            })
    void shouldRefuseWhatNotEveryCaseHas(String groupBy, String said) {
        assertThatExceptionOfType(AssayException.class)
                .isThrownBy(() -> read(groupBy))
                .satisfies(e -> assertThat(e.errors())
                        .singleElement()
                        .satisfies(error -> assertThat(error.message()).contains(said))
                        .extracting(FieldError::path)
                        .isEqualTo("statistics.groupBy"));
    }

    /** Eight cases of four topics, each all right or all wrong: they are worth no more than four cases. */
    @Test
    void shouldCountRelatedCasesAsOneInTheIntervalOfTheTrialRate() {
        Proportion alone = rate(null);
        Proportion related = rate(List.of("a", "a", "b", "b", "c", "c", "d", "d"));

        assertThat(related.value()).isEqualTo(alone.value()).isEqualTo(0.5);
        assertThat(related.clusters().groups()).isEqualTo(4);
        assertThat(alone.clusters().groups()).isNull();
        assertThat(related.low()).isLessThan(alone.low());
        assertThat(related.high()).isGreaterThan(alone.high());
        assertThat(rate(Collections.nCopies(8, "a")).basis().why()).isEqualTo(RateBasis.Why.ONE_GROUP);
    }

    private static Proportion rate(@Nullable List<String> groups) {
        List<String> ids = IntStream.range(0, 8).mapToObj(i -> "case-" + i).toList();
        CampaignTally tally = new CampaignTally(
                new TrialGrid(8, 2),
                ids,
                List.of("x"),
                new TallyRules(GatePolicy.DEFAULT, List.of(), false, null, Stopping.NEVER, groups, Draws.ONCE));
        for (int i = 0; i < 16; i++) {
            boolean passed = i % 8 / 2 % 2 == 0;
            tally.add(new OutcomeFact(i % 8, i / 8 + 1, 0, OutcomeStatus.COMPLETED, passed, Usage.NONE, null, 1));
        }
        return tally.summarize().branches().getFirst().trialPassRate();
    }
}
