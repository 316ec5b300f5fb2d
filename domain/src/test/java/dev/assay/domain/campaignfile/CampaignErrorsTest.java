package dev.assay.domain.campaignfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.json.Json;
import dev.assay.domain.provider.WorkerCapabilities;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One test for each thing that can be wrong in a campaign file. */
class CampaignErrorsTest {

    private static Arguments wrong(String pointer, String yaml, String error) {
        return Arguments.of(pointer, yaml, error);
    }

    static Stream<Arguments> wrongValues() {
        return Stream.of(
                wrong("/name", "\"  \"", "name: `name` must not be blank; write a text."),
                wrong(
                        "/name",
                        "\"a\\nb\"",
                        "name: `name` must not hold control characters such as line breaks; remove them."),
                wrong("/name", "5", "name: `name` must be text, but is the number 5; put it in quotes."),
                wrong("/name", "null", "name: `name` must be text, but is null."),
                wrong("/name", "[a]", "name: `name` must be text, but is a list."),
                wrong("/metadata", "[a]", "metadata: `metadata` must be an object, but is a list."),
                wrong(
                        "/metadata",
                        "{commit: 7}",
                        "metadata.commit: The value must be a text in quotes, but is the number 7."),
                wrong(
                        "/metadata",
                        "{commit: \"\"}",
                        "metadata.commit: The value of `commit` must have 1-255 characters, but has 0."),
                wrong(
                        "/metadata",
                        "{Commit: a}",
                        "metadata.Commit: The name `Commit` must have 1-63 of the characters a-z, 0-9, `.`, `_`, `/`"
                                + " and `-`, and begin with a letter or a digit."),
                wrong("/description", "{}", "description: `description` must be text, but is an object."),
                wrong("/cases", "[]", "cases: `cases` must have at least one item; it is an empty list."),
                wrong("/cases", "{}", "cases: `cases` must be a list, but is an object."),
                wrong(
                        "/cases/0",
                        "text",
                        "cases[0]: `cases[0]` must be an object with fields such as id, prompt, but is the text"
                                + " \"text\"."),
                wrong(
                        "/cases/0/prompt",
                        "7",
                        "cases[0].prompt: `prompt` must be text, but is the number 7; put it in quotes."),
                wrong(
                        "/cases/0/tags",
                        "[1]",
                        "cases[0].tags[0]: `cases[0].tags[0]` must be text, but is the number 1; put it in quotes."),
                wrong(
                        "/cases/0/metadata",
                        "{a: [1]}",
                        "cases[0].metadata.a: `cases[0].metadata.a` must be text, a number, true or false, but is a"
                                + " list."),
                wrong("/branches", "[]", "branches: `branches` must have at least one item; it is an empty list."),
                wrong("/branches", "null", "branches: `branches` must be a list, but is null."),
                wrong("/branches/0/model", "\"\"", "branches[0].model: `model` must not be blank; write a text."),
                wrong(
                        "/branches/0/thinking",
                        "on",
                        "branches[0].thinking: `thinking` must be one of off, minimal, low, medium, high, xhigh, max,"
                                + " but is the text \"on\"; choose one."),
                wrong(
                        "/branches/0/thinking",
                        "true",
                        "branches[0].thinking: `thinking` must be one of off, minimal, low, medium, high, xhigh, max,"
                                + " but is true; choose one."),
                wrong(
                        "/branches/0/kind",
                        "modle",
                        "branches[0].kind: `kind` must be one of model, replay, scripted, command, http, python,"
                                + " javascript, but is the text \"modle\"; did you mean `model`?"),
                wrong(
                        "/branches/0/kind",
                        "htpp",
                        "branches[0].kind: `kind` must be one of model, replay, scripted, command, http, python,"
                                + " javascript, but is the text \"htpp\"; did you mean `http`?"),
                wrong(
                        "/branches/0/limits",
                        "{maxTurns: 0}",
                        "branches[0].limits.maxTurns: `maxTurns` must be a whole number from 1 to 10000, but is 0."),
                wrong(
                        "/branches/0/parameters",
                        "{temperature: 2.1}",
                        "branches[0].parameters.temperature: `temperature` must be a number from 0 to 2, but is 2.1."),
                wrong(
                        "/branches/0/parameters",
                        "{maxOutputTokens: 0}",
                        "branches[0].parameters.maxOutputTokens: `maxOutputTokens` must be a whole number from 1 to"
                                + " 2147483647, but is 0."),
                wrong(
                        "/branches/0/parameters",
                        "{top_p: 1}",
                        "branches[0].parameters.top_p: Unknown field `top_p`; did you mean `topP`?"),
                wrong(
                        "/branches/0/parameters",
                        "{stop: []}",
                        "branches[0].parameters.stop: `stop` must have at least one item; it is an empty list."),
                wrong(
                        "/branches/0/parameters",
                        "{stop: [\"\"]}",
                        "branches[0].parameters.stop: `stop` must be at most 16 texts, none of them empty."),
                wrong(
                        "/branches/0/parameters",
                        "{responseFormat: xml}",
                        "branches[0].parameters.responseFormat: `responseFormat` must be `json`, or an object with a"
                                + " `schema`, but is the text \"xml\"."),
                wrong(
                        "/branches/0/parameters",
                        "{responseFormat: null}",
                        "branches[0].parameters.responseFormat: `responseFormat` must be `json`, or an object with a"
                                + " `schema`, but is null."),
                wrong(
                        "/branches/0/parameters",
                        "{responseFormat: {name: a}}",
                        "branches[0].parameters.responseFormat.schema: `schema` is missing; add it."),
                wrong(
                        "/branches/0/parameters",
                        "{responseFormat: {schema: true}}",
                        "branches[0].parameters.responseFormat.schema: `schema` must be a JSON Schema that is an"
                                + " object, but is true."),
                wrong(
                        "/branches/0/parameters",
                        "{responseFormat: {name: a b, schema: {}}}",
                        "branches[0].parameters.responseFormat.name: `name` must have 1 to 64 letters, digits, '_' or"
                                + " '-'; write another one."),
                wrong(
                        "/branches/0/parameters",
                        "{responseFormat: {schema: {}, strict: 1}}",
                        "branches[0].parameters.responseFormat.strict: `strict` must be true or false, but is the"
                                + " number 1."),
                wrong(
                        "/branches/0/parameters",
                        "{responseFormat: {schema: {}, format: json}}",
                        "branches[0].parameters.responseFormat.format: Unknown field `format`; known fields here are"
                                + " name, schema, strict."),
                wrong(
                        "/branches/0/script",
                        "{answers: [a]}",
                        "branches[0].script: `script` belongs to kind scripted, but the kind is model; remove it or"
                                + " write another `kind`."),
                wrong(
                        "/trials",
                        "1.5",
                        "trials: EVAL_INVALID_TRIALS_CONFIG: `trials` must be a whole number from 1 to 1000, but is"
                                + " 1.5."),
                wrong(
                        "/trials",
                        "\"5\"",
                        "trials: EVAL_INVALID_TRIALS_CONFIG: `trials` must be a whole number from 1 to 1000, but is"
                                + " the text \"5\"; write it without quotes."),
                wrong(
                        "/trials",
                        "99999999999999999999999",
                        "trials: EVAL_INVALID_TRIALS_CONFIG: `trials` must be a whole number from 1 to 1000, but is"
                                + " 99999999999999999999999."),
                wrong(
                        "/strategy",
                        "pick-first",
                        "strategy: `strategy` must be an object with fields such as type, judge, but is the text"
                                + " \"pick-first\"."),
                wrong(
                        "/strategy",
                        "{type: llm-juge}",
                        "strategy.type: `type` must be one of transparent, pick-first, token-efficient, elaborate,"
                                + " lowest-cost, lowest-latency, highest-score, custom, llm-judge, pairwise, but is the"
                                + " text \"llm-juge\"; did you mean `llm-judge`?"),
                wrong(
                        "/strategy",
                        "{type: pairwise, judge: {provider: openai, model: m}, rotate: 2}",
                        "strategy.rotate: `rotate` belongs to strategy llm-judge only; remove it or choose that"
                                + " strategy."),
                wrong(
                        "/strategy",
                        "{type: pairwise, judge: {provider: openai, model: m}, rounds: 0}",
                        "strategy.rounds: `rounds` must be a whole number from 1 to 20, but is 0."),
                wrong("/strategy", "{type: custom}", "strategy.name: `name` is missing; add it."),
                wrong(
                        "/strategy",
                        "{type: custom, name: mine, maxAsks: 1}",
                        "strategy.models: `models` is missing: with `maxAsks`, say which models the strategy may ask."),
                wrong(
                        "/strategy",
                        "{type: custom, name: mine, models: {g: {provider: openai, model: m}}}",
                        "strategy.maxAsks: `maxAsks` is 0, so no model of `models` can be asked; write how many asks a"
                                + " trial may take."),
                wrong(
                        "/strategy",
                        "{type: custom, name: mine, maxAsks: 101, models: {g: {provider: openai, model: m}}}",
                        "strategy.maxAsks: `maxAsks` must be a whole number from 0 to 100, but is 101."),
                wrong(
                        "/strategy",
                        "{type: custom, name: mine, maxAsks: 1, models: {a/b: {provider: openai, model: m}}}",
                        "strategy.models: A name of `models` must not hold `/`, `\\` or `..`, nor be `.`; write"
                                + " another."),
                wrong(
                        "/strategy",
                        "{type: custom, name: mine, maxAsks: 1, models: {g: {provider: openai, model: m,"
                                + " maxContextTokens: 5}}}",
                        "strategy.models.g.maxContextTokens: Unknown field `maxContextTokens`; known fields here are"
                            + " kind, provider, model, thinking, thinkingOptional, parameters, cassette, script, file,"
                            + " function, config, maxCostUsd."),
                wrong(
                        "/strategy",
                        "{type: elaborate, maxAsks: 1}",
                        "strategy.maxAsks: `maxAsks` belongs to strategy custom only; remove it or choose that"
                                + " strategy."),
                wrong(
                        "/strategy",
                        "{type: elaborate, name: shortest}",
                        "strategy.name: `name` belongs to strategy custom only; remove it or choose that strategy."),
                wrong(
                        "/strategy",
                        "{type: llm-judge}",
                        "strategy.judge: `judge` is missing; say which provider and model judges."),
                wrong(
                        "/strategy",
                        "{type: pick-first, judge: {provider: openai, model: m}}",
                        "strategy.judge: `judge` belongs to strategy llm-judge or pairwise only; remove it or choose"
                                + " that strategy."),
                wrong(
                        "/strategy",
                        "{type: elaborate, ties: first}",
                        "strategy.ties: `ties` belongs to strategy highest-score or llm-judge or pairwise only; remove"
                                + " it or choose that strategy."),
                wrong(
                        "/cases/0/checks",
                        "[{type: contains, value: a, weight: -1}]",
                        "cases[0].checks[0].weight: `weight` must be a number from 0 to 1000, but is -1."),
                wrong(
                        "/strategy",
                        "{type: llm-judge, judge: {provider: openai, model: m}, panel: [{provider: openai, model: m},"
                                + " {provider: openai, model: n}]}",
                        "strategy.judge: `judge` and `panel` are both written; keep one of them."),
                wrong(
                        "/strategy",
                        "{type: llm-judge, panel: [{provider: openai, model: m}]}",
                        "strategy.panel: `panel` must have 2 to 10 judges, but has 1; write a single judge as"
                                + " `judge`."),
                wrong(
                        "/strategy",
                        "{type: llm-judge, panel: []}",
                        "strategy.panel: `panel` must have at least one item; it is an empty list."),
                wrong(
                        "/strategy",
                        "{type: llm-judge, judge: {provider: openai, model: m}, rotate: 11}",
                        "strategy.rotate: `rotate` must be a whole number from 1 to 10, but is 11."),
                wrong(
                        "/strategy",
                        "{type: llm-judge, judge: {provider: openai, model: m}, reply: json}",
                        "strategy.reply: `reply` must be one of plain, structured, but is the text \"json\"."),
                wrong(
                        "/gate",
                        "{branches: [smal]}",
                        "gate.branches[0]: There is no branch `smal`; did you mean `small`?"),
                wrong(
                        "/gate",
                        "{branches: [small, small]}",
                        "gate.branches[1]: Branch `small` is named twice; remove one."),
                wrong(
                        "/limits",
                        "{maxConcurrent: 0}",
                        "limits.maxConcurrent: `maxConcurrent` must be a whole number from 1 to 10000, but is 0."),
                wrong(
                        "/limits",
                        "{maxConcurrent: 10001}",
                        "limits.maxConcurrent: `maxConcurrent` must be a whole number from 1 to 10000, but is 10001."),
                wrong(
                        "/limits",
                        "{budgetUsd: 0}",
                        "limits.budgetUsd: `budgetUsd` must be a number above 0 and up to 1000000000, but is 0."),
                wrong(
                        "/limits",
                        "{budgetUsd: -1}",
                        "limits.budgetUsd: `budgetUsd` must be a number above 0 and up to 1000000000, but is -1."),
                wrong(
                        "/limits",
                        "{budgetUsd: .inf}",
                        "limits.budgetUsd: `budgetUsd` must be a number above 0 and up to 1000000000, but is"
                                + " infinite."),
                wrong(
                        "/limits",
                        "{timeoutSeconds: 0.0001}",
                        "limits.timeoutSeconds: `timeoutSeconds` must be a number above 0 and up to 86400, but has"
                                + " more than 3 digits after the point."),
                wrong(
                        "/limits",
                        "{maxAttempts: 101}",
                        "limits.maxAttempts: `maxAttempts` must be a whole number from 1 to 100, but is 101."),
                wrong(
                        "/limits",
                        "null",
                        "limits: `limits` must be an object with fields such as maxConcurrent, budgetUsd, but is"
                                + " null."),
                wrong(
                        "/promt",
                        "x",
                        "promt: Unknown field `promt`; known fields here are name, description, metadata, suite,"
                            + " cases, checks, transform, templateVars, tools, branches, trials, strategy, gate,"
                            + " limits, reducers, grader, code, codeInclude, codeEnv, stop, order, statistics, lost,"
                            + " reuse, delivery, deadline."),
                wrong("/cases/0/promt", "x", "cases[0].promt: Unknown field `promt`; did you mean `prompt`?"),
                wrong(
                        "/branches/0/system_prompt",
                        "x",
                        "branches[0].system_prompt: Unknown field `system_prompt`; did you mean `systemPrompt`?"),
                wrong(
                        "/branches/0/temperature",
                        "0",
                        "branches[0].temperature: Unknown field `temperature`; write it as `parameters.temperature`."),
                wrong(
                        "/branches/0/max_output_tokens",
                        "9",
                        "branches[0].max_output_tokens: Unknown field `max_output_tokens`; write it as"
                                + " `parameters.maxOutputTokens`."));
    }

