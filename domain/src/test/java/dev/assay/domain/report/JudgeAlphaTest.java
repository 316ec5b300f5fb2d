package dev.assay.domain.report;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.judge.JudgeVote;
import dev.assay.domain.judge.ParsedReply;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.report.fact.SelectionFact;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of judges who compare branches in pairs. */
class JudgeAlphaTest {

    private static final int CASES = 60;

    /** By branch numbers it would be 0.26, 0.38 and 0.45 for 3, 5 and 10 branches. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 10})
    void shouldFindNoAgreementWhenJudgesTossCoins(int branches) {
        CampaignSummary.JudgeCalls judge =
                tally(branches, facts(branches, new Random(8), 0)).summarize().judge();

        assertThat(requireNonNull(judge.agreement()).alpha()).isCloseTo(0, within(0.05));
        assertThat(judge.agreement().cases()).isEqualTo(CASES);
        assertThat(judge.pairs()).hasSize(branches * (branches - 1) / 2);
        assertThat(requireNonNull(judge.position()).first()).isCloseTo(0.5, within(0.05));
    }

    @Test
    void shouldRankTheBranchFirstThatAlwaysWins() {
        CampaignSummary.JudgeCalls judge =
                tally(3, facts(3, new Random(9), 1)).summarize().judge();

        assertThat(judge.ranking().getFirst().branchId()).isEqualTo("b0");
        assertThat(judge.ranking().getFirst().ability()).isBetween(0.5, 20.0);
        assertThat(judge.pairs().getFirst().wins()).isGreaterThan(0.9);
        assertThat(judge.pairs())
                .allSatisfy(pair ->
                        assertThat(requireNonNull(pair.pHolm())).isGreaterThanOrEqualTo(requireNonNull(pair.p())));
    }

    @Test
    void shouldGiveTheSameSummaryWhenSelectionsComeInAnotherOrder() {
        List<SelectionFact> facts = facts(4, new Random(10), 0.3);
        CampaignSummary first = tally(4, facts).summarize();
        Collections.shuffle(facts, new Random(11));

        assertThat(tally(4, facts).summarize()).isEqualTo(first);
    }

    @Test
    void shouldSayThatPlaceAndBranchCannotBeToldApartWhenOneOrderWasShown() {
        ParsedReply forward = new ParsedReply(0, List.of(0, 1), ParsedReply.Path.PLAIN, 0, List.of(), null);
        ParsedReply back = new ParsedReply(1, List.of(1, 0), ParsedReply.Path.PLAIN, 1, List.of(), null);
        for (boolean swapped : new boolean[] {false, true}) {
            List<ParsedReply> readings = swapped ? List.of(forward, back) : List.of(forward);
            JudgeVote vote = swapped
                    ? new JudgeVote(0, List.of(0, 1), JudgeVote.Result.TIED, null, List.of(0, 1), readings)
                    : new JudgeVote(0, List.of(0, 1), JudgeVote.Result.VOTED, 0, List.of(), readings);
            PositionSummary position = tally(
                            2, List.of(new SelectionFact(0, 1, null, false, false, false, List.of(vote))))
                    .summarize()
                    .judge()
                    .position();

            assertThat(position.oneOrder()).isEqualTo(!swapped);
            assertThat(position.first()).isEqualTo(1);
            assertThat(position.expected()).isEqualTo(0.5);
            assertThat(position.readings()).isEqualTo(readings.size());
        }
    }

    private static CampaignTally tally(int branches, List<SelectionFact> facts) {
        List<String> caseIds = IntStream.range(0, CASES).mapToObj(i -> "c" + i).toList();
        List<String> branchIds =
                IntStream.range(0, branches).mapToObj(i -> "b" + i).toList();
        CampaignTally tally = new CampaignTally(
                new TrialGrid(CASES, 3), caseIds, branchIds, new TallyRules(GatePolicy.DEFAULT, List.of(), true, null));
        facts.forEach(tally::add);
        return tally;
    }

    /** Three judges on every pair of every trial, each of which names branch 0 where it can with {@code bias}, else a coin's. */
    private static List<SelectionFact> facts(int branches, Random random, double bias) {
        List<SelectionFact> facts = new ArrayList<>();
        for (int caseIndex = 0; caseIndex < CASES; caseIndex++) {
            for (int trial = 1; trial <= 3; trial++) {
                List<JudgeVote> votes = new ArrayList<>();
                for (int one = 0; one < branches; one++) {
                    for (int other = one + 1; other < branches; other++) {
                        for (int judge = 0; judge < 3; judge++) {
                            boolean first = one == 0 && random.nextDouble() < bias || random.nextBoolean();
                            votes.add(vote(judge, one, other, first ? one : other));
                        }
                    }
                }
                facts.add(new SelectionFact(caseIndex, trial, null, false, false, false, votes));
            }
        }
        return facts;
    }

    private static JudgeVote vote(int judge, int one, int other, int choice) {
        List<Integer> shown = List.of(one, other);
        ParsedReply reading = new ParsedReply(judge, shown, ParsedReply.Path.PLAIN, choice, List.of(), null);
        return new JudgeVote(judge, shown, JudgeVote.Result.VOTED, choice, List.of(), List.of(reading));
    }
}
