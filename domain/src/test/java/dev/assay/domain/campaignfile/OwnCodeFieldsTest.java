package dev.assay.domain.campaignfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.campaign.CodeFiles;
import dev.assay.domain.campaignfile.agent.AgentReader;
import dev.assay.domain.check.code.CodeLanguage;
import dev.assay.domain.check.code.Script;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.json.Json;
import dev.assay.domain.tool.CodeAllowance;
import dev.assay.domain.tool.ToolPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fields of own code, and who may run it. */
class OwnCodeFieldsTest {

    private static final String HASH = "ab".repeat(32);

    private static final String CHECKS = """
        checks: [{type: python, value: "True"}]
        cases:
          - {id: one, prompt: a, checks: [{type: icontains, value: python}, {type: javascript, value: "1"}]}
          - id: two
            prompt: b
            checks: [{type: group, checks: [{type: equals, value: b}, {type: program, command: [judge, -x]}]}]
        """;

    private static CampaignSubmission read(String yaml, @Nullable ToolPolicy policy) {
        return CampaignReader.read(
                CampaignDocument.parse(
                        "name: code\nbranches: [{id: a, kind: scripted, script: {answers: [x]}}]\n" + yaml),
                Map.of(),
                policy);
    }

    private static ToolPolicy allowing(Set<String> languages, Set<String> env, Set<String> programs) {
        return new ToolPolicy(List.of(), List.of(), List.of(), null, new CodeAllowance(languages, env, programs));
    }

    private static AssayException refused(String yaml, @Nullable ToolPolicy policy) {
        return catchThrowableOfType(AssayException.class, () -> read(yaml, policy));
    }

    private static Set<String> paths(AssayException refused) {
        return refused.errors().stream().map(FieldError::path).collect(Collectors.toSet());
    }

    @Test
    void shouldNameEachCheckWhoseCodeNoWorkerMayRun() {
        AssayException refused = refused(CHECKS, ToolPolicy.NONE);
        assertThat(refused.code()).isEqualTo(ErrorCode.EVAL_CODE_UNAVAILABLE);
        assertThat(refused.code().httpStatus()).isEqualTo(422);
        assertThat(paths(refused))
                .containsExactlyInAnyOrder("checks[0]", "cases[0].checks[1]", "cases[1].checks[0].checks[1]");
        assertThat(refused).hasMessageStartingWith("EVAL_CODE_UNAVAILABLE: Own code ");

        assertThat(paths(refused(CHECKS, allowing(Set.of("python"), Set.of(), Set.of("judge")))))
                .containsExactly("cases[0].checks[1]");
    }

    @Test
    void shouldAcceptCodeThatAWorkerMayRun() {
        CampaignSubmission submission =
                read(CHECKS, allowing(Set.of("python", "javascript"), Set.of(), Set.of("judge")));
        assertThat(submission.codeNeeds())
                .isEqualTo(new CodeAllowance(Set.of("python", "javascript"), Set.of(), Set.of("judge")));
        ToolPolicy byAgents = new ToolPolicy(
                List.of(),
                List.of(),
                List.of(new ToolPolicy.AllowedAgent("judge", Set.of(), Set.of())),
                null,
                new CodeAllowance(Set.of("python", "javascript"), Set.of(), Set.of()));
        assertThat(read(CHECKS, byAgents)).isNotNull();
        assertThat(read(CHECKS, null)).as("only workers decide").isNotNull();
        assertThat(read("cases: [{id: one, prompt: a}]\ncodeEnv: [X]", ToolPolicy.NONE)
                        .codeNeeds())
                .as("no code needs nothing")
                .isEqualTo(CodeAllowance.NONE);
    }

    @Test
    void shouldRefuseVariablesThatCodeMayNotSee() {
        String yaml = CHECKS + "codeEnv: [GOLDEN, KEY]\n";
        AssayException refused =
                refused(yaml, allowing(Set.of("python", "javascript"), Set.of("GOLDEN"), Set.of("judge")));
        assertThat(refused).hasMessageContaining("variables KEY;");
        assertThat(read(yaml, allowing(Set.of("python", "javascript"), Set.of("GOLDEN", "KEY"), Set.of("judge")))
                        .definition()
                        .code())
                .isEqualTo(new CodeFiles(null, List.of("GOLDEN", "KEY")));
    }