    @ParameterizedTest
    @MethodSource("wrongValues")
    void shouldNameFieldAndRemedyWhenAValueIsWrong(String pointer, String yaml, String error) {
        assertThat(CampaignFile.minimal().with(pointer, yaml).errors()).containsExactly(error);
    }

    static Stream<Arguments> wrongChecks() {
        return Stream.of(
                Arguments.of(
                        "{type: icontain, value: a}",
                        "type: `type` must be one of equals, contains, icontains, contains-all, contains-any,"
                            + " icontains-all, icontains-any, starts-with, regex, word-count, levenshtein, rouge-n,"
                            + " bleu, gleu, refusal, json, xml, html, latency, cost, tokens, finish-reason,"
                            + " tool-called, tool-call-f1, function-call-valid, trigger_expectation, command_contains,"
                            + " file_exists, max_command_count, rubric, factuality, closed-qa, similar, python,"
                            + " javascript, program, group, lost, but is the text \"icontain\"; did you mean"
                            + " `icontains`?"),
                Arguments.of("{type: equals, value: null}", "value: `value` must not be null; write a text, "),
                Arguments.of("{type: contains-any, value: a}", "value: `value` must be a list, but is the text \"a\"."),
                Arguments.of("{type: contains-all, value: []}", "value: `value` must have at least one item; "),
                Arguments.of("{type: bleu, value: [a, 1]}", "value[1]: `cases[0].checks[0].value[1]` must be text, "),
                Arguments.of("{type: word-count, value: {min: 3, max: 2}}", "value.min: `min` must not be more than "),
                Arguments.of("{type: word-count, value: {}}", "value: `value` must be a number, or have `min`, "),
                Arguments.of("{type: gleu, value: a, threshold: 2}", "threshold: `threshold` must be a number from 0 "),
                Arguments.of(
                        "{type: rubric, value: Kind}", "grader: No grader is named for `cases[0].checks[0]`: write a "),
                Arguments.of(
                        "{type: rubric, value: ' ', grader: {kind: scripted, script: {answers: [a]}}}",
                        "value: `value` must not be blank; "),
                Arguments.of(
                        "{type: rubric, grader: {kind: scripted, script: {answers: [a]}}}",
                        "value: `value` is missing"),
                Arguments.of(
                        "{type: factuality, rubric: a, value: a, grader: {kind: scripted, script: {answers: [a]}}}",
                        "rubric: `rubric` belongs to checks of type rubric only; remove it."),
                Arguments.of(
                        "{type: closed-qa, value: a, grader: gpt}", "grader: `grader` must be an object with fields "),
                Arguments.of(
                        "{type: similar, value: a}",
                        "grader: No grader computes embeddings for `cases[0].checks[0]`: write a `grader` with "),
                Arguments.of(
                        "{type: similar, value: [a, ' '], grader: {kind: scripted, script: {answers: ['1']}}}",
                        "value[1]: `cases[0].checks[0].value[1]` must not be blank; "),
                Arguments.of(
                        "{type: similar, value: [" + "a,".repeat(101)
                                + "], grader: {kind: scripted, script: {answers: ['1']}}}",
                        "value: `value` has 101 texts; compare with at most 100 in one check."),
                Arguments.of(
                        "{type: similar, value: a, threshold: 1.1, grader: {kind: scripted, script: {answers: ['1']}}}",
                        "threshold: `threshold` must be a number from 0 to 1"),
                Arguments.of(
                        "{type: similar, value: a, grader: {kind: scripted, script: {echo: true}}}",
                        "grader.script.echo: A script that stands for embeddings answers with the similarity; "),
                Arguments.of(
                        "{type: similar, value: a, grader: {provider: openai, model: e, thinking: low}}",
                        "grader.thinking: A model of embeddings does not think; "),
                Arguments.of(
                        "{type: similar, value: a, grader: {provider: openai, model: e, parameters: {seed: 1}}}",
                        "grader.parameters: A model of embeddings has no `parameters`; "),
                Arguments.of(
                        "{type: rubric, value: a, grader: {provider: opnai, model: gpt}}",
                        "grader.provider: Unknown provider `opnai`; did you mean `openai`?"),
                Arguments.of(
                        "{type: group, checks: [{type: similar, value: a, grader: {provider: none, model: e}}]}",
                        "checks[0].grader.provider: Unknown provider `none`; "),
                Arguments.of("{type: latency}", "threshold: `threshold` is missing; add it."),
                Arguments.of("{type: refusal, value: a}", "value: `value` is not used by checks of type refusal; "),
                Arguments.of("{type: group, checks: []}", "checks: `checks` must have at least one item; "),
                Arguments.of(
                        "{type: group, checks: [{type: group, checks: [{type: regex}]}]}",
                        "checks[0].checks[0].value: `value` is missing; add it."),
                Arguments.of("{value: a}", "type: `type` is missing; add it."),
                Arguments.of("{type: equals}", "value: `value` is missing; add it."),
                Arguments.of(
                        "{type: contains, value: 42}",
                        "value: `value` must be text, but is the number 42; put it in quotes."),
                Arguments.of(
                        "{type: contains, value: \"\"}",
                        "value: `value` must not be empty; every response would pass."),
                Arguments.of(
                        "{type: contains, value: a, required: \"no\"}",
                        "required: `required` must be true or false, but is the text \"no\"."),
                Arguments.of(
                        "{type: contains, value: a, schema: {}}",
                        "schema: `schema` belongs to checks of type json only; remove it."),
                Arguments.of(
                        "{type: regex, value: \"a(b\"}",
                        "value: `value` cannot be used as a regular expression (Java syntax): Unclosed group at"
                                + " position 3; correct it."),
                Arguments.of(
                        "{type: regex, value: \"*a\"}",
                        "value: `value` cannot be used as a regular expression (Java syntax): Dangling meta character"
                                + " '*' at position 0; correct it."),
                Arguments.of("{type: json, value: a}", "value: `value` is not used by checks of type json; remove it."),
                Arguments.of("{type: json, schema: [1]}", "schema: A JSON Schema is an object, or true or false."),
                Arguments.of("{type: json, schema: {type: strin}}", "schema: It is not a JSON Schema: "),
                Arguments.of("{type: json, schema: {pattern: \"a(\"}}", "schema: "),
                Arguments.of(
                        "{type: json, schema: {$ref: \"#/$defs/none\"}}", "schema: The JSON Schema cannot be used: "),
                Arguments.of(
                        "{type: json, schema: {$ref: \"http://127.0.0.1:1/s.json\"}}",
                        "schema: The JSON Schema cannot be used: "),
                Arguments.of(
                        "{type: json, schema: {$schema: \"http://json-schema.org/draft-07/schema#\"}}",
                        "schema: Only JSON Schema draft 2020-12 is known; "));
    }

