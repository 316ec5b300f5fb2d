package dev.assay.domain.campaignfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentCode;
import dev.assay.domain.agent.AgentCost;
import dev.assay.domain.agent.AgentName;
import dev.assay.domain.agent.CodeAgent;
import dev.assay.domain.check.code.CodeLanguage;
import dev.assay.domain.check.code.Script;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.json.Json;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.domain.tool.CodeAllowance;
import dev.assay.domain.tool.ToolPolicy;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Own code as an agent: its fields, and who may run it. */
class CodeAgentKindTest {

    private static final String CODE = "\"sha256:" + "ab".repeat(32) + "\"";

    private static CampaignFile file(String branch) {
        return CampaignFile.minimal().with("/code", CODE).with("/branches/0", branch);
    }

    @Test
    void shouldReadBackWhatWasWrittenWhenCodeAnswersForABranch() {
        CampaignFile file = file("{id: p, kind: python, file: a/own.py, function: Mine.answer, config: {mark: [1, x]},"
                + " maxCostUsd: 0.25, systemPrompt: Be brief, transform: {javascript: output}}");
        CampaignSubmission submission = CampaignReader.read(file.document(), CampaignFile.OFFER);
        Agent agent = submission.definition().branches().getFirst().agent();

        assertThat(agent)
                .isEqualTo(new CodeAgent.Python(new AgentCode(
                        new Script(CodeLanguage.PYTHON, null, "a/own.py", "Mine.answer"),
                        Json.tree("{\"mark\": [1, \"x\"]}"),
                        new BigDecimal("0.25"))));
        assertThat(agent.name()).isEqualTo(new AgentName("python", "a/own.py:Mine.answer"));
        assertThat(agent.segment()).isEqualTo("python.a-own-py-Mine-answer");
        assertThat(agent.cost()).isEqualTo(new AgentCost.Stated(new BigDecimal("0.25")));
        assertThat(CampaignReader.readStored(submission.document())).isEqualTo(submission.definition());
        assertThat(PublishedSchema.CAMPAIGN.violations(file.document())).isEmpty();
        assertThat(submission.codeNeeds().languages()).containsExactlyInAnyOrder("python", "javascript");
    }