    @Test
    void shouldKeepFilesAndVariablesWhenStored() {
        CampaignSubmission submission = read("""
            code: sha256:%s
            codeEnv: [GOLDEN]
            cases: [{id: one, prompt: a, checks: [{type: python, file: a/b.py, function: Judge.score}]}]
            """.formatted(HASH), null);
        assertThat(CampaignReader.readStored(submission.document()).code())
                .isEqualTo(new CodeFiles(HASH, List.of("GOLDEN")));
        assertThat(submission.definition().workspaceIds()).containsExactly(HASH);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        3                                       | transform
        {}                                      | transform
        {python: {file: a.py}, javascript: a}   | transform
        {python: output}                        | transform.python
        {python: {}}                            | transform.python.file
        {python: {file: a.js}}                  | transform.python.file
        {python: {file: ../a.py}}               | transform.python.file
        {javascript: ''}                        | transform.javascript
        {javascript: null}                      | transform.javascript
        {javascript: [a]}                       | transform.javascript
        {javascript: {file: a.py}}              | transform.javascript.file
        {javascript: {file: a.js, function: 1}} | transform.javascript.function
        {javascript: {file: a.js, config: 1}}   | transform.javascript.config
        """)
    void shouldRefuseWrongTransforms(String transform, String path) {
        String yaml = """
            code: sha256:%s
            transform: %s
            cases: [{id: one, prompt: a, transform: %2$s, checks: [{type: equals, value: a, transform: %2$s}]}]
            branches: [{id: a, kind: scripted, script: {answers: [x]}, transform: %2$s}]
            name: wrong
            """.formatted(HASH, transform);
        AssayException refused = catchThrowableOfType(
                AssayException.class, () -> CampaignReader.read(CampaignDocument.parse(yaml), Map.of()));
        assertThat(paths(refused))
                .containsExactlyInAnyOrder(
                        path, "cases[0]." + path, "cases[0].checks[0]." + path, "branches[0]." + path);
    }

    @Test
    void shouldKeepTransformsWhenStoredAndTakeTheInnermostOfCases() {
        Script file = new Script(CodeLanguage.PYTHON, null, "a/b.py", "Own.made");
        Script inline = new Script(CodeLanguage.JAVASCRIPT, "output + 1", null, null);
        CampaignSubmission submission = CampaignReader.read(CampaignDocument.parse("""
            name: kept
            code: sha256:%s
            transform: {javascript: never}
            suite:
              transform: {javascript: output + 1}
              cases:
                - {id: one, prompt: a}
                - {id: two, prompt: a, transform: {python: {file: a/b.py, function: Own.made}}}
            branches:
              - {id: a, kind: scripted, script: {answers: [x]}, transform: {python: {file: a/b.py, function: Own.made}}}
              - {id: b, kind: scripted, script: {answers: [x]}}
            """.formatted(HASH)), Map.of());

        assertThat(submission.suite().cases())
                .extracting(one -> one.checks().transform())
                .containsExactly(inline, file);
        assertThat(CampaignReader.readStored(submission.document()).branches())
                .extracting(branch -> branch.wording().transform())
                .containsExactly(file, null);
        assertThat(submission.codeNeeds().languages()).containsExactlyInAnyOrder("python", "javascript");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {}                                                       | template
        {javascript: output}                                     | template.javascript
        {python: {file: a.py}}                                   | template.python.function
        {python: {file: a.py, function: f, asProgram: true}}     | template.python.asProgram
        {javascript: {file: a.js, asProgram: true}}              | template.javascript.asProgram
        {javascript: {file: ../a.js}}                            | template.javascript.file
        {javascript: {file: a.js, config: [.nan]}}               | template.javascript.config
        """)
    void shouldRefuseWrongCodeOfPrompts(String template, String path) {
        AssayException refused = catchThrowableOfType(
                AssayException.class,
                () -> CampaignReader.read(CampaignDocument.parse("""
                    name: wrong
                    code: sha256:%s
                    cases: [{id: one, prompt: a}]
                    branches: [{id: a, kind: scripted, script: {answers: [x]}, template: %s}]
                    """.formatted(HASH, template)), Map.of()));
        assertThat(paths(refused)).contains("branches[0]." + path);
    }

    @Test
    void shouldAskWithTheParametersThatAPromptNames() {
        Agent model = new Agent.Model(new ModelChoice(
                "openai", "m", Thinking.OFF, Map.of("temperature", Json.tree("1"), "seed", Json.tree("3"))));
        Agent merged = AgentReader.withParameters(model, Json.tree("{\"temperature\": 0, \"max_tokens\": 5}"));
        assertThat(merged.modelAsked().orElseThrow().parameters().toString())
                .isEqualTo("{maxOutputTokens=5, seed=3, temperature=0}");
        assertThatThrownBy(() -> AgentReader.withParameters(model, Json.tree("{\"temperature\": 9}")))
                .isInstanceOf(AssayException.class)
                .hasMessageContaining("temperature");
        assertThatThrownBy(() -> AgentReader.withParameters(model, Json.tree("{\"tools\": []}")))
                .isInstanceOf(AssayException.class)
                .hasMessageContaining("tools");
        Agent written = new Agent.Scripted(new Agent.Script(List.of("x"), Duration.ZERO, List.of(), null));
        assertThat(AgentReader.withParameters(written, Json.tree("{\"temperature\": 0}")))
                .isSameAs(written);
    }