    @ParameterizedTest
    @MethodSource("wrongChecks")
    void shouldNameFieldAndRemedyWhenACheckIsWrong(String check, String error) {
        List<String> errors = CampaignFile.minimal()
                .with("/cases/0/checks", "[" + check + "]")
                .errors();

        assertThat(errors).singleElement().asString().startsWith("cases[0].checks[0]." + error);
    }

    @Test
    void shouldAskForAModelOfEmbeddingsWhenTheCampaignsGraderAnswersQuestions() {
        assertThat(CampaignFile.minimal()
                        .with("/grader", "{provider: openai, model: gpt}")
                        .with("/cases/0/checks", "[{type: rubric, value: a}, {type: similar, value: a}]")
                        .errors())
                .singleElement()
                .asString()
                .startsWith("cases[0].checks[1].grader: The campaign's `grader` answers questions, such as that of"
                        + " `cases[0].checks[0]`: ");
    }

    @Test
    void shouldNotTakeAJudgeForAModelOfEmbeddings() {
        assertThat(CampaignFile.minimal()
                        .with("/strategy", "{type: llm-judge, judge: {provider: openai, model: gpt}}")
                        .with("/cases/0/checks", "[{type: similar, value: a}]")
                        .errors())
                .singleElement()
                .asString()
                .startsWith("cases[0].checks[0].grader: No grader computes embeddings for ");
    }

