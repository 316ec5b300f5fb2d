package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Random;

/** Trees of the words that configurations have, in places where they do not belong. */
final class Trees {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private static final String[] WORDS = {
        "prompts",
        "raw",
        "label",
        "id",
        "echo",
        "openai:x",
        "exec:",
        "config",
        "tests",
        "vars",
        "assert",
        "type",
        "value",
        "equals",
        "not-equals",
        "contains-all",
        "regex",
        "is-json",
        "word-count",
        "assert-set",
        "threshold",
        "weight",
        "metric",
        "options",
        "prefix",
        "suffix",
        "transform",
        "metadata",
        "description",
        "$ref",
        "#/tests/0",
        "#/prompts",
        "file://a.txt",
        "file://*",
        "../x",
        "{{ a }}",
        "{% if",
        "[",
        "(?<a",
        "\u0000",
        "\uD800",
        "",
        "x.csv",
        "repeat",
        "maxConcurrency",
        "timeoutMs",
        "providers",
        "disableVarExpansion",
        "role",
        "content",
        "system",
        "a\nb"
    };

    private Trees() {}

    static JsonNode any(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 8)) {
            case 0 -> NODES.numberNode(random.nextInt(5) - 1);
            case 1 -> random.nextBoolean() ? NODES.nullNode() : NODES.booleanNode(random.nextBoolean());
            case 2, 3 -> NODES.textNode(word(random));
            case 4, 5 -> {
                ArrayNode list = NODES.arrayNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    list.add(any(random, depth - 1));
                }
                yield list;
            }
            default -> {
                ObjectNode object = NODES.objectNode();
                for (int i = random.nextInt(5); i > 0; i--) {
                    object.set(word(random), any(random, depth - 1));
                }
                yield object;
            }
        };
    }

    private static String word(Random random) {
        return WORDS[random.nextInt(WORDS.length)];
    }
}
