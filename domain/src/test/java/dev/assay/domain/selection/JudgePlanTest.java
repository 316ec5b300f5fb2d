package dev.assay.domain.selection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.judge.JudgeAnswer;
import dev.assay.domain.judge.JudgeFormat;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.judge.JudgeQuestion;
import dev.assay.domain.judge.JudgeVote;
import dev.assay.domain.judge.ParsedReply;
import dev.assay.domain.judge.TiePolicy;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JudgePlanTest {

    private static final Judge JUDGE =
            new Judge(new Agent.Scripted(new Agent.Script(List.of("1"), Duration.ZERO, List.of(), null)), null);
    private static final JudgePolicy PLAIN = JudgePolicy.plain(JUDGE, null);
    private static final Failure TIMEOUT = new Failure(ErrorCode.PROVIDER_TIMEOUT, "The judge did not answer in time.");

    private static JudgePolicy policy(int judges, JudgeFormat.Reply reply, boolean swap, int rotate, TiePolicy ties) {
        return new JudgePolicy(
                Collections.nCopies(judges, JUDGE), null, new JudgeFormat(reply, false), swap, rotate, false, ties);
    }

    private static final JudgePolicy SWAPPED = policy(1, JudgeFormat.Reply.PLAIN, true, 1, TiePolicy.UNDECIDED);
    private static final JudgePolicy PANEL = policy(3, JudgeFormat.Reply.PLAIN, false, 1, TiePolicy.UNDECIDED);
    private static final JudgePolicy STRUCTURED =
            policy(1, JudgeFormat.Reply.STRUCTURED, false, 1, TiePolicy.UNDECIDED);

    @ParameterizedTest
    @CsvSource({"1, 0 1 2", "2, 1 2 0", "3, 2 0 1", "4, 0 1 2", "1000, 0 1 2"})
    void shouldShiftTheOrderByOneWithEachTrialAndAskNoMore(int trial, String shown) {
        JudgePolicy rotated = new JudgePolicy(
                List.of(JUDGE),
                null,
                new JudgeFormat(JudgeFormat.Reply.PLAIN, false),
                false,
                1,
                true,
                TiePolicy.UNDECIDED);
        List<Integer> order = Stream.of(shown.split(" ")).map(Integer::valueOf).toList();

        assertThat(JudgePlan.next(new Strategy.LlmJudge(rotated), trial, outcomes(3), List.of()))
                .isEqualTo(new JudgePlan.Step.Ask(List.of(new JudgeQuestion(0, order, null))));
        assertThat(JudgePlan.next(new Strategy.Pairwise(rotated, null), trial, outcomes(2), List.of()))
                .isEqualTo(new JudgePlan.Step.Ask(
                        List.of(new JudgeQuestion(0, trial % 2 == 1 ? List.of(0, 1) : List.of(1, 0), null))));
    }

    private static final Judge MODEL =
            new Judge(new Agent.Model(new ModelChoice("openai", "m", Thinking.OFF, Map.of())), null);

    private static JudgePolicy oneNumber(Judge judge) {
        return new JudgePolicy(
                List.of(judge),
                null,
                new JudgeFormat(JudgeFormat.Reply.PLAIN, false, JudgeFormat.Reading.ONE_NUMBER),
                false,
                1,
                false,
                TiePolicy.UNDECIDED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | 2",
                "2. | 2",
                "**2** | 2",
                "Response 2 is best: 2 | 2",
                "<think>Response 1 is vague.</think> 2 | 2",
                "<think>It is 1.</think> Of the 3 responses, response 1 is too long. So 1. | 1",
            })
    void shouldDecideWhenAReplyNamesOneResponse(String reply, int choice) {
        Selection selection = decide(oneNumber(MODEL), outcomes(2), reply);

        assertThat(selection.selectedIndex()).isEqualTo(choice - 1);
        assertThat(selection.decided()).isTrue();
    }

    /** By the first number, the first of these chooses response 2, and the second response 1. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Of the 2 responses, response 1 is better.",
                "<think>Response 1 is vague, so 2",
                "1 and 2 are alike.",
                "Neither.",
                "3",
                "",
            })
    void shouldAskOnceMoreForAJsonObjectWhenAReplyNamesNoSingleResponse(String reply) {
        JudgeQuestion again = new JudgeQuestion(50_400_000, List.of(0, 1), null, true);
        JudgeAnswer first = answer(0, List.of(0, 1), reply);

        assertThat(questions(oneNumber(MODEL), outcomes(2), List.of(first))).containsExactly(again);
        assertThat(again.format(oneNumber(MODEL)).isStructured()).isTrue();

        String json = "<think>1?</think> {\"reason\": \"It is right.\", \"scores\": [3, 9], \"choice\": 2}";
        Selection chosen =
                decided(oneNumber(MODEL), outcomes(2), List.of(first, answer(50_400_000, List.of(0, 1), json)));
        assertThat(chosen.selectedIndex()).isEqualTo(1);
        assertThat(chosen.decided()).isTrue();
        assertThat(chosen.votes().getFirst().readings().getFirst().path()).isEqualTo(ParsedReply.Path.REPAIRED);
    }

    @Test
    void shouldStayUndecidedWhenTheSecondReplyIsNoneEither() {
        JudgeAnswer first = answer(0, List.of(0, 1), "1 or 2.");
        for (JudgeAnswer second : List.of(
                answer(50_400_000, List.of(0, 1), "2 or 1."),
                answer(50_400_000, List.of(0, 1), "{\"type\":\"object\",\"minLength\":1,\""),
                failed(50_400_000, List.of(0, 1), true))) {
            Selection selection = decided(oneNumber(MODEL), outcomes(2), List.of(first, second));

            assertThat(selection.fallback()).isTrue();
            assertThat(selection.decided()).isFalse();
            assertThat(selection.reason()).contains("\"1 or 2.\"", "names several responses");
        }
        assertThat(decide(oneNumber(MODEL), outcomes(2), "1 or 2.", "So 2.").selectedIndex())
                .as("a number in the second reply")
                .isEqualTo(1);
    }

    @Test
    void shouldNotAskAScriptOnceMore() {
        Selection selection = decide(oneNumber(JUDGE), outcomes(2), "1 or 2.");

        assertThat(selection.decided()).isFalse();
    }

    /** Stored campaigns keep the rule by which they began. */
    @ParameterizedTest
    @CsvSource({"'Of the 2 responses, response 1 is better.', 2", "'<think>1</think> 2', 2", "'<think>2', 2"})
    void shouldTakeTheFirstNumberWhenThePolicySaysSo(String reply, int choice) {
        assertThat(decide(JudgePolicy.plain(MODEL, null), outcomes(2), reply).selectedIndex())
                .isEqualTo(choice - 1);
    }

    @Test
    void shouldAskOneCallInBranchOrderWhenTheFormIsPlain() {
        assertThat(questions(PLAIN, outcomes(3), List.of()))
                .containsExactly(new JudgeQuestion(0, List.of(0, 1, 2), null));
    }

    @Test
    void shouldMapTheReplyToItsBranchWhenSomeWereNotShown() {
        Selection selection = decide(PLAIN, List.of(outcome(0), outcome(2), outcome(5)), "Response 3.");

        assertThat(selection.selectedIndex()).isEqualTo(5);
        assertThat(selection.decided()).isTrue();
        assertThat(selection.strategy()).isEqualTo("llm-judge");
        assertThat(selection.reason()).isEqualTo("The judge chose response 3 of 3: \"Response 3.\".");
        assertThat(selection.votes()).singleElement().satisfies(vote -> {
            assertThat(vote.choice()).isEqualTo(5);
            assertThat(vote.readings())
                    .singleElement()
                    .extracting(ParsedReply::path)
                    .isEqualTo(ParsedReply.Path.PLAIN);
        });
    }

    @Test
    void shouldFallBackToTheFirstShownWhenTheReplyNamesNone() {
        Selection selection = decide(PLAIN, List.of(outcome(2), outcome(5)), "Neither. ".repeat(100));

        assertThat(selection.selectedIndex()).isEqualTo(2);
        assertThat(selection.fallback()).isTrue();
        assertThat(selection.decided()).isFalse();
        assertThat(selection.reason())
                .startsWith("The judge did not choose: \"Neither.")
                .endsWith("\". The reply names no response from 1 to 2. The first response was taken.")
                .hasSizeLessThan(400);
    }

    @Test
    void shouldFallBackToTheFirstShownWhenTheJudgeFailed() {
        Selection selection = decided(PLAIN, List.of(outcome(1), outcome(2)), List.of(failed(0, List.of(1, 2), true)));

        assertThat(selection.selectedIndex()).isEqualTo(1);
        assertThat(selection.fallback()).isTrue();
        assertThat(selection.decided()).isFalse();
        assertThat(selection.reason())
                .isEqualTo("The judge failed (PROVIDER_TIMEOUT: The judge did not answer in time.)."
                        + " The first response was taken.");
    }

    @Test
    void shouldNotBeFinalWhenACallWasSkippedForNow() {
        List<JudgeAnswer> answers = List.of(failed(0, List.of(0, 1), false));

        assertThat(JudgePlan.next(new Strategy.LlmJudge(PLAIN), 1, outcomes(2), answers))
                .isInstanceOfSatisfying(
                        JudgePlan.Step.Decided.class,
                        step -> assertThat(step.isFinal()).isFalse());
    }

    @Test
    void shouldAskInBothOrdersWhenPositionsAreSwapped() {
        assertThat(questions(SWAPPED, outcomes(3), List.of()))
                .extracting(JudgeQuestion::shown)
                .containsExactly(List.of(0, 1, 2), List.of(2, 1, 0));
    }

    @Test
    void shouldDecideWhenAJudgeNamesTheSameResponseInBothOrders() {
        Selection selection = decide(SWAPPED, outcomes(2), "2", "1");

        assertThat(selection.selectedIndex()).isEqualTo(1);
        assertThat(selection.decided()).isTrue();
        assertThat(selection.reason()).isEqualTo("The judge named branches[1] in 2 of 2 orders.");
    }

    /** The judge names the first position twice: branch 0, then branch 2. */
    @ParameterizedTest
    @CsvSource({"UNDECIDED,0,false", "FIRST,0,true", "TOKEN_EFFICIENT,2,true", "LOWEST_COST,2,true"})
    void shouldResolveATieByTheRuleWhenAJudgeGoesByPosition(TiePolicy ties, int winner, boolean wins) {
        JudgePolicy policy = policy(1, JudgeFormat.Reply.PLAIN, true, 1, ties);

        Selection selection = decide(policy, outcomes(3), "1", "1");

        assertThat(selection.selectedIndex()).isEqualTo(winner);
        assertThat(selection.decided()).isEqualTo(wins);
        assertThat(selection.fallback()).isEqualTo(!wins);
        assertThat(selection.reason()).contains("A tie").contains("branches[0], branches[2]");
    }

    @Test
    void shouldStayUndecidedWhenTheCheapestOfATieIsNotKnown() {
        JudgePolicy policy = policy(1, JudgeFormat.Reply.PLAIN, true, 1, TiePolicy.LOWEST_COST);
        List<Outcome> shown = List.of(outcome(0, 5, new BigDecimal("1")), outcome(1, 3, null));

        Selection selection = decide(policy, shown, "1", "1");

        assertThat(selection.selectedIndex()).isZero();
        assertThat(selection.decided()).isFalse();
        assertThat(selection.reason()).contains("Not every cost");
    }

    @Test
    void shouldCallItATieWhenOneOfTwoOrdersFailedForGood() {
        Selection selection =
                decided(SWAPPED, outcomes(2), List.of(answer(0, List.of(0, 1), "2"), failed(1, List.of(1, 0), true)));

        assertThat(selection.selectedIndex()).isEqualTo(1);
        assertThat(selection.decided()).isFalse();
    }

    @Test
    void shouldRotateEvenlyWhenThereAreFewerOrdersThanResponses() {
        JudgePolicy policy = policy(1, JudgeFormat.Reply.PLAIN, false, 2, TiePolicy.UNDECIDED);

        assertThat(questions(policy, outcomes(4), List.of()))
                .extracting(JudgeQuestion::shown)
                .containsExactly(List.of(0, 1, 2, 3), List.of(2, 3, 0, 1));
    }

    @Test
    void shouldShowNoOrderTwiceWhenRotatedMoreOftenThanThereAreResponses() {
        JudgePolicy policy = policy(1, JudgeFormat.Reply.PLAIN, true, 10, TiePolicy.UNDECIDED);

        assertThat(questions(policy, outcomes(2), List.of()))
                .extracting(JudgeQuestion::shown)
                .containsExactly(List.of(0, 1), List.of(1, 0));
    }

    @Test
    void shouldFollowTheMajorityWhenAPanelIsSplit() {
        Selection selection = decide(PANEL, outcomes(3), "2", "1", "2");

        assertThat(selection.selectedIndex()).isEqualTo(1);
        assertThat(selection.decided()).isTrue();
        assertThat(selection.reason()).isEqualTo("branches[1] has 2 of 3 votes.");
        assertThat(selection.votes()).extracting(JudgeVote::choice).containsExactly(1, 0, 1);
    }

    @Test
    void shouldCallItATieWhenNoBranchHasMoreThanHalfOfThePanel() {
        Selection selection = decide(PANEL, outcomes(3), "3", "1", "2");

        assertThat(selection.selectedIndex()).isZero();
        assertThat(selection.decided()).isFalse();
        assertThat(selection.fallback()).isTrue();
    }

    @Test
    void shouldLeaveAJudgeOutWhenItFailedForGood() {
        List<Integer> shown = List.of(0, 1);
        Selection selection = decided(
                PANEL, outcomes(2), List.of(answer(0, shown, "2"), failed(1, shown, true), answer(2, shown, "2")));

        assertThat(selection.selectedIndex()).isEqualTo(1);
        assertThat(selection.decided()).isTrue();
        assertThat(selection.reason())
                .isEqualTo("branches[1] has 2 of 2 votes. Left out: judge 2 (PROVIDER_TIMEOUT: The judge did not answer"
                        + " in time.)");
        assertThat(selection.votes().get(1).result()).isEqualTo(JudgeVote.Result.LEFT_OUT);
    }

    @Test
    void shouldFallBackWhenEveryJudgeOfAPanelFailed() {
        List<Integer> shown = List.of(0, 1);
        Selection selection = decided(
                PANEL,
                outcomes(2),
                List.of(failed(0, shown, true), failed(1, shown, true), answer(2, shown, "none of them")));

        assertThat(selection.selectedIndex()).isZero();
        assertThat(selection.fallback()).isTrue();
        assertThat(selection.decided()).isFalse();
        assertThat(selection.reason()).startsWith("No judge named a response. Left out: judge 1 (");
    }

    @Test
    void shouldAskOnlyWhatIsMissingWhenSomeCallsAreRecorded() {
        List<Integer> shown = List.of(0, 1);

        assertThat(questions(PANEL, outcomes(2), List.of(answer(1, shown, "1"))))
                .extracting(JudgeQuestion::slot)
                .containsExactly(0, 2);
    }

    @Test
    void shouldReadTheObjectWhenTheReplyIsStructured() {
        Selection selection = decide(
                STRUCTURED,
                outcomes(2),
                "```json\n{\"reason\": \"It names the year.\", \"scores\": [3, 9.5], \"choice\": 2}\n```\n");

        assertThat(selection.selectedIndex()).isEqualTo(1);
        assertThat(selection.reason()).isEqualTo("The judge chose response 2 of 2: \"It names the year.\".");
        ParsedReply reading = reading(selection);
        assertThat(reading.path()).isEqualTo(ParsedReply.Path.STRUCTURED);
        assertThat(reading.scores()).containsExactly(3.0, 9.5);
    }

    @Test
    void shouldAskOnceMoreWhenAStructuredReplyIsNotValid() {
        List<JudgeAnswer> answers = List.of(answer(0, List.of(0, 1), "{\"choice\": 3}"));

        assertThat(questions(STRUCTURED, outcomes(2), answers)).singleElement().satisfies(question -> {
            assertThat(question.slot()).isEqualTo(1);
            assertThat(question.shown()).containsExactly(0, 1);
            assertThat(question.repair()).isNotNull();
            assertThat(question.repair().reply()).isEqualTo("{\"choice\": 3}");
            assertThat(question.repair().problem()).contains("valid against the schema");
        });
    }

    @Test
    void shouldTakeTheRepairedReplyWhenItIsValid() {
        Selection selection =
                decide(STRUCTURED, outcomes(2), "Two.", "{\"reason\": \"r\", \"scores\": [1, 2], \"choice\": 2}");

        assertThat(selection.selectedIndex()).isEqualTo(1);
        assertThat(reading(selection).path()).isEqualTo(ParsedReply.Path.REPAIRED);
    }

    @Test
    void shouldReadTheFirstNumberWhenTheRepairIsNotValidEither() {
        Selection selection = decide(STRUCTURED, outcomes(2), "I choose 1", "Well: 2!");

        assertThat(selection.selectedIndex()).isEqualTo(1);
        assertThat(selection.decided()).isTrue();
        assertThat(reading(selection).path()).isEqualTo(ParsedReply.Path.PLAIN);
    }

    @Test
    void shouldReadTheFirstReplyWhenTheRepairFailedForGood() {
        List<Integer> shown = List.of(0, 1);
        Selection selection =
                decided(STRUCTURED, outcomes(2), List.of(answer(0, shown, "I choose 2"), failed(1, shown, true)));

        assertThat(selection.selectedIndex()).isEqualTo(1);
        assertThat(reading(selection).path()).isEqualTo(ParsedReply.Path.PLAIN);
    }

    @Test
    void shouldFallBackWhenNeitherReplyNamesAResponse() {
        Selection selection = decide(STRUCTURED, outcomes(2), "no", "never");

        assertThat(selection.fallback()).isTrue();
        assertThat(reading(selection).path()).isEqualTo(ParsedReply.Path.FALLBACK);
    }

    @Test
    void shouldNameTheJudgeByTheNumberOfTheCallWhenEverythingIsCombined() {
        JudgePolicy policy = policy(3, JudgeFormat.Reply.STRUCTURED, true, 2, TiePolicy.FIRST);
        List<JudgeAnswer> answers = new ArrayList<>();
        List<JudgeQuestion> asked = questions(policy, outcomes(4), answers);
        assertThat(asked).hasSize(3 * 4).doesNotHaveDuplicates();
        asked.forEach(question -> answers.add(answer(question.slot(), question.shown(), "no object: 1")));

        List<JudgeQuestion> repairs = questions(policy, outcomes(4), answers);

        assertThat(repairs).hasSize(3 * 4).allMatch(question -> question.repair() != null);
        assertThat(repairs)
                .extracting(question -> question.slot() % 3)
                .containsExactlyElementsOf(
                        asked.stream().map(question -> question.slot() % 3).toList());
        assertThat(repairs)
                .extracting(JudgeQuestion::slot)
                .doesNotContainAnyElementsOf(
                        asked.stream().map(JudgeQuestion::slot).toList());
    }

    private static ParsedReply reading(Selection selection) {
        return selection.votes().getFirst().readings().getFirst();
    }

    /** Gives {@code replies} to the questions as they are asked, round by round. */
    private static Selection decide(JudgePolicy policy, List<Outcome> shown, String... replies) {
        List<JudgeAnswer> answers = new ArrayList<>();
        int next = 0;
        while (JudgePlan.next(new Strategy.LlmJudge(policy), 1, shown, answers)
                instanceof JudgePlan.Step.Ask(List<JudgeQuestion> questions)) {
            for (JudgeQuestion question : questions) {
                answers.add(answer(question.slot(), question.shown(), replies[next++]));
            }
        }
        assertThat(next).as("replies that were asked for").isEqualTo(replies.length);
        return decided(policy, shown, answers);
    }

    private static Selection decided(JudgePolicy policy, List<Outcome> shown, List<JudgeAnswer> answers) {
        JudgePlan.Step step = JudgePlan.next(new Strategy.LlmJudge(policy), 1, shown, answers);
        assertThat(step).isInstanceOf(JudgePlan.Step.Decided.class);
        return ((JudgePlan.Step.Decided) step).selection();
    }

    private static List<JudgeQuestion> questions(JudgePolicy policy, List<Outcome> shown, List<JudgeAnswer> answers) {
        JudgePlan.Step step = JudgePlan.next(new Strategy.LlmJudge(policy), 1, shown, answers);
        assertThat(step).isInstanceOf(JudgePlan.Step.Ask.class);
        return ((JudgePlan.Step.Ask) step).questions();
    }

    private static JudgeAnswer answer(int slot, List<Integer> shown, String reply) {
        return new JudgeAnswer(slot, shown, reply, null, true);
    }

    private static JudgeAnswer failed(int slot, List<Integer> shown, boolean isFinal) {
        return new JudgeAnswer(slot, shown, null, TIMEOUT, isFinal);
    }

    private static List<Outcome> outcomes(int branches) {
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < branches; i++) {
            outcomes.add(outcome(i));
        }
        return outcomes;
    }

    /** The later the branch, the fewer its tokens and the lower its cost. */
    private static Outcome outcome(int branchIndex) {
        return outcome(branchIndex, 100 - branchIndex, BigDecimal.valueOf(100 - branchIndex));
    }

    private static Outcome outcome(int branchIndex, int tokens, @Nullable BigDecimal costUsd) {
        return new Outcome(
                0,
                branchIndex,
                "s.b." + branchIndex,
                new Outcome.End(OutcomeStatus.COMPLETED, null, 1),
                new Outcome.Answer(List.of(), 0, "answer " + branchIndex),
                new Measured(Usage.of(0, tokens), costUsd, Duration.ZERO),
                List.of());
    }
}