    @Test
    void shouldRefuseAProviderThatHasNoEmbeddings() {
        assertThat(CampaignFile.minimal()
                        .with("/grader", "{provider: anthropic, model: claude}")
                        .with("/cases/0/checks", "[{type: similar, value: a}]")
                        .errors())
                .contains("grader.provider: Provider anthropic has no embeddings; name another one.");
    }

    static Stream<Arguments> wrongConversations() {
        return Stream.of(
                Arguments.of(
                        "{id: x}",
                        "prompt: `prompt` is missing; write one, or a `context` that ends on a user message."),
                Arguments.of(
                        "{id: x, prompt: null, context: []}",
                        "prompt: `prompt` is missing; write one, or a `context` that ends on a user message."),
                Arguments.of(
                        "{id: x, context: [{role: assistant, content: a}]}",
                        "context: `context` ends on an assistant message; add a `prompt`, or end it on a user"
                                + " message."),
                Arguments.of(
                        "{id: x, context: [{role: usr, content: a}]}",
                        "context[0].role: `role` must be one of user, assistant, tool, but is the text \"usr\"; did"
                                + " you mean `user`?"),
                Arguments.of(
                        "{id: x, context: [{role: system, content: a}]}",
                        "context[0].role: Role `system` is not allowed in a conversation; write `systemPrompt` in the"
                                + " branch instead."),
                Arguments.of("{id: x, context: [{role: user}]}", "context[0].content: `content` is missing; add it."),
                Arguments.of(
                        "{id: x, context: [{role: user, content: 1}]}",
                        "context[0].content: `content` must be text or a list of blocks, but is the number 1; put it"
                                + " in quotes."),
                Arguments.of(
                        "{id: x, context: [{role: user, content: []}]}",
                        "context[0].content: `content` must not be an empty list; write what was said."),
                Arguments.of(
                        "{id: x, context: [{role: user, content: [{type: txt, text: a}]}]}",
                        "context[0].content[0].type: Unknown block type the text \"txt\"; did you mean `text`?"),
                Arguments.of(
                        "{id: x, context: [{role: user, content: [{type: image, mediaType: image/png, data: \"?\"}]}]}",
                        "context[0].content[0].data: `data` must be the image's bytes in base64."),
                Arguments.of(
                        "{id: x, context: [{role: tool, content: a}]}",
                        "context[0].toolResult: `toolResult` is missing; say which tool call the message answers."),
                Arguments.of(
                        "{id: x, context: [{role: user, content: a, toolResult: {callId: c, name: n}}]}",
                        "context[0].toolResult: `toolResult` belongs to messages of role tool only; remove it."));
    }