    @Test
    void shouldReadBackWhatWasWrittenWhenCodeGradesAndJudges() {
        CampaignFile file = CampaignFile.minimal()
                .with("/code", CODE)
                .with(
                        "/branches",
                        "[{id: a, kind: javascript, file: own.mjs}, {id: b, kind: scripted, script: {answers: [x]}}]")
                .with("/strategy", "{type: llm-judge, judge: {kind: python, file: judge.py}}")
                .with("/grader", "{kind: javascript, file: grade.cjs, function: strict, config: 3}")
                .with("/checks", "[{type: rubric, value: Polite}]");
        CampaignSubmission submission = CampaignReader.read(file.document(), CampaignFile.OFFER);

        assertThat(submission.definition().graderAgents())
                .containsExactly(new CodeAgent.JavaScript(new AgentCode(
                        new Script(CodeLanguage.JAVASCRIPT, null, "grade.cjs", "strict"), Json.tree("3"), null)));
        assertThat(CampaignReader.readStored(submission.document())).isEqualTo(submission.definition());
        assertThat(PublishedSchema.CAMPAIGN.violations(file.document())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {id: p, kind: python}                                               | branches[0].file
        {id: p, kind: python, file: 3}                                      | branches[0].file
        {id: p, kind: python, file: own.js}                                 | branches[0].file
        {id: p, kind: javascript, file: own.ts}                             | branches[0].file
        {id: p, kind: python, file: ../own.py}                              | branches[0].file
        {id: p, kind: python, file: /own.py}                                | branches[0].file
        {id: p, kind: python, file: "a\\u0000b.py"}                         | branches[0].file
        {id: p, kind: python, file: own.py, function: "a b"}                | branches[0].function
        {id: p, kind: javascript, file: own.js, function: A.b}              | branches[0].function
        {id: p, kind: python, file: own.py, config: .nan}                   | branches[0].config
        {id: p, kind: python, file: own.py, maxCostUsd: 0}                  | branches[0].maxCostUsd
        {id: p, kind: python, file: own.py, tools: []}                      | branches[0].tools
        {id: p, kind: python, file: own.py, model: gpt}                     | branches[0].model
        {id: p, kind: scripted, script: {answers: [a]}, file: own.py}       | branches[0].file
        {id: p, command: [cat], config: {}}                                 | branches[0].config
        """)
    void shouldNameTheFieldWhenABranchIsWrong(String branch, String path) {
        assertThat(file(branch).errors())
                .isNotEmpty()
                .allMatch(error -> error.toString().contains(path));
    }

    @Test
    void shouldAskForADirectoryOfCode() {
        assertThat(CampaignFile.minimal()
                        .with("/branches/0", "{id: p, kind: python, file: own.py}")
                        .errors())
                .singleElement()
                .asString()
                .contains("branches[0].file", "write `code`");
    }

    @Test
    void shouldAskForTheMostThatACallCostsWhenThereIsABudget() {
        assertThat(file("{id: p, kind: python, file: own.py}")
                        .with("/limits", "{budgetUsd: 1}")
                        .errors())
                .singleElement()
                .asString()
                .contains("branches[0].maxCostUsd", "budgetUsd");
    }

    @Test
    void shouldNeverComputeEmbeddings() {
        assertThat(CampaignFile.minimal()
                        .with("/code", CODE)
                        .with("/checks", "[{type: similar, value: a, grader: {kind: python, file: own.py}}]")
                        .errors())
                .singleElement()
                .asString()
                .contains("checks[0].grader.kind", "no embeddings");
    }

    @Test
    void shouldNameEachAgentWhoseCodeNoWorkerMayRun() {
        CampaignFile file = CampaignFile.minimal()
                .with("/code", CODE)
                .with("/branches/0", "{id: a, kind: javascript, file: own.mjs}")
                .with("/checks", "[{type: rubric, value: x, grader: {kind: python, file: own.py}}]");
        AssayException refused = refused(file, Set.of());
        assertThat(refused.code()).isEqualTo(ErrorCode.EVAL_CODE_UNAVAILABLE);
        assertThat(refused.errors())
                .extracting(FieldError::path)
                .containsExactlyInAnyOrder("branches[0]", "checks[0].grader");
        assertThat(refused(file, Set.of("python")).errors())
                .extracting(FieldError::path)
                .containsExactly("branches[0]");
        assertThat(CampaignReader.read(file.document(), offer(Set.of("python", "javascript"))))
                .isNotNull();
    }

    private static AssayException refused(CampaignFile file, Set<String> languages) {
        return catchThrowableOfType(AssayException.class, () -> CampaignReader.read(file.document(), offer(languages)));
    }

    private static WorkerCapabilities offer(Set<String> languages) {
        ToolPolicy tools =
                new ToolPolicy(List.of(), List.of(), List.of(), null, new CodeAllowance(languages, Set.of(), Set.of()));
        return new WorkerCapabilities(CampaignFile.PROVIDERS, tools, Set.of());
    }

    @Test
    void shouldRefuseCodeWhereThereIsNoDirectoryForIt() {
        WorkerCapabilities offer = new WorkerCapabilities(Map.of(), null, Set.of());
        AssayException evaluation = catchThrowableOfType(
                AssayException.class,
                () -> EvaluationReader.read(
                        CampaignDocument.parse("{prompts: [x], branches: [{kind: python, file: own.py}]}"), offer));
        assertThat(evaluation.errors().toString()).contains("branches[0].file", "submit a campaign");
        AssayException hypotheses = catchThrowableOfType(
                AssayException.class,
                () -> HypothesisReader.read(
                        CampaignDocument.parse(
                                "{challenger: {kind: python, file: own.py}, hypotheses: [{statement: x}],"
                                        + " rubric: {dimensions: [{id: a}]}}"),
                        offer));
        assertThat(hypotheses.errors().toString()).contains("challenger.kind", "no directory of code");
    }

    @Test
    void shouldAskForPermissionWhenAnEvaluationHasOwnCode() {
        AssayException refused = catchThrowableOfType(
                AssayException.class,
                () -> EvaluationReader.read(
                        CampaignDocument.parse("{prompts: [x], branches: [{kind: scripted, script: {answers: [x]}}],"
                                + " checks: [{type: javascript, value: \"true\"}]}"),
                        offer(Set.of("python"))));
        assertThat(refused.code()).isEqualTo(ErrorCode.EVAL_CODE_UNAVAILABLE);
        assertThat(refused.errors()).extracting(FieldError::path).containsExactly("checks[0]");
    }
}
