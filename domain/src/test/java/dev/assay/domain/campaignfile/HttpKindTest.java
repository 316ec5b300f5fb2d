package dev.assay.domain.campaignfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentHttp;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.json.Json;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.domain.tool.ToolPolicy;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpKindTest {

    private static final String FULL =
            "{id: h, kind: http, url: \"https://api.example.com:8443/ask?q={{prompt}}\", method: PUT, headers:"
                    + " {Authorization: \"Bearer ${key}\"}, body: {q: \"{{ prompt }}\", m: \"{{messages}}\", n: [1,"
                    + " \"{{vars.a.b}}\"]}, response: \"$.choices[0].text\", usage: {input: $.in, costUsd: $.cost},"
                    + " maxCostUsd: 0.5, systemPrompt: Be brief}";

    private static CampaignFile file(String branch) {
        return CampaignFile.minimal().with("/branches/0", branch);
    }

    private static AgentHttp system(String branch) {
        var definition =
                CampaignReader.read(file(branch).document(), CampaignFile.OFFER).definition();
        return ((Agent.Http) definition.branches().getFirst().agent()).system();
    }

    @Test
    void shouldReadBackWhatWasWrittenWhenABranchIsASystemUnderTest() {
        var submission = CampaignReader.read(file(FULL).document(), CampaignFile.OFFER);
        Agent agent = submission.definition().branches().getFirst().agent();

        assertThat(agent)
                .isEqualTo(new Agent.Http(new AgentHttp(
                        "PUT",
                        "https://api.example.com:8443/ask?q={{prompt}}",
                        Map.of("Authorization", "Bearer ${key}"),
                        Json.tree("{\"q\": \"{{ prompt }}\", \"m\": \"{{messages}}\", \"n\": [1,"
                                + " \"{{vars.a.b}}\"]}"),
                        new AgentHttp.Answer(
                                "$.choices[0].text",
                                new AgentHttp.UsagePaths(null, Map.of("input", "$.in", "costUsd", "$.cost"))),
                        new BigDecimal("0.5"))));
        assertThat(agent.pool()).isEqualTo("http/api.example.com");
        assertThat(CampaignReader.readStored(submission.document())).isEqualTo(submission.definition());
        assertThat(PublishedSchema.CAMPAIGN.violations(file(FULL).document())).isEmpty();
    }

    @Test
    void shouldNeedNoKindWhenTheBranchHasAUrl() {
        assertThat(system("{id: h, url: \"http://localhost\"}"))
                .isEqualTo(new AgentHttp(
                        "GET",
                        "http://localhost",
                        Map.of(),
                        null,
                        new AgentHttp.Answer(null, AgentHttp.UsagePaths.NONE),
                        null));
        assertThat(system("{id: h, url: \"http://h/\", body: \"{{prompt}}\"}").method())
                .isEqualTo("POST");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"q": "say {{prompt}}", "m": {{messages}}, "n": {{vars.n}}} | {"q":"say {{prompt}}","m":"{{messages}}","n":"{{vars.n}}"}
        [{{prompt}}, "a\\"{{prompt}}"]                              | ["{{prompt}}","a\\"{{prompt}}"]
        {{prompt}}                                                  | "{{prompt}}"
        q={{prompt}}                                                | "q={{prompt}}"
        """)
    void shouldReadATextAsJsonWhenItBeginsAsSuch(String body, String read) {
        assertThat(system("{id: h, url: \"http://h/\", body: " + Json.write(body) + "}")
                        .body())
                .isEqualTo(Json.tree(read));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {id: h, kind: http}                                                   | branches[0].url
        {id: h, url: "ftp://h/"}                                              | branches[0].url
        {id: h, url: "http://{{vars.host}}/"}                                 | branches[0].url
        {id: h, url: "http://h/{city}"}                                       | branches[0].url
        {id: h, url: "http://h/{{ prompt.upper }}"}                          | branches[0].url
        {id: h, url: "http://user@h/"}                                        | branches[0].url
        {id: h, url: "http://h/", method: TRACE}                              | branches[0].method
        {id: h, url: "http://h/", method: GET, body: x}                       | branches[0].body
        {id: h, url: "http://h/", body: 1}                                    | branches[0].body
        {id: h, url: "http://h/", body: "{nothing"}                           | branches[0].body
        {id: h, url: "http://h/", body: {a: "{{other}}"}}                     | branches[0].body
        {id: h, url: "http://h/", headers: {Authorization: Bearer abc}}       | branches[0].headers
        {id: h, url: "http://h/", headers: {X-Q: "{{prompt}}"}}               | branches[0].headers
        {id: h, url: "http://h/", response: choices}                          | branches[0].response
        {id: h, url: "http://h/", response: "$[?(@.a =~ /x/)]"}               | branches[0].response
        {id: h, url: "http://h/", usage: 3}                                   | branches[0].usage
        {id: h, url: "http://h/", usage: {tokens: $.a}}                       | branches[0].usage.tokens
        {id: h, url: "http://h/", provider: openai}                           | branches[0].provider
        {id: h, url: "http://h/", env: [A]}                                   | branches[0].env
        {id: h, url: "http://h/", tools: []}                                  | branches[0].tools
        {id: h, kind: scripted, script: {answers: [a]}, body: x}              | branches[0].body
        {id: h, kind: scripted, script: {answers: [a]}, maxCostUsd: 1}        | branches[0].maxCostUsd
        {id: h, command: [cat], url: "http://h/"}                             | branches[0].url
        """)
    void shouldNameTheFieldWhenABranchIsWrong(String branch, String path) {
        assertThat(file(branch).errors())
                .isNotEmpty()
                .allMatch(error -> error.toString().contains(path));
    }

    @Test
    void shouldAskForTheMostThatARequestCostsWhenThereIsABudget() {
        assertThat(file("{id: h, url: \"http://h/\"}")
                        .with("/limits", "{budgetUsd: 1}")
                        .errors())
                .singleElement()
                .asString()
                .contains("branches[0].maxCostUsd", "budgetUsd");
    }

    @Test
    void shouldRefuseBeforeAnythingRunsWhenNoWorkerMayAskTheAddress() {
        WorkerCapabilities offer = new WorkerCapabilities(
                CampaignFile.PROVIDERS,
                new ToolPolicy(
                        List.of(new ToolPolicy.Address("http://h/v1", Map.of("key", "KEY"))), List.of(), List.of()),
                Set.of());

        assertThat(errors("{id: h, url: \"http://h/v1/{{prompt}}\", headers: {X-Key: \"${key}\"}}", offer))
                .isEmpty();
        assertThat(errors("{id: h, url: \"http://h/v2\"}", offer))
                .contains("branches[0].url")
                .contains("`addresses`");
        assertThat(errors("{id: h, url: \"http://h:81/v1\"}", offer)).contains("branches[0].url");
        assertThat(errors("{id: h, url: \"http://h/v1\", headers: {X-Key: \"${other}\"}}", offer))
                .contains("branches[0].headers", "`other`");
    }

    private static String errors(String branch, WorkerCapabilities offer) {
        try {
            CampaignReader.read(file(branch).document(), offer);
            return "";
        } catch (AssayException e) {
            return e.errors().toString();
        }
    }
}