    @ParameterizedTest
    @MethodSource("wrongConversations")
    void shouldNameFieldAndRemedyWhenAConversationIsWrong(String written, String error) {
        assertThat(CampaignFile.minimal().with("/cases/0", written).errors()).containsExactly("cases[0]." + error);
    }

    @Test
    void shouldRefuseEveryRequiredFieldWhenItIsMissing() {
        assertThat(CampaignFile.errors(Json.mapper().createObjectNode()))
                .containsExactly(
                        "name: `name` is missing; add it.",
                        "branches: `branches` is missing; add it.",
                        "cases: `cases` is missing; write at least one case with an id and a prompt.");
        assertThat(CampaignFile.minimal()
                        .with("/branches/0", "{}")
                        .with("/cases/0", "{prompt: x}")
                        .errors())
                .containsExactly(
                        "branches[0].id: `id` is missing; add it.",
                        "branches[0].provider: `provider` is missing; add it.",
                        "branches[0].model: `model` is missing; add it.",
                        "cases[0].id: `id` is missing; add it.");
    }

    @Test
    void shouldRefuseTheDocumentWhenItIsNoObject() {
        assertThat(CampaignFile.errors(TextNode.valueOf("hello")))
                .containsExactly(
                        ": The document must be an object with fields such as name, description, but is the text"
                                + " \"hello\".");
    }

