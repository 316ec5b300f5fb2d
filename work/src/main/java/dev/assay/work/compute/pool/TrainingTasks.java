package dev.assay.work.compute.pool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.agent.AgentHttp;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.definition.Definition;
import dev.assay.domain.definition.Definition.Kind;
import dev.assay.domain.json.Json;
import dev.assay.domain.tool.BuiltInTool;
import dev.assay.work.compute.AnswerTask;
import dev.assay.work.compute.CheckTask;
import dev.assay.work.compute.DefinitionTask;
import dev.assay.work.compute.FillTask;
import dev.assay.work.compute.PatternTask;
import dev.assay.work.compute.SchemaTask;
import dev.assay.work.compute.Task;
import dev.assay.work.compute.ToolTask;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Tasks that reach most classes that a compute process needs. */
final class TrainingTasks {

    /** One of each kind that is evaluated there, as it is stored. */
    private static final List<String> CHECKS = List.of("""
        {"type": "regex", "value": "(P.r)+is|^\\\\w+ [a-z]{2,3}$|(?<n>a)b"}
        """, """
        {"type": "levenshtein", "value": "Paris", "threshold": 2}
        """, """
        {"type": "rouge-n", "value": ["Paris is a city"], "threshold": 0.5}
        """, """
        {"type": "bleu", "value": ["Paris is a city"], "threshold": 0.5}
        """, """
        {"type": "gleu", "value": ["Paris is a city"], "threshold": 0.5}
        """, """
        {"type": "json", "schema": {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer", "minimum": 2},
         "b": {"type": "array", "items": {"type": "string", "pattern": "^x"}, "uniqueItems": true},
         "c": {"anyOf": [{"const": 1.5}, {"enum": ["y"]}]}}}}
        """, """
        {"type": "json", "contains": true}
        """, """
        {"type": "xml", "requiredElements": ["a.b"]}
        """, """
        {"type": "html", "contains": true}
        """, """
        {"type": "function-call-valid"}
        """);

    private static final List<String> RESPONSES = List.of(
            "Paris is the city of 2,102,650 people.",
            "{\"a\": 1, \"b\": [\"x\", \"y\"], \"c\": 1.50}",
            "See <a href='x'><b>it</b></a> and {\"a\": 3}",
            "<a><b c='d'>e</b></a>");

    private TrainingTasks() {}

    static List<Task<?>> all() {
        return Stream.concat(checks(), others()).toList();
    }

    private static Stream<Task<?>> checks() {
        List<Check> checks =
                CHECKS.stream().map(text -> Json.read(text, Check.class)).toList();
        return RESPONSES.stream().map(response -> new CheckTask(checks, CheckInput.of(response)));
    }

    private static Stream<Task<?>> others() {
        JsonNode schema = Json.tree("{\"type\": \"object\", \"required\": [\"a\"]}");
        return Stream.of(
                new FillTask(
                        List.of("{% for x in [1, 2] %}{{ x }}{% endfor %}{% if city %}{{ city|upper|replace('A', 'b')"
                                + " }}{% endif %}"),
                        Map.of("city", TextNode.valueOf("Paris")),
                        false),
                new PatternTask(List.of("P.ris"), "Paris"),
                new SchemaTask(schema, Json.tree("{\"b\": 1}")),
                new AnswerTask("{\"a\": [{\"b\": 1}]}", new AgentHttp.Answer("$.a[0].b", AgentHttp.UsagePaths.NONE)),
                new ToolTask(BuiltInTool.CALCULATOR, Json.tree("{\"expression\": \"2 * (3 + 4)\"}")),
                new DefinitionTask(List.of(
                        new Definition(Kind.PATTERN, "a+"),
                        new Definition(Kind.SCHEMA, schema.toString()),
                        new Definition(Kind.TEMPLATE, "{{ n|upper }}"),
                        new Definition(Kind.PATH, "$.a"))));
    }
}
