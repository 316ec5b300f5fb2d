package dev.assay.domain.promptfoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.check.Check;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.gate.LostParts;
import dev.assay.domain.imports.CodePlaces;
import dev.assay.domain.imports.ImportDefaults;
import dev.assay.domain.imports.Imported;
import dev.assay.domain.imports.SourcePrograms;
import dev.assay.domain.json.Json;
import dev.assay.domain.suite.Case;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PromptfooConfigTest {

    private static Imported imported(String yaml, Map<String, String> files) {
        return PromptfooConfig.read(
                DocumentText.parse(yaml), "import", new MapFiles(files), SourcePrograms.NONE, ImportDefaults.NONE);
    }

    private static CampaignSubmission read(String yaml, Map<String, String> files) {
        return PromptfooVectorsTest.read(imported(yaml, files));
    }

    private static CampaignSubmission read(String yaml) {
        return read(yaml, Map.of());
    }

    private static List<String> sent(CampaignSubmission read) {
        List<String> sent = new ArrayList<>();
        for (Case one : read.suite().cases()) {
            for (Branch branch : read.definition().branches()) {
                sent.add(branch.ask(one).suiteCase().prompts().getLast().text());
            }
        }
        return sent;
    }

    @Test
    void shouldReadPromptsFromFilesOfEachKind() {
        CampaignSubmission read = read(
                "{prompts: [file://a.txt, file://chat.json, file://chat.yaml, lines.jsonl, p*], providers: [echo],"
                        + " tests: [{vars: {q: 1}}]}",
                Map.of(
                        "a.txt", "A {{q}}\n---\n\nB {{q}}\n---\n",
                        "chat.json",
                                "[{\"role\": \"system\", \"content\": \"S\"}, {\"role\": \"user\", \"content\": \"C"
                                        + " {{q}}\"}]",
                        "chat.yaml", "- role: user\n  content: D {{q}}\n",
                        "lines.jsonl", "\"E\"\n{\"x\":[]}\n"));

        assertThat(sent(read)).containsExactly("A 1", "B 1", "C 1", "D 1", "\"E\"", "{\n  \"x\": []\n}", "p*");
        assertThat(read.definition()
                        .branches()
                        .get(2)
                        .ask(read.suite().cases().getFirst())
                        .branch()
                        .systemPrompt())
                .isEqualTo("S");
    }

    @Test
    void shouldAskProvidersOnlyTheirPrompts() {
        CampaignSubmission read = read(
                """
                prompts: [{label: one, raw: 1}, {label: two, raw: 2}, {id: x:3, label: three, raw: 3}]
                providers:
                  - {id: echo, label: a, prompts: [two, 'x']}
                  - openai:chat:gpt-5-mini
                  - anthropic:messages:claude-opus-4-6
                  - id: openai:gpt-4o
                    config: {temperature: 0, max_tokens: 10, reasoning_effort: low}
                    prompts: [one]
                """.replace("raw: 1", "raw: '1'").replace("raw: 2", "raw: '2'").replace("raw: 3", "raw: '3'"));

        assertThat(read.definition().branches().stream().map(Branch::id))
                .containsExactly(
                        "a two",
                        "a three",
                        "openai:chat:gpt-5-mini one",
                        "openai:chat:gpt-5-mini two",
                        "openai:chat:gpt-5-mini three",
                        "anthropic:messages:claude-opus-4-6 one",
                        "anthropic:messages:claude-opus-4-6 two",
                        "anthropic:messages:claude-opus-4-6 three",
                        "openai:gpt-4o one");
        assertThat(read.definition().branches().get(5).agent().name().toString())
                .contains("anthropic", "claude-opus-4-6");
        JsonNode last = read.document().path("branches").get(8);
        assertThat(last.path("parameters").toString()).isEqualTo("{\"maxOutputTokens\":10,\"temperature\":0}");
        assertThat(last.path("thinking").textValue()).isEqualTo("low");
    }

    @Test
    void shouldAskForTheFormOfTheAnswerThatTheProviderWasToGive() {
        CampaignSubmission read = read("""
            prompts: [p]
            providers:
              - {id: openai:gpt-4o, label: any, config: {response_format: {type: json_object}}}
              - {id: openai:gpt-4o, label: text, config: {response_format: {type: text}}}
              - id: openai:gpt-4o
                label: chat
                config: {response_format: {type: json_schema, json_schema: {name: n, strict: true, schema: {type: object}}}}
              - id: openai:responses:gpt-5
                label: responses
                config: {response_format: {type: json_schema, name: n, schema: {type: object}}}
            """);

        assertThat(read.document().path("branches"))
                .extracting(branch -> branch.at("/parameters/responseFormat").toString())
                .containsExactly(
                        "\"json\"",
                        "",
                        "{\"name\":\"n\",\"schema\":{\"type\":\"object\"},\"strict\":true}",
                        "{\"name\":\"n\",\"schema\":{\"type\":\"object\"},\"strict\":false}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file://schema.json",
                "{type: json_schema}",
                "{type: json_schema, json_schema: {name: n, schema: file://s.json}}",
                "[json_object]",
                "null"
            })
    void shouldNameAFormOfTheAnswerThatHasNoCounterpart(String format) {
        Imported imported = imported(
                "{prompts: [p], providers: [{id: 'openai:gpt-4o', config: {response_format: %s}}]}".formatted(format),
                Map.of());

        assertThat(imported.report().unmapped().stream().map(FieldError::path))
                .containsExactly("providers[0].config.response_format");
    }

    @Test
    void shouldRunProgramsWithThePromptAsTheirLastArgument() {
        Imported imported = imported(
                "{prompts: ['{{q}}'], providers: [\"exec: python run.py --name 'a b'\"], tests: [{vars: {q: 1}}]}",
                Map.of());

        JsonNode branch = imported.document().path("branches").get(0);
        assertThat(branch.path("command").toString())
                .isEqualTo("[\"python\",\"run.py\",\"--name\",\"a b\",\"{{prompt}}\"]");
    }

    @Test
    void shouldAskAddressesWhereTheConfigurationHasNoCode() {
        JsonNode branches = imported("""
            prompts: ['{{q}}']
            tests: [{vars: {q: 1}}]
            providers:
              - id: https
                config:
                  url: https://api.example.com/v1/{{path | urlencode}}
                  method: post
                  queryParams: {k: 'a b', p: '{{prompt}}'}
                  headers: {Content-Type: application/json, Authorization: 'Bearer {{env.API_KEY}}'}
                  body: {q: '{{prompt}}', deep: [{t: '{{topic}}', n: 1}]}
                  transformResponse: json.choices[0]?.message['content']
              - id: http://localhost:8080/ask
                config: {method: POST, body: '{"q": {{prompt | dump}}, "t": "{{a.b}}"}', responseParser: text, maxRetries: 2}
              - id: https://api.example.com/get
                config: {body: x}
            """, Map.of()).document().path("branches");

        JsonNode first = branches.get(0);
        assertThat(first.path("url").textValue())
                .isEqualTo("https://api.example.com/v1/{{vars.path}}?k=a%20b&p={{prompt}}");
        assertThat(first.path("method").textValue()).isEqualTo("POST");
        assertThat(first.at("/headers/Authorization").textValue()).isEqualTo("Bearer ${API_KEY}");
        assertThat(first.path("body").toString())
                .isEqualTo("{\"q\":\"{{prompt}}\",\"deep\":[{\"t\":\"{{vars.topic}}\",\"n\":1}]}");
        assertThat(first.path("response").textValue()).isEqualTo("$.choices[0].message['content']");
        assertThat(branches.get(1).path("body").textValue()).isEqualTo("{\"q\": {{prompt}}, \"t\": \"{{vars.a.b}}\"}");
        assertThat(branches.get(1).has("response")).isFalse();
        assertThat(branches.get(2).path("method").textValue()).isEqualTo("GET");
        assertThat(branches.get(2).has("body")).isFalse();
        assertThat(imported(
                                "{prompts: [p], providers: [{id: 'https://h/', config: {transformResponse: '(json,"
                                        + " text, context) => context', transformRequest: x, body: '{{ a | reverse }}',"
                                        + " method: POST, headers: {X: '{{q}}'}}}]}",
                                Map.of())
                        .report()
                        .unmapped()
                        .stream()
                        .map(FieldError::path))
                .containsExactlyInAnyOrder(
                        "providers[0].config.transformResponse",
                        "providers[0].config.transformRequest",
                        "providers[0].config.body",
                        "providers[0].config.headers.X");
    }

    @Test
    void shouldTransformResponsesOfAddressesWhereCodeReadsThem() {
        JsonNode branches = imported("""
            providers:
              - {id: 'https://h/', config: {transformResponse: 'json.a.trim()', useHttps: false}}
              - {id: 'https://h/', config: {transformResponse: '(json, text) => text'}}
              - {id: 'https://h/', transform: output, config: {transformResponse: json.a}}
            tests: [{vars: {prompt: p}}]
            """, Map.of()).document().path("branches");

        assertThat(branches.get(0).at("/transform/javascript").textValue())
                .contains("const result = (json.a.trim()\n);");
        assertThat(branches.get(1).at("/transform/javascript").textValue())
                .contains("const result = ((json, text) => text\n)(json, text);");
        assertThat(branches.get(2).path("response").textValue()).isEqualTo("$.a");
        assertThat(branches.get(2).at("/transform/javascript").textValue()).isEqualTo("output");
        assertThat(unmappedPaths(
                        "{providers: [{id: 'https://h/', transform: output, config: {transformResponse: json.a()}}],"
                                + " prompts: p}"))
                .containsExactly("providers[0].transform");
    }

    @Test
    void shouldSendTheVarPromptWhenNoPromptIsWritten() {
        CampaignSubmission read = read("{providers: echo, tests: [{vars: {prompt: hello}}]}");

        assertThat(sent(read)).containsExactly("hello");
        assertThat(PromptfooConfig.is(DocumentText.parse("{prompts: [p], tests: []}")))
                .isTrue();
        assertThat(PromptfooConfig.is(DocumentText.parse("{targets: [echo], redteam: {}}")))
                .isTrue();
        assertThat(PromptfooConfig.is(DocumentText.parse("{name: c, tests: []}")))
                .isFalse();
        assertErrors("{prompts: [p], tests: []}", "providers");
        assertErrors("{prompts: [], providers: echo, tests: []}", "prompts");
    }

    @Test
    void shouldReadProvidersFromFiles() {
        Map<String, String> files = Map.of(
                "one.yaml", "{id: 'openai:m', label: one, config: {max_tokens: 5}}",
                "two.json", "[{\"id\": \"echo\"}, {\"id\": \"openai:n\"}]",
                "map.yaml", "{'openai:m': {config: {}}}",
                "bad.yaml", "[{id: 'openai:m', config: {tools: []}}]");
        JsonNode branches = imported("{prompts: [p], providers: [file://one.yaml, echo, file://two.json]}", files)
                .document()
                .path("branches");

        assertThat(branches.findValuesAsText("id")).containsExactly("one", "echo", "echo-2", "openai:n");
        assertThat(branches.get(0).at("/parameters/maxOutputTokens").intValue()).isEqualTo(5);
        assertThat(imported("{prompts: [p], providers: file://bad.yaml}", files)
                        .report()
                        .unmapped())
                .extracting(FieldError::path)
                .containsExactly("bad.yaml[0].config.tools");
        assertThatThrownBy(() -> imported("{prompts: [p], providers: [file://map.yaml, file://none.yml]}", files)
                        .report()
                        .throwIfAny("x", false))
                .isInstanceOfSatisfying(
                        AssayException.class,
                        e -> assertThat(e.errors())
                                .extracting(FieldError::path)
                                .containsExactly("map.yaml", "providers[1]"));
    }

    @Test
    void shouldAskTheProviderThatAFieldNamesWhenItsIdIsOnlyAName() {
        JsonNode branches = imported(
                        "{prompts: [p], providers: [{'openai:m': {id: cold, config: {temperature: 0}}}, {'openai:m':"
                                + " {}}]}",
                        Map.of())
                .document()
                .path("branches");

        assertThat(branches.get(0).path("id").textValue()).isEqualTo("cold");
        assertThat(branches.get(0).path("model").textValue()).isEqualTo("m");
        assertThat(branches.get(1).path("id").textValue()).isEqualTo("openai:m");
    }

    @Test
    void shouldReadTheSettingsOfEachProvider() {
        JsonNode branches = imported("""
            providers:
              - {id: 'ollama:a', config: {num_predict: 5}}
              - {id: 'huggingface:text-generation:b', config: {max_new_tokens: 6, region: r}}
              - {id: 'bedrock:c', config: {inferenceConfig: {max_new_tokens: 7, topP: 0.5}, textGenerationConfig: {stopSequences: [x]}}}
              - {id: 'google:d', config: {generationConfig: {responseMimeType: application/json, maxOutputTokens: 8}}}
              - {id: 'openai:e', config: {stop: [], response_format: {type: json_object}}}
            prompts: [{raw: p, config: {response_format: {type: json_schema, json_schema: {name: n, schema: {type: object}}}}}]
            defaultTest: {options: {num_predict: 9}}
            """, Map.of()).document().path("branches");

        assertThat(branches.get(0).at("/parameters/maxOutputTokens").intValue()).isEqualTo(9);
        assertThat(branches.get(2).at("/parameters/topP").decimalValue()).isEqualByComparingTo("0.5");
        assertThat(branches.get(4).at("/parameters").has("stop")).isFalse();
        assertThat(branches.get(2).at("/parameters/stop").toString()).isEqualTo("[\"x\"]");
        assertThat(branches)
                .allSatisfy(branch -> assertThat(
                                branch.at("/parameters/responseFormat/name").textValue())
                        .isEqualTo("n"));
        assertThat(imported("""
            providers:
              - {id: 'google:d', config: {generationConfig: {responseMimeType: application/json, topK: 3}}}
              - {id: 'azure:e', config: {apiHost: x.example.com}}
            prompts: [{raw: p, config: {response_format: {type: json_schema, json_schema: file.json}}}]
            """, Map.of()).report().unmapped())
                .extracting(FieldError::path)
                .containsExactly(
                        "providers[0].config.generationConfig.topK",
                        "providers[1].config.apiHost",
                        "prompts[0].config.response_format");
    }

    @Test
    void shouldSayWhatToWriteWhenAProviderAnswersWithNoText() {
        assertThat(imported("""
            providers: ['openai:image:dall-e-3', 'openai:assistant:asst_1', openai, 'golang:p.go', 'file://p.ts', 'ws://h']
            prompts: [p]
            """, Map.of()).report().unmapped())
                .extracting(FieldError::message)
                .satisfiesExactly(
                        image -> assertThat(image).contains("does not answer with a text"),
                        agent -> assertThat(agent).contains("is an agent, no model", "kind: command"),
                        none -> assertThat(none).contains("names no model; write `openai:MODEL`"),
                        go -> assertThat(go).contains("branch of `kind: command`"),
                        typescript -> assertThat(typescript).contains("branch of `kind: command`"),
                        socket -> assertThat(socket).endsWith("the provider `ws://h`."));
    }

    @Test
    void shouldReadAssertionsWithFieldsThatPromptfooDoesNotKnow() {
        Imported imported = imported("""
            providers: [echo]
            prompts: [p]
            tests:
              - assert:
                  - {type: contains, value: A, ignoreCase: true}
                  - {type: is-json, value: {$schema: 'http://json-schema.org/draft-07/schema#', type: object}}
                  - {type: is-json, value: {$schema: 'http://json-schema.org/draft-04/schema#', type: object}}
                  - {type: contains, value: A, contextTransform: output}
            """, Map.of());

        JsonNode checks = imported.document().at("/cases/0/checks");
        assertThat(checks.get(0).toString()).isEqualTo("{\"type\":\"contains\",\"value\":\"A\"}");
        assertThat(checks.get(1).at("/schema").toString()).isEqualTo("{\"type\":\"object\"}");
        assertThat(checks.get(2).at("/schema").has("$schema")).isTrue();
        assertThat(checks.get(3).path("type").textValue()).isEqualTo("lost");
        assertThat(imported.report().notes())
                .extracting(FieldError::path)
                .containsExactly("tests[0].assert[0].ignoreCase");
    }

    @Test
    void shouldAnswerAndGradeByOwnCode() {
        Map<String, String> files = Map.of("own.py", "", "deep/own.mjs", "", "own.ts", "");
        Imported imported = imported("""
            providers:
              - {id: 'file://own.py', config: {tone: dry}, transform: output}
              - python:own.py:Own.call
              - {id: 'file://deep/own.mjs', label: mine}
              - javascript:deep/own.mjs
              - deep/own.mjs: {config: {a: 1}}
            prompts: ['{{a}}', '{{b}}']
            tests: [{assert: [{type: llm-rubric, value: good, provider: 'file://own.py:grade'}]}]
            """, files);

        JsonNode branches = imported.document().path("branches");
        assertThat(imported.report().unmapped()).isEmpty();
        assertThat(imported.document().path("code").textValue()).isEqualTo(".");
        assertThat(branches).hasSize(10);
        assertThat(branches.get(0).path("kind").textValue()).isEqualTo("python");
        assertThat(branches.get(0).path("file").textValue()).isEqualTo("own.py");
        assertThat(branches.get(0).path("config").toString()).isEqualTo("{\"tone\":\"dry\"}");
        assertThat(branches.get(2).path("function").textValue()).isEqualTo("Own.call");
        assertThat(branches.get(4).path("id").textValue()).startsWith("mine ");
        assertThat(branches.get(6).path("kind").textValue()).isEqualTo("javascript");
        assertThat(branches.get(9).path("file").textValue()).isEqualTo("deep/own.mjs");
        assertThat(branches)
                .allSatisfy(branch ->
                        assertThat(imported.report().code().path(branch)).startsWith("providers["));
        JsonNode grader = imported.document().at("/cases/0/checks/0/grader");
        assertThat(grader.toString()).isEqualTo("{\"kind\":\"python\",\"file\":\"own.py\",\"function\":\"grade\"}");
        assertThat(imported.report().code().path(grader)).isEqualTo("tests[0].assert[0].provider");
    }

    @Test
    void shouldRefuseOwnCodeThatCannotAnswer() {
        Map<String, String> files = Map.of("own.py", "", "own.js", "", "own.ts", "");

        assertThat(unmappedPaths(
                        "{prompts: [p], providers: [own.py, 'file://own.js:f', 'python:own.js', 'javascript:own.py',"
                                + " 'file://own.ts', 'openai.py'], tests: [{assert: [{type: similar, value: a,"
                                + " provider: 'file://own.py'}]}]}",
                        files))
                .containsExactlyInAnyOrder(
                        "providers[0]",
                        "providers[1]",
                        "providers[2]",
                        "providers[3]",
                        "providers[4]",
                        "providers[5]",
                        "tests[0].assert[0].provider");
        assertErrors(
                "{prompts: [p], providers: ['file://none.py', 'python:../own.py']}", "providers[0]", "providers[1]");
    }

    @Test
    void shouldMarkBranchesAndTestsWhoseAnswersAreOthersThanTheFileAsksFor() {
        JsonNode campaign = imported("""
            providers: [echo, {id: 'openai:a', config: {tools: []}}, {id: 'openai:b', label: graded}]
            prompts: [{raw: p, label: one}, {raw: q, label: two, config: {tools: []}}]
            tests:
              - {assert: [{type: contains, value: a}]}
              - {assert: [{type: contains, value: a}], options: {storeOutputAs: x}}
              - {assert: [{type: llm-rubric, value: a, provider: {id: 'openai:m', config: {tools: []}}}, {type: contains, value: a}]}
            """, Map.of()).document();

        List<String> lost = new ArrayList<>();
        campaign.path("branches")
                .forEach(branch -> lost.add(
                        branch.path("id").asText() + " " + branch.path("lost").asText("-")));
        assertThat(lost)
                .containsExactly(
                        "echo one -",
                        "echo two prompts[1].config.tools",
                        "openai:a one providers[1].config.tools",
                        "openai:a two providers[1].config.tools",
                        "graded one -",
                        "graded two prompts[1].config.tools");
        assertThat(campaign.at("/cases/0/checks").findValuesAsText("type")).containsExactly("contains");
        assertThat(campaign.at("/cases/1/checks").findValuesAsText("type")).containsExactly("lost");
        assertThat(campaign.at("/cases/2/checks").findValuesAsText("type")).containsExactly("lost", "contains");
        assertThat(imported("{prompts: [p], providers: [echo], env: {A: 1}}", Map.of())
                        .document()
                        .at("/branches/0/lost")
                        .textValue())
                .isEqualTo("env");
        assertThat(imported(
                                "{prompts: [p, 'file://p.py:f'], providers: [echo], tests: [{options: {prefix: x}}]}",
                                Map.of("p.py", ""))
                        .document()
                        .path("branches")
                        .findValuesAsText("lost"))
                .containsExactly("prompts");
    }

    private static List<String> unmappedPaths(String yaml, Map<String, String> files) {
        return imported(yaml, files).report().unmapped().stream()
                .map(FieldError::path)
                .toList();
    }

    private static List<String> unmappedPaths(String yaml) {
        return imported(yaml, Map.of()).report().unmapped().stream()
                .map(FieldError::path)
                .toList();
    }

    @Test
    void shouldReadScenariosFromFiles() {
        CampaignSubmission read = read(
                "{prompts: ['{{a}}{{b}}'], providers: [echo], scenarios: ['file://s*', {config: [{vars: {a: z}}],"
                        + " tests: [{vars: {b: 9}}]}]}",
                Map.of(
                        "s1.yaml",
                                "{config: [{vars: {a: x}}, {vars: {a: y}}], tests: [{vars: {b: 1}}, {vars: {b: 2}}]}",
                        "s2.yaml", "[{config: [{vars: {a: v}}], tests: t.csv}]",
                        "t.csv", "b\n5\n"));

        assertThat(sent(read)).containsExactly("x1", "x2", "y1", "y2", "v5", "z9");
        assertErrors(
                "{prompts: [p], providers: [echo], scenarios: [file://none.yaml, 3]}", "scenarios[0]", "scenarios[1]");
    }

    @Test
    void shouldReadRowsOfCsvAsTests() {
        CampaignSubmission read =
                read("{prompts: ['{{q}}'], providers: [echo], tests: tests.csv}", Map.of("tests.csv", """
                    q,__expected1,__expected2,__metric,__threshold,__description,__prefix,__suffix,__metadata:topic,__config:__expected2:threshold
                    "a, ""b""\",icontains:A,levenshtein(3):xyz,m,0.5,first,<,>,letters,1
                    plain,plain,,,,,,,,1
                    """));

        Case first = read.suite().cases().getFirst();
        assertThat(read.suite().cases().stream().map(Case::id)).containsExactly("first", "Row #2");
        assertThat(sent(read)).containsExactly("<a, \"b\">", "plain");
        assertThat(first.checks().threshold()).isEqualByComparingTo("0.5");
        assertThat(first.metadata()).containsEntry("topic", "letters");
        assertThat(first.checks().all().stream().map(Check::type)).containsExactly("icontains", "levenshtein");
        assertThat(Json.write(first.checks().all())).contains("\"threshold\":1", "\"metric\":\"m\"");
        assertThat(read.suite().cases().get(1).checks().all().stream().map(Check::type))
                .containsExactly("equals");
    }

    @Test
    void shouldReadTestsFromYamlJsonAndJsonLinesInOrder() {
        CampaignSubmission read = read(
                "{prompts: ['{{q}}'], providers: [echo], tests: [file://t.yaml, t.json, {vars: v.yaml}, {vars: {q: [x,"
                        + " y], f: file://f.txt}}, t.jsonl]}",
                Map.of(
                        "t.yaml", "- vars: {q: 1}\n- vars: {q: 2}\n",
                        "t.json", "[{\"vars\": {\"q\": 3}}]",
                        "v.yaml", "{q: 4}",
                        "f.txt", "text\n",
                        "t.jsonl", "{\"vars\": {\"q\": 7}}\n\n{\"vars\": {\"q\": 8}}\n"));

        assertThat(sent(read)).containsExactly("1", "2", "3", "4", "x", "y", "7", "8");
        assertThat(read.suite().cases().get(4).vars().get("f").textValue()).isEqualTo("text");
    }

    @Test
    void shouldCombineListsWithTheLastVarFastest() {
        assertThat(sent(read("{prompts: ['{{a}}{{b}}{{c}}'], providers: [echo],"
                        + " tests: [{vars: {a: [x, y], b: [1, 2], c: ['3', '4']}}]}")))
                .containsExactly("x1,23", "x1,24", "y1,23", "y1,24");
        assertThat(imported(
                                "{prompts: [p], providers: [echo], tests: [{vars: {"
                                        + "a: &l [a,b,c,d,e,f,g,h,i,j], b: *l, c: *l, d: *l, e: *l, f: *l}}]}",
                                Map.of())
                        .report())
                .satisfies(report -> assertThatThrownBy(() -> report.throwIfAny("file", true))
                        .hasMessageContaining("tests[0].vars")
                        .hasMessageContaining("combinations"));
    }

    @Test
    void shouldPutWhatTemplatesNameInTheirPlace() {
        CampaignSubmission read = read("""
            prompts: ['{{q}}']
            providers: [echo]
            assertionTemplates: {polite: {type: icontains, value: 'please, {{q}}'}}
            defaultTest: {assert: [{$ref: '#/assertionTemplates/polite'}]}
            tests: [{vars: {q: a}}, {vars: {q: b}, options: {disableDefaultAsserts: true}}]
            """);

        assertThat(Json.write(read.suite().cases().getFirst().checks().all())).contains("please, a");
        assertThat(read.suite().cases().get(1).checks().all()).isEmpty();
        assertErrors("{prompts: ['{{q}}'], providers: [echo], tests: [{$ref: '#/tests/0'}]}", "tests[0]");
        assertErrors(
                "{prompts: ['{{q}}'], providers: [echo], tests: [{assert: [{$ref: '#/no'}]}]}", "tests[0].assert[0]");
    }

    @Test
    void shouldNameAllThatIsWrongWithItsPath() {
        assertErrors(
                """
                prompts: [file://gone.txt, '', {label: x}]
                providers: [7]
                defaultTest: 3
                tests: [5, {vars: 7}, {assert: {type: equals}}, {assert: [equals]}, {vars: {f: file://gone}}, gone.csv,
                    {assert: [{type: contains, value: '{% if %}'}]}]
                """,
                "prompts[0]",
                "prompts[1]",
                "prompts[2]",
                "providers[0]",
                "defaultTest",
                "tests[0]",
                "tests[1].vars",
                "tests[2].assert",
                "tests[3].assert[0]",
                "tests[5]",
                "tests[6].assert[0].value");
        assertErrors("{prompts: [], providers: []}", "prompts", "providers");
        assertErrors("{prompts: p, targets: echo, tests: {a: 1}}", "tests");
    }

    private static void assertErrors(String yaml, String... paths) {
        assertThatThrownBy(() -> imported(yaml, Map.of()).report().throwIfAny("file", true))
                .isInstanceOfSatisfying(
                        AssayException.class,
                        e -> assertThat(e.errors().stream().map(FieldError::path))
                                .contains(paths));
    }

    @Test
    void shouldNameWhatHasNoCounterpartAndLeaveItOutWhenAllowed() {
        Imported imported = imported("""
            prompts: [p, file://p.rb, 'exec:run.sh', 'langfuse://x']
            providers: [echo, 'replicate:x', {id: echo, transform: x}, {id: 'openai:gpt-5', config: {tools: [], apiKey: k}}]
            extensions: [x]
            env: {A: 1}
            sharing: true
            evaluateOptions: {repeat: 2, cache: false}
            defaultTest: {options: {provider: 'openai:gpt-5', transform: x}}
            tests:
              - {vars: {a: file://a.py, b: file://b.png}}
              - {provider: echo, providerOutput: x, assert: [{type: pi, value: x}, {type: contains, value: x, contextTransform: y}]}
              - {assert: [{type: regex, value: '(?i)x'}, {type: not-regex, value: 'a$'}]}
              - tests.py
              - huggingface://datasets/x
            """, Map.of("tests.py", ""));

        assertThat(imported.report().unmapped().stream().map(FieldError::path))
                .containsExactlyInAnyOrder(
                        "extensions",
                        "env",
                        "tests[0].vars",
                        "tests[1].provider",
                        "tests[1].providerOutput",
                        "tests[1].assert[0].type",
                        "tests[1].assert[1].contextTransform",
                        "tests[2].assert[0].value",
                        "tests[3]",
                        "tests[4]",
                        "providers[1]",
                        "providers[3].config.tools",
                        "prompts[1]",
                        "prompts[2]",
                        "prompts[3]");
        assertThat(imported.report().notes().stream().map(FieldError::path))
                .containsExactlyInAnyOrder("sharing", "evaluateOptions.cache", "providers[3].config.apiKey");
        imported.report().throwIfAny("file", true);
        assertThat(imported.document().path("trials").intValue()).isEqualTo(2);
    }

    @Test
    void shouldHaveAssertionsGradedByTheModelThatTheyNameOrTheirTestDoes() {
        Imported imported = imported("""
            prompts: ['Say {{word}}']
            providers: [echo]
            defaultTest: {options: {provider: 'openai:chat:gpt-5-mini'}}
            tests:
              - vars: {word: hello}
                assert:
                  - {type: llm-rubric, value: 'Says {{word}}', threshold: 0.7}
                  - {type: not-model-graded-closedqa, value: Rude, provider: {id: 'anthropic:messages:claude-opus-4-6', config: {temperature: 0}}}
                  - {type: assert-set, assert: [{type: factuality, value: A greeting}]}
            """, Map.of());

        imported.report().throwIfAny("file", false);
        assertThat(imported.document().at("/cases/0/checks")).isEqualTo(DocumentText.parse("""
            - {type: rubric, value: Says hello, threshold: 0.7, grader: {provider: openai, model: gpt-5-mini}}
            - {type: closed-qa, not: true, value: Rude, grader: {provider: anthropic, model: claude-opus-4-6, parameters: {temperature: 0}}}
            - {type: group, checks: [{type: factuality, value: A greeting, grader: {provider: openai, model: gpt-5-mini}}]}
            """));
    }

    @Test
    void shouldNameWhatGradingWouldTakeAndHasNoCounterpart() {
        assertThat(imported("""
            prompts: [p]
            providers: [echo]
            tests:
              - assert: [{type: llm-rubric, value: x}, {type: factuality, value: x, provider: 'exec:grade.sh'}]
              - {assert: [{type: llm-rubric, value: x, rubricPrompt: Grade, provider: 'openai:gpt-5'}]}
            """, Map.of()).report().unmapped().stream().map(FieldError::path))
                .containsExactlyInAnyOrder(
                        "tests[0].assert[0].provider",
                        "tests[0].assert[1].provider",
                        "tests[1].assert[0].rubricPrompt");
    }

    @Test
    void shouldCompareByTheEmbeddingsThatAnAssertionNames() {
        Imported imported = imported("""
            prompts: ['Say {{word}}']
            providers: [echo]
            defaultTest: {options: {provider: {embedding: {id: 'openai:embedding:text-embedding-3-small'}, text: 'openai:gpt-5-mini'}}}
            tests:
              - vars: {word: hello}
                assert:
                  - {type: similar, value: 'Says {{word}}', threshold: 0.8}
                  - {type: not-similar, value: [Bye, 'No {{word}}'], provider: 'mistral:embedding:mistral-embed'}
                  - {type: similar:cosine, value: Hi, provider: ollama:embeddings:nomic-embed-text:latest}
                  - {type: llm-rubric, value: Kind}
            """, Map.of());

        imported.report().throwIfAny("file", false);
        assertThat(imported.document().at("/cases/0/checks")).isEqualTo(DocumentText.parse("""
            - {type: similar, value: Says hello, threshold: 0.8, grader: {provider: openai, model: text-embedding-3-small}}
            - {type: similar, not: true, value: [Bye, No hello], grader: {provider: mistral, model: mistral-embed}}
            - {type: similar, value: Hi, grader: {provider: ollama, model: 'nomic-embed-text:latest'}}
            - {type: rubric, value: Kind, grader: {provider: openai, model: gpt-5-mini}}
            """));
        CampaignReader.readForServer(imported.document());
    }

    @Test
    void shouldAskTheModelThatThePrefixNames() {
        Imported imported = PromptfooConfig.read(
                DocumentText.parse("""
                    prompts: [p]
                    providers:
                      - groq:llama-3.3-70b
                      - huggingface:chat:meta-llama/Llama-3.1-8B:fast
                      - huggingface:text-generation:gpt2
                      - openrouter:meta/llama:free
                      - palm:gemini
                      - own:chat:m
                      - {id: 'openai:gpt-5', config: {apiBaseUrl: 'http://localhost:8000/v1'}}
                      - anthropic:claude-agent-sdk
                      - replicate:meta/llama
                      - file://own.rb
                    """),
                "import",
                MapFiles.NONE,
                SourcePrograms.NONE,
                new ImportDefaults(null, null, Set.of("own")));

        List<String> models = new ArrayList<>();
        imported.document()
                .path("branches")
                .forEach(branch -> models.add(branch.path("provider").asText() + " "
                        + branch.path("model").asText()));
        assertThat(models)
                .containsExactly(
                        "groq llama-3.3-70b",
                        "huggingface meta-llama/Llama-3.1-8B:fast",
                        "huggingface gpt2",
                        "openrouter meta/llama:free",
                        "vertex gemini",
                        "own m",
                        "openai gpt-5");
        assertThat(imported.report().notes().stream().map(FieldError::path)).containsExactly("providers[2]");
        assertThat(imported.report().unmapped().stream().map(error -> error.path() + " " + error.message()))
                .satisfiesExactly(
                        one -> assertThat(one)
                                .startsWith("providers[6].config.apiBaseUrl")
                                .contains("providers: {my-server: {type: openai, baseUrl: \"http://localhost:8000/v1\","
                                        + " keyVariable: MY_SERVER_API_KEY}}"),
                        one -> assertThat(one).startsWith("providers[7]").contains("`kind: command`"),
                        one -> assertThat(one)
                                .startsWith("providers[8]")
                                .contains("providers: {replicate: {type: openai,", "REPLICATE_API_KEY"),
                        one -> assertThat(one).startsWith("providers[9]").doesNotContain("providers.yaml"));
    }

    @Test
    void shouldHaveAssertionsGradedByTheModelThatTheCommandNamesOnlyWhereTheFileNamesNone() {
        ImportDefaults defaults = ImportDefaults.of(DocumentText.parse(
                        "{grader: {provider: a, model: b, parameters: {temperature: 0}}, embedder: {provider:"
                                + " c, model: d}}"))
                .with(null, ImportDefaults.ModelName.read("ollama/nomic/embed"));
        Imported imported =
                PromptfooConfig.read(DocumentText.parse("""
                    prompts: [p]
                    providers: [echo]
                    tests:
                      - assert:
                          - {type: llm-rubric, value: x}
                          - {type: llm-rubric, value: x, provider: 'openai:gpt-5'}
                          - {type: similar, value: x, description: "says\n  x"}
                          - {type: llm-rubric, value: x, rubricPrompt: Grade}
                    """), "import", MapFiles.NONE, SourcePrograms.NONE, defaults);

        assertThat(imported.document().at("/cases/0/checks")).isEqualTo(DocumentText.parse("""
            - {type: rubric, value: x, grader: {provider: a, model: b, parameters: {temperature: 0}}}
            - {type: rubric, value: x, grader: {provider: openai, model: gpt-5}}
            - {type: similar, value: x, grader: {provider: ollama, model: nomic/embed}, description: says x}
            - {type: lost, was: llm-rubric, path: "tests[0].assert[3]", required: true}
            """));
        assertThat(imported.report().unmapped().stream().map(FieldError::path))
                .containsExactly("tests[0].assert[3].rubricPrompt");
        assertThat(imported.report().notes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "/x", "x/"})
    void shouldTakeNoModelThatIsNotOfAProvider(String written) {
        assertThat(ImportDefaults.ModelName.read(written)).isNull();
    }

    @Test
    void shouldHoldThePlaceOfWhatNobodyGradesWhenThatIsAllowed() {
        Imported imported = imported("""
            prompts: [p]
            providers: [echo]
            tests:
              - assert:
                  - {type: llm-rubric, value: x}
                  - {type: similar, value: x, provider: 'openai:gpt-5'}
                  - {type: factuality, value: x, provider: 'exec:grade.sh'}
                  - {type: contains, value: p}
            """, Map.of());

        imported.report().throwIfAny("file", true);
        assertThat(imported.document().at("/cases/0/checks")).isEqualTo(DocumentText.parse("""
            - {type: lost, was: llm-rubric, path: "tests[0].assert[0]", required: true}
            - {type: lost, was: similar, path: "tests[0].assert[1]", required: true}
            - {type: lost, was: factuality, path: "tests[0].assert[2]", required: true}
            - {type: contains, value: p}
            """));
        CampaignReader.readForServer(imported.document());
    }

    private static final String CODE = """
        prompts: ['{{word}}']
        providers: [echo]
        defaultTest: {assert: [{type: python, value: 'output == "{{word}}"'}]}
        tests:
          - vars: {word: hello}
            assert:
              - {type: not-javascript, value: "output.length > 3\\n", threshold: 0.5, weight: 2, metric: 'm {{word}}'}
              - {type: python, value: 'file://./checks/own.py:Judge.score', config: {least: 3, text: '{{word}}'}, weight: 0}
              - type: assert-set
                assert: [{type: javascript, value: 'file://own.mjs:polite'}, {type: javascript, value: 'file://code.txt'}]
          - {vars: {word: [a, b]}}
        """;

    private static final Map<String, String> CODE_FILES =
            Map.of("./checks/own.py", "", "own.mjs", "", "code.txt", "output.length\n");

    @Test
    void shouldDecideByTheSameCodeWhenAnAssertionIsCode() {
        Imported imported = imported(CODE, CODE_FILES);

        imported.report().throwIfAny("file", false);
        assertThat(imported.document().path("code").textValue()).isEqualTo(".");
        assertThat(imported.document().at("/cases/0/checks")).isEqualTo(DocumentText.parse("""
            - {type: python, value: output == "hello"}
            - {type: javascript, not: true, value: "output.length > 3\\n", threshold: 0.5, weight: 2, metric: m hello}
            - {type: python, file: checks/own.py, function: Judge.score, config: {least: 3, text: '{{word}}'}, weight: 0, required: false}
            - {type: group, checks: [{type: javascript, file: own.mjs, function: polite}, {type: javascript, value: output.length}]}
            """));
        assertThat(imported.document().at("/cases/2/checks/0/value").textValue())
                .isEqualTo("output == \"b\"");
        assertThat(imported(
                                "{prompts: [p], providers: [echo], tests: [{assert: [{type: python, value: 1 > 0}]}]}",
                                Map.of())
                        .document()
                        .has("code"))
                .as("code that stands in the file needs no directory")
                .isFalse();
    }

    @Test
    void shouldSayWhereEachCodeStandsInTheConfiguration() {
        Imported imported = imported(CODE, CODE_FILES);

        JsonNode cases = imported.document().path("cases");
        CodePlaces code = imported.report().code();
        assertThat(code.path(cases.at("/0/checks/0"))).isEqualTo("defaultTest.assert[0].value");
        assertThat(code.path(cases.at("/2/checks/0"))).isEqualTo("defaultTest.assert[0].value");
        assertThat(code.path(cases.at("/0/checks/2"))).isEqualTo("tests[0].assert[1].value");
        assertThat(code.path(cases.at("/0/checks/3/checks/0"))).isEqualTo("tests[0].assert[2].assert[0].value");
        assertThat(code.owners()).hasSize(7);
    }

    @Test
    void shouldReadCodeInCellsOfCsv() {
        Imported imported = imported(
                "{prompts: ['{{q}}'], providers: [echo], tests: tests.csv}", Map.of("own.py", "", "tests.csv", """
                    q,__expected1,__expected2,__expected3
                    a,javascript: output > 0,"fn:output.includes('x')",python: len(output)
                    b,file://own.py,file://own.py:named,not-python:len(output)
                    c,file://own.rb,eval:true,python code
                    """));

        assertThat(imported.report().unmapped().stream().map(FieldError::path))
                .containsExactly("tests.csv[2].assert[0].value");
        assertThat(imported.document().at("/cases/0/checks")).isEqualTo(DocumentText.parse("""
            - {type: javascript, value: output > 0}
            - {type: javascript, value: "output.includes('x')"}
            - {type: python, value: len(output)}
            """));
        assertThat(imported.document().at("/cases/1/checks")).isEqualTo(DocumentText.parse("""
            - {type: python, file: own.py}
            - {type: python, file: own.py, function: named}
            - {type: python, not: true, value: len(output)}
            """));
        assertThat(imported.document().at("/cases/2/checks/1"))
                .isEqualTo(DocumentText.parse("{type: javascript, value: 'true'}"));
        assertThat(imported.document().at("/cases/2/checks/2/type").textValue()).isEqualTo("equals");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{type: python}",
                "{type: python, value: ' '}",
                "{type: javascript, value: true}",
                "{type: javascript, value: [x]}",
                "{type: javascript, value: '{{ x | none_such }}'}",
                "{type: python, value: 'file://none.py'}",
                "{type: python, value: 'file://none.txt'}"
            })
    void shouldNameTheValueThatIsNoCode(String assertion) {
        assertErrors(
                "{prompts: [p], providers: [echo], tests: [{assert: [" + assertion + "]}]}",
                "tests[0].assert[0].value");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{type: javascript, value: 'file://own.ts'}",
                "{type: javascript, value: 'file://own.py'}",
                "{type: python, value: 'file://own.js:named'}",
                "{type: javascript, value: 'package:own:named'}",
                "{type: contains, value: 'file://own.py'}"
            })
    void shouldNameCodeOfAnotherLanguageAsWithoutCounterpart(String assertion) {
        Imported imported = imported(
                "{prompts: [p], providers: [echo], tests: [{assert: [" + assertion + "]}]}",
                Map.of("own.py", "", "own.js", "", "own.ts", ""));
        assertThat(imported.report().unmapped().stream().map(FieldError::path))
                .containsExactly("tests[0].assert[0].value");
        assertThat(imported.document().at("/cases/0/checks/0/type").textValue()).isEqualTo("lost");
        assertThat(imported.report().code().owners()).isEmpty();
    }

    @Test
    void shouldHoldThePlaceOfEachAssertionThatIsLeftOutWithItsWeight() {
        Imported imported = imported("""
            prompts: [p]
            providers: [echo]
            defaultTest: {assert: [{type: ruby, value: x}, {type: python, value: y, transform: z}]}
            tests:
              - {}
              - threshold: 0.5
                assert:
                  - {type: pi, value: x, weight: 0, metric: tone}
                  - {type: not-webhook, value: x, weight: 3}
                  - {type: equals, value: x, transform: output}
                  - {type: contains, value: 'file://expected.js:one'}
                  - {type: regex, value: '(?i)x'}
                  - {type: assert-set, threshold: 0.7, assert: [{type: ruby, value: x}, {type: equals, value: p}]}
              - {assertScoringFunction: file://s.js, threshold: 0.1, assert: [{type: equals, value: p}]}
              - {options: {transform: output, disableDefaultAsserts: true}, assert: [{type: equals, value: p}]}
            """, Map.of("expected.js", ""));

        imported.report().throwIfAny("file", true);
        String inherited = """
            {type: lost, was: ruby, path: 'defaultTest.assert[0]', required: true},
            {type: python, value: y, transform: {javascript: z}}
            """;
        assertThat(imported.document().at("/cases/0/checks")).isEqualTo(DocumentText.parse("[" + inherited + "]"));
        assertThat(imported.document().at("/cases/1/checks")).isEqualTo(DocumentText.parse("[" + inherited + """
            ,
            {type: lost, was: pi, path: 'tests[1].assert[0]', weight: 0, required: false, metric: tone},
            {type: lost, was: not-webhook, path: 'tests[1].assert[1]', required: true, weight: 3},
            {type: equals, trim: false, value: x, transform: {javascript: output}},
            {type: lost, was: contains, path: 'tests[1].assert[3]', required: true},
            {type: lost, was: regex, path: 'tests[1].assert[4]', required: true},
            {type: group, threshold: 0.7, checks: [
              {type: lost, was: ruby, path: 'tests[1].assert[5].assert[0]', required: true},
              {type: equals, trim: false, value: p}]}]
            """));
        assertThat(imported.document().at("/cases/2/checks/2"))
                .isEqualTo(DocumentText.parse("{type: lost, was: equals, path: 'tests[2].assert[0]', required: true}"));
        assertThat(imported.document().at("/cases/3/checks"))
                .isEqualTo(DocumentText.parse("[{type: equals, trim: false, value: p}]"));
        CampaignReader.readForServer(imported.document());
    }

    @Test
    void shouldCountTheTestsProvidersAndSettingsThatAreLeftOutWhenThatIsAllowed() {
        Imported imported = imported("""
            prompts: [p, 'langfuse://x']
            providers: [echo, 'replicate:x', {id: 'openai:gpt-5', config: {logprobs: true, user: me}}]
            tests:
              - {vars: {a: b}}
              - file://tests.rb
              - {vars: {a: file://a.rb}, assert: [{type: webhook, value: x}]}
            """, Map.of("tests.rb", "", "a.rb", ""));

        imported.report().throwIfAny("file", true);
        assertThat(imported.document().path("lost"))
                .isEqualTo(DocumentText.parse("{providers: 1, prompts: 1, tests: 2, settings: 2}"));
        CampaignSubmission read = CampaignReader.readForServer(imported.document());
        assertThat(read.definition().gate().demands().lost()).isEqualTo(new LostParts(0, List.of(), 1, 1, 2, 2));
    }

    @Test
    void shouldKeepTheThresholdOfTheDefaultTestWhereItsAssertionsAreLeftOut() {
        Imported imported = imported("""
            prompts: [p]
            providers: [echo]
            defaultTest: {threshold: 0.5, assert: [{type: equals, value: x}]}
            tests:
              - {options: {disableDefaultAsserts: true}, assert: [{type: equals, value: p}, {type: equals, value: q}]}
            """, Map.of());
        assertThat(imported.document().at("/cases/0/threshold").doubleValue()).isEqualTo(0.5);
        assertThat(imported.document().at("/cases/0/checks")).hasSize(2);
    }

    @Test
    void shouldReadCriteriaAsRubricsWithTheirThreshold() {
        Imported imported = imported("""
            prompts: [p]
            providers: [echo]
            defaultTest: {provider: 'openai:gpt-5'}
            tests:
              - assert:
                  - {type: g-eval, value: Polite}
                  - {type: not-g-eval, value: [Polite, Short], threshold: 0.5, weight: 2}
            """, Map.of());

        imported.report().throwIfAny("file", false);
        assertThat(imported.document().at("/cases/0/checks")).isEqualTo(DocumentText.parse("""
            - {type: rubric, value: Polite, threshold: 0.7, grader: {provider: openai, model: gpt-5}}
            - type: group
              not: true
              threshold: 0.5
              checks:
                - {type: rubric, value: Polite, grader: {provider: openai, model: gpt-5}}
                - {type: rubric, value: Short, grader: {provider: openai, model: gpt-5}}
              weight: 2
            """));
        assertThat(imported.report().notes().stream().map(FieldError::path))
                .containsExactly("tests[0].assert[0].type", "tests[0].assert[1].type");
        CampaignReader.readForServer(imported.document());
    }

    @Test
    void shouldTakeParametersOfPromptsOverThoseOfOptionsOverThoseOfProviders() {
        Imported imported = imported("""
            prompts: [p, {raw: q, config: {temperature: 0.1}}]
            providers: [echo, {id: 'openai:gpt-5', config: {temperature: 0.9, seed: 3, max_tokens: 5}}]
            defaultTest: {options: {timeout: 1000, temperature: 0.5, max_tokens: 9, maxTokens: 9}}
            redteam: {plugins: [x]}
            extensions: ['file://hooks.py:afterAll']
            """, Map.of());

        imported.report().throwIfAny("file", false);
        assertThat(imported.document().at("/branches/0/parameters").isMissingNode())
                .isTrue();
        assertThat(imported.document().at("/branches/2/parameters"))
                .isEqualTo(DocumentText.parse("{temperature: 0.5, seed: 3, maxOutputTokens: 9}"));
        assertThat(imported.document().at("/branches/3/parameters"))
                .isEqualTo(DocumentText.parse("{temperature: 0.1, seed: 3, maxOutputTokens: 9}"));
        assertThat(imported.report().notes().stream().map(FieldError::path))
                .containsExactly(
                        "redteam", "extensions", "defaultTest.options.timeout", "defaultTest.options.maxTokens");
    }

    @Test
    void shouldSayThatProvidersAreMissingWhereAFileHasPromptsAndTests() {
        assertThat(PromptfooConfig.is(DocumentText.parse("{prompts: [p], tests: []}")))
                .isTrue();
        assertThat(PromptfooConfig.is(DocumentText.parse("{prompts: [p], cases: [], providers: []}")))
                .isFalse();
        assertErrors("{prompts: [p], tests: [{}]}", "providers");
    }

    @Test
    void shouldWritePromptsThatCodeSays() {
        Imported imported = imported("""
            prompts: ['p.py:one', 'file://p.py', {id: 'file://own/p.mjs:two', label: third, config: {tone: dry}}, 'p.js']
            providers: [echo]
            """, Map.of("p.py", "", "own/p.mjs", "", "p.js", ""));

        imported.report().throwIfAny("file", false);
        assertThat(imported.document().path("code").textValue()).isEqualTo(".");
        assertThat(imported.document().path("branches").findValues("template"))
                .containsExactly(
                        DocumentText.parse("{python: {file: p.py, function: one}}"),
                        DocumentText.parse("{python: {file: p.py, asProgram: true}}"),
                        DocumentText.parse("{javascript: {file: own/p.mjs, function: two, config: {tone: dry}}}"),
                        DocumentText.parse("{javascript: {file: p.js}}"));
        assertThat(imported.document().at("/branches/2/id").textValue()).isEqualTo("echo third");
        assertThat(imported.report().code().path(imported.document().at("/branches/0/template")))
                .isEqualTo("prompts[0]");
        assertThatThrownBy(() -> imported("{prompts: [gone.py], providers: [echo]}", Map.of())
                        .report()
                        .throwIfAny("file", true))
                .hasMessageContaining("prompts[0]");
    }

    @Test
    void shouldWriteTransformsWhereverTheyStand() {
        Imported imported = imported("""
            prompts: [p]
            providers: [{id: echo, transform: output.trim()}, {id: echo, transform: 'file://t.py:clean'}]
            defaultTest: {options: {postprocess: output + 1}}
            tests:
              - {assert: [{type: equals, value: p, transform: 'file://own/t.mjs'}]}
              - {options: {transform: 'file://t.py'}}
            """, Map.of("t.py", "", "own/t.mjs", ""));

        imported.report().throwIfAny("file", false);
        assertThat(imported.document().path("code").textValue()).isEqualTo(".");
        assertThat(imported.document().at("/branches/0/transform"))
                .isEqualTo(DocumentText.parse("{javascript: output.trim()}"));
        assertThat(imported.document().at("/branches/1/transform"))
                .isEqualTo(DocumentText.parse("{python: {file: t.py, function: clean}}"));
        assertThat(imported.document().at("/cases/0/transform"))
                .isEqualTo(DocumentText.parse("{javascript: output + 1}"));
        assertThat(imported.document().at("/cases/0/checks/0/transform"))
                .isEqualTo(DocumentText.parse("{javascript: {file: own/t.mjs}}"));
        assertThat(imported.document().at("/cases/1/transform"))
                .isEqualTo(DocumentText.parse("{python: {file: t.py}}"));
        assertThat(imported.report().code().path(imported.document().at("/branches/1/transform")))
                .isEqualTo("providers[1].transform");
        assertThat(imported.report().code().path(imported.document().at("/cases/0/checks/0/transform")))
                .isEqualTo("tests[0].assert[0].transform");
        assertThat(imported.report().code().path(imported.document().at("/cases/0/transform")))
                .isEqualTo("defaultTest.options.postprocess");
    }

    @Test
    void shouldNameWhatComparingWouldTakeAndHasNoCounterpart() {
        assertThat(imported("""
            prompts: [p]
            providers: [echo, 'openai:embedding:text-embedding-3-small']
            tests:
              - assert: [{type: similar, value: x}, {type: similar, value: x, provider: 'openai:gpt-5'}]
              - assert: [{type: similar, value: x, provider: echo}, {type: similar:dot, value: x, provider: 'openai:embedding:e'}]
              - assert: [{type: similar, value: x, provider: 'replicate:embedding:e'}]
            """, Map.of()).report().unmapped().stream().map(FieldError::path))
                .containsExactlyInAnyOrder(
                        "providers[1]",
                        "tests[0].assert[0].provider",
                        "tests[0].assert[1].provider",
                        "tests[1].assert[0].provider",
                        "tests[1].assert[1].type",
                        "tests[2].assert[0].provider");
    }

    /** Any tree as a configuration: errors with paths, and no other exception. */
    @Test
    void shouldEndInTypedErrorsWhateverIsWritten() {
        Random random = new Random(11);
        for (int n = 0; n < 3000; n++) {
            ObjectNode config = Json.mapper().createObjectNode();
            for (String name :
                    List.of("prompts", "providers", "tests", "defaultTest", "scenarios", "evaluateOptions")) {
                config.set(name, Trees.any(random, 5));
            }
            Imported imported =
                    PromptfooConfig.read(config, "import", MapFiles.NONE, SourcePrograms.NONE, ImportDefaults.NONE);
            try {
                imported.report().throwIfAny("file", true);
                CampaignReader.readForServer(imported.document());
            } catch (AssayException e) {
                assertThat(e.errors()).isNotEmpty();
            }
        }
    }
}