    @Test
    void shouldKeepCodeOfPromptsWhenStored() {
        CampaignSubmission submission = CampaignReader.read(CampaignDocument.parse("""
            name: prompts
            code: sha256:%s
            cases: [{id: one, vars: {t: a}}]
            branches:
              - {id: a, kind: scripted, script: {answers: [x]}, template: {python: {file: a.py, function: f, config: {x: 1}}}}
              - {id: b, kind: scripted, script: {answers: [x]}, template: {python: {file: a.py, asProgram: true}}}
              - {id: c, kind: scripted, script: {answers: [x]}, template: {javascript: {file: a.js}}}
            """.formatted(HASH)), Map.of());
        assertThat(CampaignReader.readStored(submission.document()).branches())
                .isEqualTo(submission.definition().branches());
        assertThat(submission.codeNeeds().languages()).containsExactlyInAnyOrder("python", "javascript");
    }

    @Test
    void shouldRefuseFilesOfTransformsWithoutADirectoryOfCode() {
        assertThat(paths(refused("cases: [{id: one, prompt: a, transform: {python: {file: a.py}}}]", null)))
                .containsExactly("cases[0].transform.python.file");
        assertThat(paths(refused(
                        "cases: [{id: one, prompt: a, checks: [{type: group, checks: [], transform: {javascript:"
                                + " a}}]}]",
                        null)))
                .contains("cases[0].checks[0].transform");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {type: python}                                         | cases[0].checks[0].value
        {type: python, value: a, file: a.py}                   | cases[0].checks[0].value
        {type: python, value: 3}                               | cases[0].checks[0].value
        {type: javascript, value: ''}                          | cases[0].checks[0].value
        {type: python, file: a.js}                             | cases[0].checks[0].file
        {type: javascript, file: a.py}                         | cases[0].checks[0].file
        {type: javascript, file: ../a.js}                      | cases[0].checks[0].file
        {type: javascript, file: /a.js}                        | cases[0].checks[0].file
        {type: python, file: "a\\0.py"}                        | cases[0].checks[0].file
        {type: python, value: a, function: f}                  | cases[0].checks[0].function
        {type: python, file: a.py, function: a b}              | cases[0].checks[0].function
        {type: javascript, file: a.js, function: A.b}          | cases[0].checks[0].function
        {type: python, value: a, timeoutSeconds: 0}            | cases[0].checks[0].timeoutSeconds
        {type: python, value: a, timeoutSeconds: 601}          | cases[0].checks[0].timeoutSeconds
        {type: python, value: a, threshold: .nan}              | cases[0].checks[0].threshold
        {type: python, value: a, config: [.nan]}               | cases[0].checks[0].config
        {type: python, value: a, keepAlive: true}              | cases[0].checks[0].keepAlive
        {type: program}                                        | cases[0].checks[0].command
        {type: program, command: []}                           | cases[0].checks[0].command
        {type: program, command: judge}                        | cases[0].checks[0].command
        {type: program, command: [1]}                          | cases[0].checks[0].command[0]
        {type: program, command: [judge], value: a}            | cases[0].checks[0].value
        """)
    void shouldNameTheFieldThatIsWrong(String check, String path) {
        AssayException refused =
                refused("code: sha256:" + HASH + "\ncases: [{id: one, prompt: a, checks: [" + check + "]}]", null);
        assertThat(refused).as(check).isNotNull();
        assertThat(paths(refused)).as(check).isNotEmpty().allMatch(found -> found.startsWith(path));
    }

    @Test
    void shouldRefuseFilesWithoutADirectoryAndDirectoriesThatNobodyPacked() {
        String file = "cases: [{id: one, prompt: a, checks: [{type: python, file: a.py}]}]\n";
        assertThat(paths(refused(file, null))).containsExactly("cases[0].checks[0].file");
        assertThat(paths(refused(file + "code: checks", null))).containsExactly("code");
        assertThat(paths(refused(file + "code: sha256:" + HASH + "\ncodeInclude: [a]", null)))
                .containsExactly("codeInclude");
        assertThat(paths(refused(file + "code: sha256:" + HASH + "\ncodeEnv: [A=b]", null)))
                .containsExactly("codeEnv");
    }
}
