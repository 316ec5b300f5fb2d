package dev.assay.domain.campaignfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CancelPolicy;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.domain.selection.Strategy;
import dev.assay.domain.suite.Case;
import dev.assay.domain.tool.Tool;
import dev.assay.domain.tool.ToolPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class EvaluationReaderTest {

    private static final WorkerCapabilities OFFER = new WorkerCapabilities(Map.of(), null, Set.of());

    private static final String TWO = "kind: scripted, script: {answers: [yes]}";

    private static EvaluationSubmission read(String yaml) {
        return EvaluationReader.read(DocumentText.parse(yaml), OFFER);
    }

    private static List<FieldError> errors(Runnable reading) {
        AssayException wrong = catchThrowableOfType(AssayException.class, reading::run);
        assertThat(wrong).as("it is refused").isNotNull();
        assertThat(wrong.errors()).as(wrong.getMessage()).isNotEmpty();
        return wrong.errors();
    }

    private static EvaluationReader.Earlier earlier(String yaml, int selected) {
        return new EvaluationReader.Earlier(
                read(yaml).campaign().definition(),
                selected,
                List.of(Message.user("Why?"), Message.assistant("So.")),
                read(yaml).campaign().suite().cases().getFirst().checks().all(),
                CancelPolicy.DISCARD,
                read(yaml).keepsConcurrency());
    }

    private static EvaluationSubmission next(String yaml, EvaluationReader.Earlier earlier) {
        return EvaluationReader.continuation(DocumentText.parse(yaml), earlier, OFFER);
    }

    private static List<Branch> branches(EvaluationSubmission submission) {
        CampaignSubmission campaign = submission.campaign();
        assertThat(CampaignReader.readStored(campaign.document())).isEqualTo(campaign.definition());
        return campaign.definition().branches();
    }

    private static List<String> tools(Branch branch) {
        return branch.tools().tools().stream().map(Tool::name).toList();
    }

    private static Case asked(EvaluationSubmission submission) {
        return submission.campaign().suite().cases().getFirst();
    }

    @Test
    void shouldMakeUpIdsWhenBranchesHaveNone() {
        CampaignSubmission campaign = read("""
            prompts: [Why?]
            branches:
              - {id: mine, %1$s}
              - {%1$s}
              - {%1$s}
            """.formatted(TWO)).campaign();

        assertThat(campaign.definition().branches())
                .extracting(Branch::id)
                .containsExactly("mine", "scripted.scripted", "scripted.scripted-2");
        assertThat(campaign.definition().branches())
                .as("how loops are named")
                .extracting(Branch::segment)
                .containsExactly("mine", "scripted.scripted", "scripted.scripted");
        assertThat(CampaignReader.readStored(campaign.document())).isEqualTo(campaign.definition());
    }

    @Test
    void shouldGiveTheSystemPromptToBranchesThatHaveNone() {
        List<Branch> branches = read("""
            prompts: [Why?]
            systemPrompt: Be brief.
            branches: [{id: a, %1$s}, {id: b, systemPrompt: Be long., %1$s}]
            """.formatted(TWO)).campaign().definition().branches();

        assertThat(branches).extracting(Branch::systemPrompt).containsExactly("Be brief.", "Be long.");
    }

    @Test
    void shouldRunAllBranchesAtOnceWhenNobodyLimitsThem() {
        String branches = ("- {%s}\n".formatted(TWO)).repeat(30).indent(2);

        assertThat(read("prompts: [Why?]\nbranches:\n" + branches)
                        .campaign()
                        .definition()
                        .limits()
                        .maxConcurrent())
                .isEqualTo(30);
        assertThat(read("prompts: [Why?]\nlimits: {maxConcurrent: 3}\nbranches:\n" + branches)
                        .campaign()
                        .definition()
                        .limits()
                        .maxConcurrent())
                .isEqualTo(3);
    }

    @Test
    void shouldNameTheFieldWhenThereIsNothingToAnswer() {
        String branches = "\nbranches: [{%s}]".formatted(TWO);

        assertThat(errors(() -> read("name: x" + branches)))
                .extracting(FieldError::path)
                .containsExactly("prompts");
        assertThat(errors(() -> read("context: [{role: assistant, content: Hi}]" + branches)))
                .extracting(FieldError::path)
                .containsExactly("context");
        assertThat(read("context: [{role: user, content: Hi}]" + branches)
                        .campaign()
                        .suite()
                        .cases()
                        .getFirst()
                        .prompts())
                .isEmpty();
    }

    @Test
    void shouldGoOnAsBeforeWhenAContinuationSaysNoMore() {
        EvaluationReader.Earlier earlier = earlier("""
            prompts: [Why?]
            branches: [{id: a, %1$s}, {id: b, %1$s}]
            strategy: {type: token-efficient}
            limits: {timeoutSeconds: 7}
            """.formatted(TWO), 1);

        EvaluationSubmission next = next("prompts: [And?]", earlier);

        CampaignDefinition definition = next.campaign().definition();
        assertThat(definition.branches()).extracting(Branch::id).containsExactly("b");
        assertThat(definition.strategy()).isEqualTo(new Strategy.TokenEfficient());
        assertThat(definition.limits().timeout()).hasSeconds(7);
        assertThat(next.onCancel()).isEqualTo(CancelPolicy.DISCARD);
        assertThat(next.campaign().suite().cases().getFirst().context()).isEqualTo(earlier.selectedContext());
    }

    @Test
    void shouldNeedPromptsWhenTheSelectedContextEndsOnTheAssistant() {
        EvaluationReader.Earlier earlier = earlier("prompts: [Why?]\nbranches: [{%s}]".formatted(TWO), 0);

        assertThat(errors(() -> next("{}", earlier)))
                .extracting(FieldError::path)
                .containsExactly("prompts");
    }

    private static final String HTTP_TOOL =
            "{type: http, name: weather, description: Tells it., url: \"https://a.example/\"}";

    private static final String SHARING = """
        prompts: [Why?]
        systemPrompt: Be brief.
        tools: [{type: calculator}, {type: current_time}]
        limits: {timeoutSeconds: 7}
        branches:
          - {id: plain, %1$s}
          - {id: more, tools: [{type: json_path}, {type: calculator, timeoutSeconds: 2}], toolExecution: sequential, %1$s}
          - {id: none, tools: [], systemPrompt: Be long., %1$s}
        """.formatted(TWO);

    @Test
    void shouldShareToolsAmongBranchesUnlessOneRefusesThem() {
        List<Branch> branches = branches(read(SHARING));

        assertThat(branches)
                .extracting(EvaluationReaderTest::tools)
                .containsExactly(
                        List.of("calculator", "current_time"),
                        List.of("current_time", "json_path", "calculator"),
                        List.of());
        assertThat(branches.get(1).tools().tools().getLast().timeout())
                .as("its own of that name")
                .hasSeconds(2);
    }

    @Test
    void shouldStartFromTheWholeSelectedContextWhenAContinuationHasOtherBranches() {
        List<Branch> others = branches(next("""
            prompts: [And?]
            branches: [{id: x, %1$s}, {id: y, systemPrompt: Mine., tools: [{type: calculator}], %1$s},
                       {id: z, tools: [], %1$s}]
            """.formatted(TWO), earlier(SHARING, 1)));

        assertThat(others).extracting(Branch::systemPrompt).containsExactly("Be brief.", "Mine.", "Be brief.");
        assertThat(others)
                .extracting(EvaluationReaderTest::tools)
                .containsExactly(
                        List.of("current_time", "json_path", "calculator"),
                        List.of("current_time", "json_path", "calculator"),
                        List.of());
        assertThat(others.get(1).tools().tools().getLast().timeout())
                .as("what the branch says itself")
                .hasSeconds(30);
        assertThat(branches(next("prompts: [And?]\nbranches: [{%s}]".formatted(TWO), earlier(SHARING, 2))))
                .as("the winner's, not the evaluation's")
                .singleElement()
                .satisfies(branch -> assertThat(branch.systemPrompt()).isEqualTo("Be long."))
                .satisfies(branch -> assertThat(tools(branch)).isEmpty());
    }

    @Test
    void shouldReplaceTheSystemPromptAndToolsWhenTheContinuationOfTheWinnerSaysSo() {
        Branch winner = branches(next(
                        "{prompts: [And?], systemPrompt: Be kind., tools: [{type: json_path}]}", earlier(SHARING, 1)))
                .getFirst();
        Branch asBefore = branches(next("prompts: [And?]", earlier(SHARING, 1))).getFirst();

        assertThat(winner.systemPrompt()).isEqualTo("Be kind.");
        assertThat(tools(winner)).containsExactly("json_path");
        assertThat(winner.tools().sequential()).isTrue();
        assertThat(asBefore).isEqualTo(branches(read(SHARING)).get(1));
    }

    @Test
    void shouldDropTheInheritedSystemPromptWhenTheContinuationSaysNull() {
        Branch winner = branches(next("{prompts: [And?], systemPrompt: null}", earlier(SHARING, 1)))
                .getFirst();
        Branch other = branches(next(
                        "{prompts: [And?], systemPrompt: null, branches: [{id: x, %s}]}".formatted(TWO),
                        earlier(SHARING, 1)))
                .getFirst();

        assertThat(winner.systemPrompt()).isNull();
        assertThat(other.systemPrompt()).isNull();
    }

    @Test
    void shouldGiveACellTheTimeOfANewBranchUnlessATimeWasWritten() {
        String before = "prompts: [Why?]\nbranches: [{id: a, %s}]\n".formatted(TWO);
        String longer = "prompts: [And?]\nbranches: [{id: x, limits: {maxSeconds: 3000}, %s}]".formatted(TWO);

        Function<EvaluationReader.Earlier, Duration> time = earlier ->
                next(longer, earlier).campaign().definition().limits().timeout();

        assertThat(time.apply(earlier(before, 0))).hasSeconds(3_060);
        assertThat(time.apply(earlier(before + "limits: {timeoutSeconds: 7}", 0)))
                .hasSeconds(7);
    }

    @Test
    void shouldTakeAContextAsAWholeWhenOneIsSent() {
        EvaluationSubmission submission = read("""
            prompts: [Why?]
            context:
              systemPrompt: Be brief.
              messages: [{role: user, content: Hi}, {role: assistant, content: Hello}]
              tools: [{type: calculator}]
            branches: [{id: a, %1$s}, {id: b, systemPrompt: Be long., tools: [{type: json_path}], %1$s}]
            """.formatted(TWO));

        assertThat(asked(submission).context()).containsExactly(Message.user("Hi"), Message.assistant("Hello"));
        assertThat(branches(submission)).extracting(Branch::systemPrompt).containsExactly("Be brief.", "Be long.");
        assertThat(branches(submission))
                .extracting(EvaluationReaderTest::tools)
                .containsExactly(List.of("calculator"), List.of("calculator", "json_path"));
        assertThat(errors(() -> read("""
            {context: {messages: [{role: assistant, content: Hi}], tool: []}, branches: [{%s}]}
            """.formatted(TWO))))
                .extracting(FieldError::path)
                .containsExactly("context.tool", "context");
    }

    @Test
    void shouldNameTheToolThatTheServerDoesNotAllowWhereItIsWritten() {
        WorkerCapabilities none = new WorkerCapabilities(Map.of(), ToolPolicy.NONE, Set.of());
        String own = HTTP_TOOL.replace("weather", "own");

        assertThat(errors(() -> EvaluationReader.read(DocumentText.parse("""
            {prompts: [Why?], tools: [{type: calculator}, %1$s], branches: [{%2$s}, {tools: [%3$s], %2$s}]}
            """.formatted(HTTP_TOOL, TWO, own)), none)))
                .extracting(FieldError::path)
                .containsExactly("tools[1].url", "branches[1].tools[0].url");
    }

    @Test
    void shouldRefuseWhatBranchesShareWhenAllOfThemTogetherWouldStoreTooMuch() {
        String branches = "\nbranches:\n" + "- {%s}\n".formatted(TWO).repeat(99);
        String large = "x".repeat(700_000);

        assertThat(errors(() -> read("prompts: [Why?]\nsystemPrompt: " + large + branches)))
                .extracting(FieldError::path)
                .containsExactly("systemPrompt");
        assertThat(errors(() -> read("prompts: [Why?]\ntools: ["
                        + HTTP_TOOL.replace("url:", "method: POST, body: '" + large + "', url:") + "]" + branches)))
                .extracting(FieldError::path)
                .containsExactly("tools");
        assertThat(errors(() -> read("prompts: [Why?]\ntools: [" + "{type: calculator},".repeat(101)
                        + "]\nbranches: [{%s}]".formatted(TWO))))
                .extracting(FieldError::path)
                .contains("tools", "tools[1].name");
    }

    @Test
    void shouldReadPromptsThatAreTextsMessagesAndImages() {
        String image =
                "{role: user, content: [{type: text, text: This?}, {type: image, mediaType: image/png, data: AAAA}]}";
        String branches = "\nbranches: [{%s}]".formatted(TWO);

        assertThat(asked(read("prompts: [Look, {role: assistant, content: At what?}, " + image + "]" + branches))
                        .prompts())
                .containsExactly(
                        Message.user("Look"),
                        Message.assistant("At what?"),
                        new Message(
                                Role.USER,
                                List.of(new Content.Text("This?"), new Content.Image("image/png", "AAAA")),
                                null));
        assertThat(errors(() -> read("""
            prompts:
              - {role: user, content: " "}
              - {role: user, content: [{type: thinking, text: Hm}]}
              - {role: system, content: No}
              - 5
            """ + branches)))
                .extracting(FieldError::path)
                .containsExactly(
                        "prompts[0].content",
                        "prompts[1].content[0]",
                        "prompts[1].content",
                        "prompts[2].role",
                        "prompts[3]");
        assertThat(errors(() -> read("prompts: [Why?, {role: assistant, content: So.}]" + branches)))
                .extracting(FieldError::path)
                .containsExactly("prompts");
    }

    @Test
    void shouldNameTheBlockWhenItIsNotOneOfItsRole() {
        String branches = "\nbranches: [{%s}]".formatted(TWO);
        String image = "{type: image, mediaType: image/png, data: AAAA}";
        String call = "{type: tool_call, id: c, name: n, arguments: {}}";

        assertThat(errors(() -> read("prompts: [Why?]\ncontext:\n"
                        + "- {role: user, content: [{type: text, text: Hi}, {type: thinking, text: Hm}, " + call
                        + "]}\n"
                        + "- {role: assistant, content: [" + image + ", " + call + "]}\n"
                        + "- {role: tool, content: [" + image + "], toolResult: {callId: c, name: n}}" + branches)))
                .extracting(FieldError::path)
                .containsExactly(
                        "context[0].content[1]",
                        "context[0].content[2]",
                        "context[1].content[0]",
                        "context[2].content[0]");
    }

    @Test
    void shouldKeepMaxConcurrentWhenItWasWrittenAndLetOnlyADefaultGrow() {
        String thirty = "\nbranches:\n" + ("- {%s}\n".formatted(TWO)).repeat(30);
        String written = "prompts: [Why?]\nlimits: {maxConcurrent: 20}" + thirty;
        String defaulted = "prompts: [Why?]\nlimits: {timeoutSeconds: 9}" + thirty;
        String more = "prompts: [And?]\nbranches:\n" + ("- {%s}\n".formatted(TWO)).repeat(40);

        assertThat(concurrent(read(written))).isEqualTo(20);
        assertThat(concurrent(next(more, earlier(written, 0)))).isEqualTo(20);
        assertThat(concurrent(next("limits: {timeoutSeconds: 9}\n" + more, earlier(written, 0))))
                .isEqualTo(40);
        assertThat(concurrent(read(defaulted))).isEqualTo(30);
        assertThat(concurrent(next(more, earlier(defaulted, 0)))).isEqualTo(40);
        assertThat(concurrent(next("prompts: [And?]", earlier(defaulted, 0)))).isEqualTo(20);
    }

    private static int concurrent(EvaluationSubmission submission) {
        return submission.campaign().definition().limits().maxConcurrent();
    }

    @Test
    void shouldInheritChecksSoThatTheHighestScoreStillWins() {
        String scored = "strategy: {type: highest-score}\nprompts: [Why?]\nbranches: [{%1$s}, {%1$s}]\n".formatted(TWO);
        EvaluationReader.Earlier earlier = earlier(scored + "checks: [{type: icontains, value: Paris}]", 0);
        String two = "prompts: [And?]\nbranches: [{%1$s}, {%1$s}]\n".formatted(TWO);

        assertThat(asked(next(two, earlier)).checks().all())
                .isEqualTo(earlier.checks())
                .hasSize(1);
        assertThat(errors(() -> next(two + "checks: []", earlier)))
                .extracting(FieldError::path)
                .containsExactly("checks");
        assertThat(errors(() -> read(scored))).extracting(FieldError::path).containsExactly("checks");
        assertThat(errors(() -> read(scored + "checks: [{type: icontains, value: a, weight: 0}]")))
                .extracting(FieldError::path)
                .containsExactly("checks");
        assertThat(asked(next("{prompts: [And?], checks: []}", earlier))
                        .checks()
                        .all())
                .as("of one branch nothing is compared")
                .isEmpty();
    }

    @Test
    void shouldNameTheJudgesLoopsWhenItHasAnId() {
        CampaignDefinition definition = read("""
            prompts: [Why?]
            branches: [{%1$s}, {%1$s}]
            strategy: {type: llm-judge, panel: [{id: strict, %1$s}, {%1$s}]}
            """.formatted(TWO)).campaign().definition();

        assertThat(definition.judging().orElseThrow().judges())
                .extracting(Judge::segment)
                .containsExactly("strict", "scripted.scripted");
        assertThat(errors(() -> read("""
            prompts: [Why?]
            branches: [{%1$s}, {%1$s}]
            strategy: {type: llm-judge, judge: {id: a/b, %1$s}}
            """.formatted(TWO))))
                .extracting(FieldError::path)
                .containsExactly("strategy.judge.id");
    }
}