    @Test
    void shouldRefuseACaseIdWhenItIsUsedTwice() {
        assertThat(CampaignFile.minimal()
                        .with("/cases/-", "{id: france, prompt: Again?}")
                        .errors())
                .containsExactly(
                        "cases[1].id: Case id `france` is already the id of `cases[0]`; give every case an id of its"
                                + " own.");
    }

    @Test
    void shouldRefuseABranchIdWhenItIsUsedTwice() {
        assertThat(CampaignFile.minimal()
                        .with("/branches/-", "{id: small, provider: openai, model: m}")
                        .errors())
                .containsExactly(
                        "branches[1].id: Branch id `small` is already the id of `branches[0]`; give every branch an id"
                                + " of its own.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a/b", "a\\b", "..", "a..b", ".", "a\u0007b", "a\nb", "\u0085"})
    void shouldRefuseAnIdWhenItCouldNotNameADirectory(String id) {
        List<String> errors = CampaignFile.minimal()
                .with("/cases/0/id", TextNode.valueOf(id))
                .with("/branches/0/id", TextNode.valueOf(id))
                .errors();

        assertThat(errors).hasSize(2);
        assertThat(errors.getFirst()).startsWith("branches[0].id: `id` must not");
        assertThat(errors.getLast()).startsWith("cases[0].id: `id` must not");
    }

    @Test
    void shouldCountCharactersWhenAnIdIsLong() {
        assertThat(CampaignFile.minimal().with("/cases/0/id", "😀".repeat(128)).errors())
                .isEmpty();
        assertThat(CampaignFile.minimal().with("/cases/0/id", "a".repeat(129)).errors())
                .containsExactly("cases[0].id: `id` must have at most 128 characters; choose another id.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1001", "-1"})
    void shouldRefuseTrialsWhenTheyAreOutOfRange(String trials) {
        assertThat(CampaignFile.minimal().with("/trials", trials).errors())
                .containsExactly(
                        "trials: EVAL_INVALID_TRIALS_CONFIG: `trials` must be a whole number from 1 to 1000, but is "
                                + trials + ".");
    }

