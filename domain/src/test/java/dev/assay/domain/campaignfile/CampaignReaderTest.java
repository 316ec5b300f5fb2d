package dev.assay.domain.campaignfile;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentLimits;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CampaignMetadata;
import dev.assay.domain.campaign.Limits;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.text.ContainsIgnoringCaseRule;
import dev.assay.domain.check.text.ContainsRule;
import dev.assay.domain.check.text.RegexRule;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.json.Json;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.judge.JudgeFormat;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.judge.TiePolicy;
import dev.assay.domain.message.Message;
import dev.assay.domain.selection.Strategy;
import dev.assay.domain.suite.Case;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CampaignReaderTest {

    @Test
    void shouldTakeDefaultsWhenOnlyTheNecessaryIsWritten() {
        CampaignSubmission submission = CampaignFile.minimal().read();

        Agent model = new Agent.Model(new ModelChoice("openai", "gpt-5-mini", Thinking.OFF, Map.of()));
        assertThat(submission.definition())
                .isEqualTo(new CampaignDefinition(
                        "capitals",
                        List.of(new Branch("small", model, null, AgentLimits.DEFAULT)),
                        1,
                        new Strategy.Transparent(),
                        GatePolicy.DEFAULT,
                        Limits.DEFAULT));
        assertThat(submission.suite().name()).isEqualTo("capitals");
        assertThat(submission.suite().cases())
                .containsExactly(new Case(
                        "france",
                        List.of(Message.user("What is the capital of France?")),
                        List.of(),
                        List.of(),
                        List.of(),
                        Map.of()));
        assertThat(submission.cassettes()).isEmpty();
    }

    @Test
    void shouldReadEveryFieldWhenAllAreWritten() {
        CampaignDefinition definition = CampaignFile.full().read().definition();

        Branch large = definition.branches().get(1);
        ModelChoice choice = ((Agent.Model) large.agent()).choice();
        assertThat(choice.thinking()).isEqualTo(Thinking.HIGH);
        assertThat(choice.parameters())
                .containsEntry("topP", DecimalNode.valueOf(new BigDecimal("0.9")))
                .containsEntry("maxOutputTokens", IntNode.valueOf(1000))
                .hasSize(6);
        assertThat(large.limits())
                .isEqualTo(new AgentLimits(10, 100_000, Duration.ofSeconds(60), new BigDecimal("0.5")));
        assertThat(definition.branches().getFirst().systemPrompt()).isEqualTo("Be concise.");
        assertThat(definition.trials()).isEqualTo(5);
        assertThat(definition.strategy()).isInstanceOfSatisfying(Strategy.LlmJudge.class, judge -> {
            assertThat(judge.policy().judges()).singleElement().satisfies(only -> {
                assertThat(only.maxContextTokens()).isEqualTo(200_000);
                assertThat(only.agent().provider()).isEqualTo("anthropic");
            });
            assertThat(judge.policy())
                    .isEqualTo(new JudgePolicy(
                            judge.policy().judges(),
                            null,
                            new JudgeFormat(JudgeFormat.Reply.PLAIN, false, JudgeFormat.Reading.ONE_NUMBER),
                            false,
                            1,
                            false,
                            TiePolicy.UNDECIDED));
        });
        assertThat(definition.gate()).isEqualTo(new GatePolicy(0.8, 0.9, List.of("large")));
        assertThat(definition.limits())
                .isEqualTo(new Limits(50, new BigDecimal("20"), Duration.ofSeconds(300), 3, Duration.ofHours(1)));
    }

    /** Campaigns that were stored before there was a choice took the first number. */
    @Test
    void shouldKeepTheReadingOfJudgesByWhichAStoredCampaignBegan() {
        ObjectNode stored = (ObjectNode) CampaignFile.full().read().document();
        assertThat(stored.at("/strategy/reading").asText()).isEqualTo("one-number");

        ((ObjectNode) stored.get("strategy")).remove("reading");

        assertThat(CampaignReader.readStored(stored).judging())
                .hasValueSatisfying(
                        policy -> assertThat(policy.format().reading()).isEqualTo(JudgeFormat.Reading.FIRST_NUMBER));
        assertThat(CampaignFile.full()
                        .with("/strategy/reading", "first-number")
                        .read()
                        .document()
                        .at("/strategy")
                        .has("reading"))
                .as("builds that know no such field read what makes no use of it")
                .isFalse();
    }

    @Test
    void shouldReadThatThinkingIsOptionalWhenItIsWritten() {
        CampaignFile file = CampaignFile.full()
                .with("/branches/1/thinking", "max")
                .with("/branches/1/thinkingOptional", "true")
                .with("/strategy/judge/thinkingOptional", "true");
        CampaignSubmission submission = file.read();
        CampaignDefinition definition = submission.definition();

        assertThat(((Agent.Model) definition.branches().get(1).agent()).choice())
                .extracting(ModelChoice::thinking, ModelChoice::thinkingOptional)
                .containsExactly(Thinking.MAX, true);
        assertThat(CampaignReader.readStored(submission.document())).isEqualTo(definition);
        assertThat(submission.document().at("/branches/0").has("thinkingOptional"))
                .as("builds that know no such field read what makes no use of it")
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"60, 660", "600, 660", "601, 661", "7200, 7260", "86400, 86400"})
    void shouldGiveACellAMinuteMoreThanItsLongestLoopWhenNothingIsWritten(int maxSeconds, int timeout) {
        CampaignFile file = CampaignFile.minimal().with("/branches/0/limits", "{maxSeconds: " + maxSeconds + "}");

        assertThat(file.read().definition().limits().timeout()).hasSeconds(timeout);
        assertThat(file.with("/limits", "{timeoutSeconds: 7}")
                        .read()
                        .definition()
                        .limits()
                        .timeout())
                .as("what is written is kept")
                .hasSeconds(7);
    }

    @Test
    void shouldReadEveryOptionWhenAPanelJudges() {
        CampaignDefinition definition = CampaignFile.full()
                .without("/limits/budgetUsd")
                .with(
                        "/strategy",
                        "{type: llm-judge, panel: [{provider: openai, model: a}, {provider: anthropic, model: b,"
                                + " maxContextTokens: 1000}], reply: structured, fence: true, swapPositions: true,"
                                + " rotate: 3, ties: token-efficient}")
                .read()
                .definition();

        assertThat(definition.strategy()).isInstanceOfSatisfying(Strategy.LlmJudge.class, judge -> {
            JudgePolicy policy = judge.policy();
            assertThat(policy.judges()).extracting(Judge::maxContextTokens).containsExactly(null, 1000);
            assertThat(policy.format())
                    .isEqualTo(new JudgeFormat(JudgeFormat.Reply.STRUCTURED, true, JudgeFormat.Reading.ONE_NUMBER));
            assertThat(policy.swapPositions()).isTrue();
            assertThat(policy.rotate()).isEqualTo(3);
            assertThat(policy.ties()).isEqualTo(TiePolicy.TOKEN_EFFICIENT);
        });
        assertThat(definition.providersAsked()).containsExactly("openai", "anthropic");
    }

    @Test
    void shouldReadCasesWithDefaultChecksWhenTheFileHasChecks() {
        List<Case> cases = CampaignFile.full().read().suite().cases();

        assertThat(cases.getFirst().checks().all())
                .containsExactly(
                        new Check(new ContainsIgnoringCaseRule("Paris"), true),
                        new Check(new RegexRule("\\w+"), false));
        assertThat(cases.getFirst().context())
                .containsExactly(Message.user("Hello"), Message.assistant("Hi, how can I help?"));
        assertThat(cases.getFirst().tags()).containsExactly("geo");
        assertThat(cases.getFirst().metadata()).containsOnly(Map.entry("source", "atlas"), Map.entry("page", "12"));
        assertThat(cases.get(1).prompts()).isEmpty();
        assertThat(cases.get(1).checks().all().getLast()).isEqualTo(new Check(new RegexRule("\\w+"), false));
    }

    @Test
    void shouldReadTheSuiteWhenItIsAnObject() {
        CampaignSubmission submission = CampaignFile.minimal()
                .without("/cases")
                .with("/checks", "[{type: contains, value: a}]")
                .with("/suite", "{name: geography, checks: [{type: contains, value: b}], cases: [{id: x, prompt: y}]}")
                .read();

        assertThat(submission.suite().name()).isEqualTo("geography");
        assertThat(submission.suite().cases().getFirst().checks().all())
                .containsExactly(new Check(new ContainsRule("b"), true), new Check(new ContainsRule("a"), true));
    }

    @Test
    void shouldPickTheFirstWhenSeveralBranchesNameNoStrategy() {
        CampaignSubmission submission = CampaignFile.full().without("/strategy").read();

        assertThat(submission.definition().strategy()).isEqualTo(new Strategy.PickFirst());
    }

    @ParameterizedTest
    @CsvSource({
        "off, OFF",
        "'\"off\"', OFF",
        "false, OFF",
        "minimal, MINIMAL",
        "low, LOW",
        "medium, MEDIUM",
        "high, HIGH"
    })
    void shouldReadThinkingWhenItIsWrittenWithOrWithoutQuotes(String written, Thinking expected) {
        CampaignSubmission submission =
                CampaignFile.minimal().with("/branches/0/thinking", written).read();

        assertThat(((Agent.Model) submission.definition().branches().getFirst().agent())
                        .choice()
                        .thinking())
                .isEqualTo(expected);
    }

    @Test
    void shouldReadWholeNumbersWhenTheyAreWrittenWithAFraction() {
        CampaignDefinition definition = CampaignFile.full()
                .with("/trials", "3.0")
                .with("/limits/maxConcurrent", "1e2")
                .with("/branches/0/parameters", "{temperature: 1.0}")
                .read()
                .definition();

        assertThat(definition.trials()).isEqualTo(3);
        assertThat(definition.limits().maxConcurrent()).isEqualTo(100);
        assertThat(((Agent.Model) definition.branches().getFirst().agent())
                        .choice()
                        .parameters())
                .containsEntry("temperature", IntNode.valueOf(1));
    }

    @Test
    void shouldReadAScriptWhenTheKindIsScripted() {
        CampaignSubmission submission =
                CampaignFile.minimal().with("/branches/0", """
                    {id: s, kind: scripted, script: {answers: [a, ""], delayMs: 20,
                      failures: [{status: 429, retryAfterSeconds: 1.5}, {status: 500}], usage: {input: 3, output: 4}}}
                    """).read();

        Agent.Script script =
                ((Agent.Scripted) submission.definition().branches().getFirst().agent()).script();
        assertThat(script)
                .isEqualTo(new Agent.Script(
                        List.of("a", ""),
                        Duration.ofMillis(20),
                        List.of(
                                new Agent.ScriptedFailure(429, Duration.ofMillis(1500)),
                                new Agent.ScriptedFailure(500, null)),
                        Usage.of(3, 4)));
    }

    @Test
    void shouldGiveEachCassetteOnceWhenBranchAndJudgeShareIt() {
        String entries = "[" + RecordedAnswers.ENTRY + "]";
        CampaignSubmission submission = CampaignFile.full()
                .with("/branches/0", "{id: r, kind: replay, provider: any, model: m, cassette: " + entries + "}")
                .with("/strategy/judge", "{kind: replay, provider: any, model: m, cassette: " + entries + "}")
                .read();

        assertThat(submission.cassettes()).hasSize(1);
        String id = submission.cassettes().getFirst().id();
        assertThat(submission.definition().branches().getFirst().agent())
                .isEqualTo(new Agent.Replay(new ModelChoice("any", "m", Thinking.OFF, Map.of()), id));
        assertThat(submission.document().at("/branches/0/cassette").asText()).isEqualTo("sha256:" + id);
        assertThat(submission.document().at("/strategy/judge/cassette").asText())
                .isEqualTo("sha256:" + id);
    }

    @Test
    void shouldStoreNoCasesWhenTheFileIsValid() {
        CampaignSubmission submission = CampaignFile.full().read();

        assertThat(submission.document().has("cases")).isFalse();
        assertThat(submission.document().has("suite")).isFalse();
        assertThat(submission.document().has("checks")).isFalse();
        assertThat(submission.document().path("description").asText()).isEqualTo("Which model knows its capitals?");
    }

    @Test
    void shouldReadTheSameDefinitionBackWhenItWasStored() {
        CampaignSubmission submission = CampaignFile.full().read();

        assertThat(CampaignReader.readStored(Json.tree(Json.write(submission.document()))))
                .isEqualTo(submission.definition());
    }

    @Test
    void shouldRefuseAStoredDocumentWhenItIsNone() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> CampaignReader.readStored(Json.tree("{\"name\": \"x\"}")))
                .withMessageContaining("branches");
    }

    @Test
    void shouldReportAllErrorsAtOnceWhenThereAreMany() {
        List<String> errors = CampaignFile.full()
                .without("/name")
                .with("/trials", "0")
                .with("/cases/0/checks/0/value", "[1]")
                .with("/branches/1/model", "7")
                .with("/gate/passThreshold", ".nan")
                .with("/limits/budgetUsd", "0")
                .with("/colour", "red")
                .errors();

        assertThat(errors)
                .extracting(error -> error.substring(0, error.indexOf(": ")))
                .containsExactlyInAnyOrder(
                        "name",
                        "trials",
                        "cases[0].checks[0].value",
                        "branches[1].model",
                        "gate.passThreshold",
                        "limits.budgetUsd",
                        "colour");
    }

    @Test
    void shouldNameTheFirstErrorWhenOnlyTheMessageIsShown() {
        CampaignFile file = CampaignFile.minimal().with("/trials", "0").without("/name");

        assertThatExceptionOfType(AssayException.class)
                .isThrownBy(file::read)
                .withMessage("The campaign file has 2 errors, the first: name: `name` is missing; add it.")
                .matches(e -> e.code() == ErrorCode.INVALID_INPUT && e.errors().size() == 2);
    }

    @Test
    void shouldKeepMetadataOutOfTheDocumentWhenItIsNoted() {
        CampaignSubmission plain = CampaignFile.full().without("/metadata").read();
        CampaignSubmission noted = CampaignFile.full().read();

        assertThat(noted.metadata().values()).containsExactly(entry("commit", "3f2a91c"), entry("pr/7", "1"));
        assertThat(plain.metadata()).isEqualTo(CampaignMetadata.NONE);
        assertThat(noted.document()).isEqualTo(plain.document());
        assertThat(noted.definition()).isEqualTo(plain.definition());
    }

    @Test
    void shouldRefuseMetadataWhenItHasMoreNamesThanAreKept() {
        String names = IntStream.range(0, 33).mapToObj(i -> "n" + i + ": a").collect(joining(", ", "{", "}"));

        assertThat(CampaignFile.minimal().with("/metadata", names).errors())
                .containsExactly("metadata: `metadata` has 33 names; keep at most 32.");
    }
}
