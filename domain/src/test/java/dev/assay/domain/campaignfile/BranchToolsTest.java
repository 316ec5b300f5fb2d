package dev.assay.domain.campaignfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.InputFilter;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.tool.Tool;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.tool.ToolPolicyReader;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BranchToolsTest {

    private static final CampaignFile FULL = CampaignFile.minimal().with("/branches/0", """
        {id: a, kind: scripted, maxContextTokens: 9000, toolExecution: sequential,
         script: {answers: [plain, [{text: Hm., toolCalls: [{name: calculator, arguments: {expression: 1+1}}]},
           {toolCalls: [{name: add}]}, "It is {result}."]]},
         tools: [
           {type: calculator, timeoutSeconds: 1.5},
           {type: http, name: add, description: Adds., method: POST, url: "https://a.example/v1/{x}",
            headers: {X-Api-Key: "${key}", Accept: text/plain}, body: '{"x": {x}}',
            parameters: {type: object, properties: {x: {type: integer}}}, idempotent: true},
           {type: mcp, name: remote, url: "https://a.example/v1/mcp", only: [echo]},
           {type: mcp, name: local, transport: stdio, command: [npx, server]}],
         inputFilters: [{type: max-length, max: 5}, {type: regex, value: "a+", action: warn, message: Hm.},
           {type: icontains, value: STRASSE}]}\
        """);

    private static final ToolPolicy POLICY = ToolPolicyReader.read(CampaignDocument.parse("""
        addresses: [{url: "https://a.example/v1", variables: {key: A_KEY}}]
        commands: [[npx, server]]
        """));

    @Test
    void shouldReadWhatItWroteWhenABranchHasEverything() {
        CampaignSubmission submission = FULL.read();

        assertThat(CampaignReader.readStored(submission.document())).isEqualTo(submission.definition());
        assertThat(PublishedSchema.CAMPAIGN.violations(FULL.document())).isEmpty();
        Branch branch = submission.definition().branches().getFirst();
        assertThat(branch.tools().sequential()).isTrue();
        assertThat(branch.tools().declared()).extracting("name").containsExactly("calculator", "add");
        assertThat(branch.agent()).isInstanceOfSatisfying(Agent.Scripted.class, scripted -> {
            assertThat(scripted.script().answers()).containsExactly("plain", "It is {result}.");
            assertThat(scripted.script().toolTurns().get(1)).hasSize(2);
        });
    }

    @Test
    void shouldAllowWhatTheServerAllowsAndNameEverythingElse() {
        assertThat(CampaignReader.read(FULL.document(), CampaignFile.PROVIDERS, POLICY))
                .isNotNull();

        AssayException refused = catchThrowableOfType(
                AssayException.class,
                () -> CampaignReader.read(FULL.document(), CampaignFile.PROVIDERS, ToolPolicy.NONE));

        assertThat(refused.errors())
                .extracting("path")
                .containsExactly(
                        "branches[0].tools[1].url", "branches[0].tools[2].url", "branches[0].tools[3].command");
    }

    @Test
    void shouldOfferTheToolsOfTheCampaignToEveryBranchUnlessOneRefusesThem() {
        CampaignFile file = CampaignFile.minimal()
                .with(
                        "/tools",
                        "[{type: calculator}, {type: http, name: add, description: A., url: \"https://a.example/\"}]")
                .with("/branches", """
                    [{id: plain, kind: scripted, script: {answers: [a]}},
                     {id: more, kind: scripted, script: {answers: [a]}, tools: [{type: json_path}]},
                     {id: none, kind: scripted, script: {answers: [a]}, tools: []}]\
                    """);

        CampaignSubmission submission = file.read();

        assertThat(submission.definition().branches())
                .extracting(branch ->
                        branch.tools().tools().stream().map(Tool::name).toList())
                .containsExactly(List.of("calculator", "add"), List.of("calculator", "add", "json_path"), List.of());
        assertThat(CampaignReader.readStored(submission.document())).isEqualTo(submission.definition());
        assertThat(catchThrowableOfType(
                                AssayException.class,
                                () -> CampaignReader.read(file.document(), CampaignFile.PROVIDERS, ToolPolicy.NONE))
                        .errors())
                .extracting("path")
                .containsExactly("tools[1].url");
    }

    @Test
    void shouldNameAVariableThatTheServerDoesNotHave() {
        CampaignFile file = FULL.with("/branches/0/tools/1/headers/X-Api-Key", "\"${other}\"");

        AssayException refused = catchThrowableOfType(
                AssayException.class, () -> CampaignReader.read(file.document(), CampaignFile.PROVIDERS, POLICY));

        assertThat(refused.errors()).extracting("path").containsExactly("branches[0].tools[1].headers");
    }

    @Test
    void shouldNameTheHeaderWhenItsValueIsTooLong() {
        assertThat(FULL.with("/branches/0/tools/1/headers/Accept", "\"" + "x".repeat(8_192) + "\"")
                        .read())
                .isNotNull();
        CampaignFile file = FULL.with("/branches/0/tools/1/headers/Accept", "\"" + "x".repeat(8_193) + "\"");

        AssayException refused = catchThrowableOfType(AssayException.class, file::read);

        assertThat(refused.errors()).singleElement().satisfies(error -> {
            assertThat(error.path()).isEqualTo("branches[0].tools[1].headers.Accept");
            assertThat(error.message()).contains("must have at most 8192 characters");
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/tools/0/type | shell | branches[0].tools[0].type",
                "/tools/0/url | https://a/b | branches[0].tools[0].url",
                "/tools/1/name | two words | branches[0].tools[1].name",
                "/tools/1/url | file:///etc/passwd | branches[0].tools[1].url",
                "/tools/1/url | https://a.example/{y} | branches[0].tools[1].url",
                "/tools/1/parameters | {type: object, properties: {x: {}, unused: {}}} |"
                        + " branches[0].tools[1].parameters",
                "/tools/1/method | TRACE | branches[0].tools[1].method",
                "/tools/1/parameters | {type: string} | branches[0].tools[1].parameters",
                "/tools/1/headers | {Authorization: Bearer abc} | branches[0].tools[1].headers.Authorization",
                "/tools/1/headers | {Host: other} | branches[0].tools[1].headers.Host",
                "/tools/1/timeoutSeconds | 0 | branches[0].tools[1].timeoutSeconds",
                "/tools/2/command | [a] | branches[0].tools[2].command",
                "/tools/3/command | [] | branches[0].tools[3].command",
                "/tools/2/name | add | branches[0].tools[2].name",
                "/toolExecution | random | branches[0].toolExecution",
                "/maxContextTokens | 0 | branches[0].maxContextTokens",
                "/inputFilters/0/max | 0 | branches[0].inputFilters[0].max",
                "/inputFilters/0/value | a | branches[0].inputFilters[0].value",
                "/inputFilters/1/value | '(' | branches[0].inputFilters[1].value",
                "/inputFilters/1/action | drop | branches[0].inputFilters[1].action",
                "/script/answers/1 | [] | branches[0].script.answers[1]",
                "/script/answers/1 | [a, {toolCalls: [{name: b}]}] | branches[0].script.answers[1]",
                "/script/answers/1 | [{toolCalls: []}, a] | branches[0].script.answers[1][0].toolCalls",
            })
    void shouldNameTheFieldWhenAValueIsWrong(String pointer, String yaml, String path) {
        List<String> errors = FULL.with("/branches/0" + pointer, yaml).errors();

        assertThat(errors).anyMatch(error -> error.startsWith(path + ": "));
    }

    @Test
    void shouldFindInputsWhenAFilterIsAsked() {
        List<InputFilter> filters =
                FULL.read().definition().branches().getFirst().inputFilters();

        assertThat(filters.get(0).finds("12345")).isNull();
        assertThat(filters.get(0).finds("123456")).isEqualTo("The input has 6 characters; 5 are allowed.");
        assertThat(filters.get(1).finds("xxa")).isEqualTo("Hm.");
        assertThat(filters.get(2).finds("die Straße")).isEqualTo("The input contains \"STRASSE\".");
        assertThat(new InputFilter(new InputFilter.Rule.Regex("(.*a){25}b"), true, null).finds("a".repeat(64)))
                .as("a pattern that takes too long counts as found")
                .isNotNull();
    }
}