    @ParameterizedTest
    @CsvSource({
        ".nan, 'is NaN, which is not a number'",
        ".inf, is infinite",
        "-.inf, is infinite",
        "1.1, is 1.1",
        "-0.1, is -0.1",
        "'\"0.5\"', 'is the text \"0.5\"; write it without quotes'"
    })
    void shouldRefuseThresholdsWhenTheyAreNoShare(String threshold, String found) {
        List<String> errors = CampaignFile.minimal()
                .with("/gate", "{passThreshold: " + threshold + ", suiteThreshold: " + threshold + "}")
                .errors();

        assertThat(errors)
                .containsExactly(
                        "gate.passThreshold: EVAL_INVALID_THRESHOLD: `passThreshold` must be a number from 0 to 1, but "
                                + found + ".",
                        "gate.suiteThreshold: EVAL_INVALID_THRESHOLD: `suiteThreshold` must be a number from 0 to 1,"
                                + " but "
                                + found + ".");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "0.5", "1.0", "1e-3"})
    void shouldTakeThresholdsWhenTheyAreShares(String threshold) {
        assertThat(CampaignFile.minimal()
                        .with("/gate", "{passThreshold: " + threshold + "}")
                        .errors())
                .isEmpty();
    }

    @Test
    void shouldNameTheCustomStrategiesOfTheWorkersWhenOneIsUnknown() {
        JsonNode document = CampaignFile.minimal()
                .with("/strategy", "{type: custom, name: shortes}")
                .document();

        assertThatThrownBy(() -> CampaignReader.read(document, CampaignFile.PROVIDERS))
                .isInstanceOfSatisfying(
                        AssayException.class,
                        e -> assertThat(e.errors())
                                .extracting(FieldError::message)
                                .containsExactly(
                                        "Unknown custom strategy `shortes`; no worker has one; put its JAR file"
                                                + " among the plugins of the workers."));
        assertThatThrownBy(() -> CampaignReader.read(
                        document, new WorkerCapabilities(CampaignFile.PROVIDERS, null, Set.of("shortest", "kindest"))))
                .isInstanceOfSatisfying(
                        AssayException.class,
                        e -> assertThat(e.errors())
                                .extracting(FieldError::message)
                                .containsExactly("Unknown custom strategy `shortes`; workers have kindest, shortest."));
    }

    @Test
    void shouldAskForRoundsWhenPairsOfManyBranchesAreCompared() {
        CampaignFile file =
                CampaignFile.minimal().with("/strategy", "{type: pairwise, judge: {provider: openai, model: m}}");
        String branch = "{id: b%d, provider: openai, model: m}";
        String branches =
                IntStream.range(0, 21).mapToObj(branch::formatted).collect(Collectors.joining(", ", "[", "]"));

        assertThat(file.with("/branches", branches).errors())
                .containsExactly(
                        "strategy.rounds: `rounds` is missing: every pair of 21 branches would be compared; write how"
                                + " many rounds, or compare at most 20 branches.");
        assertThat(file.with("/branches", branches)
                        .with("/strategy/rounds", "5")
                        .errors())
                .isEmpty();
    }

    @Test
    void shouldRefuseTransparentWhenThereAreTwoBranches() {
        assertThat(CampaignFile.full().with("/strategy", "{type: transparent}").errors())
                .containsExactly(
                        "strategy.type: Strategy transparent takes one branch, but there are 2; choose another, such"
                                + " as pick-first, token-efficient, elaborate or llm-judge.");
    }

    @Test
    void shouldListProvidersWhenOneIsUnknown() {
        assertThat(CampaignFile.minimal().with("/branches/0/provider", "opnai").errors())
                .containsExactly(
                        "branches[0].provider: Unknown provider `opnai`; did you mean `openai`? Known providers are"
                                + " anthropic, mistral, ollama, openai.");
        assertThat(CampaignFile.minimal().with("/branches/0/provider", "zzz").errors())
                .containsExactly(
                        "branches[0].provider: Unknown provider `zzz`; known providers are anthropic, mistral, ollama,"
                                + " openai.");
        assertThat(CampaignFile.minimal().with("/branches/0/provider", "replay").errors())
                .containsExactly(
                        "branches[0].provider: `replay` is no provider of models; write `kind: replay` instead.");
    }

    @Test
    void shouldNameTheVariableWhenAProviderHasNoKey() {
        assertThat(CampaignFile.full()
                        .with("/branches/0/provider", "mistral")
                        .with("/strategy/judge/provider", "mistral")
                        .without("/limits/budgetUsd")
                        .errors())
                .containsExactly(
                        "branches[0].provider: Provider mistral has no key: set MISTRAL_API_KEY.",
                        "strategy.judge.provider: Provider mistral has no key: set MISTRAL_API_KEY.");
    }

    @Test
    void shouldAskForAKeyAndAPriceWhenACustomStrategyAsksModels() {
        CampaignFile file = CampaignFile.minimal()
                .with(
                        "/strategy",
                        "{type: custom, name: mine, maxAsks: 1, models: {a: {provider: mistral, model: m},"
                                + " b: {provider: openai, model: gpt-9}, c: {provider: openai, model: gpt-5-mini}}}");

        assertThat(file.errors())
                .containsExactly("strategy.models.a.provider: Provider mistral has no key: set MISTRAL_API_KEY.");
        assertThat(file.with("/strategy/models/a/provider", "openai")
                        .with("/strategy/models/a/model", "gpt-5-mini")
                        .with("/limits", "{budgetUsd: 1}")
                        .errors())
                .singleElement()
                .asString()
                .startsWith("strategy.models.b.model: Model gpt-9 of provider openai has no price, which");
    }

    @Test
    void shouldAskForNoKeyWhenTheBranchIsAReplay() {
        String replay = "{id: r, kind: replay, provider: mistral, model: m, cassette: [" + RecordedAnswers.ENTRY + "]}";

        assertThat(CampaignFile.minimal()
                        .with("/branches/0", replay)
                        .with("/limits", "{budgetUsd: 1}")
                        .errors())
                .isEmpty();
    }

    @Test
    void shouldAskForAPriceWhenThereIsABudget() {
        assertThat(CampaignFile.minimal()
                        .with("/branches/0/model", "gpt-9")
                        .with("/limits", "{budgetUsd: 1}")
                        .errors())
                .containsExactly(
                        "branches[0].model: Model gpt-9 of provider openai has no price, which `limits.budgetUsd`"
                                + " needs; give it one under `prices` of the provider in providers.yaml, or remove"
                                + " `limits.budgetUsd`.");
        assertThat(CampaignFile.minimal()
                        .with("/branches/0/model", "gpt-9")
                        .with("/branches/0/limits", "{maxCostUsd: 1}")
                        .errors())
                .singleElement()
                .asString()
                .startsWith(
                        "branches[0].model: Model gpt-9 of provider openai has no price, which `maxCostUsd` needs;");
        assertThat(CampaignFile.full()
                        .with("/strategy/judge", "{provider: openai, model: gpt-9}")
                        .errors())
                .singleElement()
                .asString()
                .startsWith("strategy.judge.model: Model gpt-9 of provider openai has no price");
    }

    @Test
    void shouldRefuseANamedSuiteWhenItIsText() {
        assertThat(CampaignFile.minimal()
                        .without("/cases")
                        .with("/suite", "capitals")
                        .errors())
                .containsExactly("suite: Stored suites cannot be named yet; give `cases` instead.");
    }

    @Test
    void shouldRefuseSuiteAndCasesWhenBothAreWritten() {
        assertThat(CampaignFile.minimal()
                        .with("/suite", "{cases: [{id: a, prompt: b}]}")
                        .errors())
                .containsExactly("cases: Write either `suite` or `cases`, not both.");
    }

    @Test
    void shouldRefuseScriptsWhenTheyAreWrong() {
        assertThat(CampaignFile.minimal()
                        .with(
                                "/branches/0",
                                "{id: s, kind: scripted, script: {answers: [], delayMs: -1, failures: [{status: 200},"
                                        + " {}]}}")
                        .errors())
                .containsExactly(
                        "branches[0].script.answers: `answers` must have at least one item; it is an empty list.",
                        "branches[0].script.delayMs: `delayMs` must be a whole number from 0 to 3600000, but is -1.",
                        "branches[0].script.failures[0].status: `status` must be a whole number from 400 to 599, but"
                                + " is 200.",
                        "branches[0].script.failures[1].status: `status` is missing; add it.");
        assertThat(CampaignFile.minimal()
                        .with("/branches/0", "{id: s, kind: scripted, model: m}")
                        .errors())
                .containsExactly(
                        "branches[0].model: `model` belongs to kind model or replay, but the kind is scripted; remove"
                                + " it or write another `kind`.",
                        "branches[0].script: `script` is missing; add it.");
    }

    @Test
    void shouldRefuseCassettesWhenTheyAreWrong() {
        CampaignFile replay =
                CampaignFile.minimal().with("/branches/0", "{id: r, kind: replay, provider: p, model: m}");

        assertThat(replay.errors()).containsExactly("branches[0].cassette: `cassette` is missing; add it.");
        assertThat(replay.with("/branches/0/cassette", "answers.jsonl").errors())
                .containsExactly(
                        "branches[0].cassette: `cassette` must be the list of recorded answers here; a path to a"
                                + " cassette file is read by the command line only.");
        assertThat(replay.with("/branches/0/cassette", "[" + RecordedAnswers.ENTRY + ", " + RecordedAnswers.ENTRY + "]")
                        .errors())
                .containsExactly(
                        "branches[0].cassette: `cassette` answers a question twice in one trial; keep one entry for"
                                + " each key and trial.");
        assertThat(replay.with("/branches/0/cassette", "[" + RecordedAnswers.ENTRY.replace("assistant", "user") + "]")
                        .errors())
                .containsExactly("branches[0].cassette[0].reply: `reply` must be a message of role assistant.");
    }

    @Test
    void shouldRefuseTextWhenItCannotBeStored() {
        assertThat(CampaignFile.minimal()
                        .with("/cases/0/prompt", TextNode.valueOf("a\0b"))
                        .with("/cases/0/metadata", Json.mapper().valueToTree(Map.of("k", "\0", "n\0", "v")))
                        .with("/branches/0/systemPrompt", TextNode.valueOf("half \ud83d"))
                        .errors())
                .containsExactlyInAnyOrder(
                        "cases[0].prompt: The text holds the character U+0000, which cannot be stored; remove it.",
                        "cases[0].metadata.k: The text holds the character U+0000, which cannot be stored; remove it.",
                        "cases[0].metadata[\"n\\u0000\"]: The text holds the character U+0000, which cannot be stored;"
                                + " remove it.",
                        "branches[0].systemPrompt: The text holds half of a surrogate pair, which is no character;"
                                + " remove it.");
    }

    @Test
    void shouldRefuseNumbersWhenTheyAreHuge() {
        assertThat(CampaignFile.minimal()
                        .with("/trials", DecimalNode.valueOf(new BigDecimal("1e999999999")))
                        .with(
                                "/gate",
                                Json.mapper().valueToTree(Map.of("passThreshold", new BigDecimal("1e-999999999"))))
                        .with(
                                "/cases/0/metadata",
                                JsonNodeFactory.instance.objectNode().set("x", DoubleNode.valueOf(Double.NaN)))
                        .errors())
                .containsExactly(
                        "trials: EVAL_INVALID_TRIALS_CONFIG: `trials` must be a whole number from 1 to 1000, but has"
                                + " too many digits.",
                        "gate.passThreshold: EVAL_INVALID_THRESHOLD: `passThreshold` must be a number from 0 to 1, but"
                                + " has too many digits.",
                        "cases[0].metadata.x: `cases[0].metadata.x` must be text, a number, true or false, but is the"
                                + " number NaN.");
    }

    @Test
    void shouldRefuseTheDocumentWhenItIsNestedTooDeeply() {
        ObjectNode deep = JsonNodeFactory.instance.objectNode();
        ObjectNode inner = deep;
        for (int i = 0; i < 100_000; i++) {
            inner = inner.putObject("x");
        }

        assertThat(CampaignFile.minimal().document().<ObjectNode>set("deep", deep))
                .isNotNull();
        assertThat(CampaignFile.errors(JsonNodeFactory.instance.objectNode().set("deep", deep)))
                .singleElement()
                .asString()
                .contains("nested more than 100 levels deep here");
    }

    @Test
    void shouldRefuseTheCampaignWhenItHasMoreCellsThanCanBeNumbered() {
        String branches = "[" + "{id: bX, provider: openai, model: m}, ".repeat(100) + "]";
        for (int i = 0; i < 100; i++) {
            branches = branches.replaceFirst("bX", "b" + i);
        }
        StringBuilder cases = new StringBuilder("[");
        for (int i = 0; i < 21_475; i++) {
            cases.append("{id: c").append(i).append(", prompt: p}, ");
        }

        assertThat(CampaignFile.minimal()
                        .with("/branches", branches)
                        .with("/cases", cases + "]")
                        .with("/trials", "1000")
                        .errors())
                .singleElement()
                .asString()
                .startsWith("trials: The campaign has 2147500000 cells");
    }

    @Test
    void shouldRefuseTheCampaignWhenItHasMoreBranchesThanAWorkflowTakes() {
        CampaignFile file = CampaignFile.minimal();
        for (int i = 0; i < 100; i++) {
            file = file.with("/branches/-", "{id: b" + i + ", provider: openai, model: m}");
        }

        assertThat(file.errors())
                .containsExactly("branches: There are 101 branches; compare at most 100 in one campaign.");
    }
}
