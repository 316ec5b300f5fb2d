package dev.assay.web.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.json.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What broke something once, and what might. */
final class HostileText {

    private static final List<String> PARAMETERS = List.of(
            "%00",
            "%2500",
            "%zz",
            "%",
            "%C0%80",
            "%ED%A0%80",
            "..",
            "%2e%2e",
            "%2F",
            "a%2F..%2Fb",
            "-1",
            "0",
            "1",
            "99999999999999999999",
            "NaN",
            "null",
            "true",
            "%20",
            "%0d%0a",
            "%F0%9F%98%80",
            "'",
            "%22",
            "%3Cscript%3E",
            "{id}",
            "[]",
            ";a=b",
            "%5C",
            "1e9",
            "0x10",
            "%7f",
            "+",
            "a=b",
            "a&b",
            "$%7B1%7D",
            "*",
            "\u00ff");

    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "\0",
            "a\0b",
            "\ud83d",
            "\udc00",
            "😀",
            "\n",
            "\u2028",
            "../..",
            "a/b",
            "${x}",
            "{result}",
            "{{x}}",
            "$ref",
            "#",
            "null",
            "NaN",
            "1e99999999999",
            "\uFFFF",
            "null",
            "%s%n",
            "'; DROP TABLE campaign; --");

    private static final List<String> JSON = List.of(
            "null",
            "true",
            "0",
            "-1",
            "1.5",
            "1e400",
            "1e-400",
            "[]",
            "{}",
            "[[]]",
            "{\"\":1}",
            "\"\"",
            "[null]",
            "99999999999999999999",
            "{\"properties\":{\"\":1}}",
            "{\"$ref\":\"#\"}",
            "{\"type\":\"llm-judge\"}",
            "{\"type\":\"regex\",\"value\":\"(\"}",
            "[{\"type\":\"json\",\"schema\":{\"$ref\":\"#/x\"}}]",
            "[{\"type\":\"regex\",\"value\":\"((a+)+)+$\"}]",
            "[{\"role\":\"user\",\"content\":\"x\"}]",
            "[{\"id\":\"\"}]",
            "[1,2,3]",
            "{\"a\":{\"b\":{\"c\":[1]}}}");

    private final Random random;
    private final int largest;

    HostileText(Random random, int largest) {
        this.random = random;
        this.largest = largest;
    }

    private <T> T any(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    String parameter() {
        return switch (random.nextInt(10)) {
            case 0 -> "a".repeat(random.nextInt(6_000));
            case 1 -> URLEncoder.encode(text(), StandardCharsets.UTF_8);
            default -> any(PARAMETERS);
        };
    }

    String pageToken() {
        String keys = any(List.of(
                "2026-01-01T00:00:00Z\na\0b",
                "+999999999-01-01T00:00:00Z\na",
                "-999999999-01-01T00:00:00Z\na",
                "1\n1",
                "a",
                "\n",
                "9999999999\n1",
                "-1\n-1",
                "1",
                "\0",
                "2026-01-01T00:00:00Z\n\ud83d"));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(keys.getBytes(StandardCharsets.UTF_8));
    }

    String header() {
        return switch (random.nextInt(6)) {
            case 0 -> "a".repeat(random.nextInt(9_000));
            case 1 -> "\u00e9\u00ff\u0080";
            case 2 -> "-1";
            case 3 -> "99999999999999999999999";
            case 4 -> "*/*;q=x, ,;";
            default -> "a\tb\"'%00";
        };
    }

    String text() {
        return random.nextInt(12) == 0 ? "k".repeat(random.nextInt(20_000)) : any(TEXTS);
    }

    JsonNode value() {
        return switch (random.nextInt(8)) {
            case 0, 1 -> TextNode.valueOf(text());
            case 2 -> IntNode.valueOf(random.nextInt());
            case 3 -> deep(random.nextInt(300));
            default -> Json.tree(any(JSON));
        };
    }

    private static JsonNode deep(int levels) {
        JsonNode node = IntNode.valueOf(1);
        for (int i = 0; i < levels; i++) {
            node = JsonNodeFactory.instance.arrayNode().add(node);
        }
        return node;
    }

    byte[] body() {
        int size = random.nextInt(4) == 0 ? largest : 2_000;
        String text = switch (random.nextInt(14)) {
            case 0 -> "#".repeat(size);
            case 1 -> "{},".repeat(size / 3);
            case 2 -> "{\"cases\":[" + "{},".repeat(size / 3) + "{}]}";
            case 3 -> unknownKeys(size / 16);
            case 4 -> "[".repeat(Math.min(size, 100_000));
            case 5 -> "{\"trials\": " + "9".repeat(1_001) + "}";
            case 6 -> "{\"trials\": 1e99999999999, \"maxConcurrent\": 1e-99999999999}";
            case 7 -> "a: &a [x]\n" + "b: *a\n".repeat(3);
            case 8 ->
                IntStream.range(0, size / 12).mapToObj(i -> "- &a" + i + " x\n").collect(Collectors.joining());
            case 9 -> "? " + "k".repeat(size) + "\n: 1\n";
            case 10 -> "{\"" + "k".repeat(size) + "\": 1}";
            case 11 -> "{\"a\": \"\\ud83d\", \"query\": \"\\u0000\", \"responses\": [\"\\udc00\"]}";
            case 12 -> "a: " + "x".repeat(1_019 + random.nextInt(4)) + "😀\n";
            default -> "\uFEFF \t\r\n";
        };
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int broken = random.nextInt(3) - 1; broken > 0 && bytes.length > 0; broken--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
    }

    private static String unknownKeys(int keys) {
        return IntStream.range(0, keys)
                .mapToObj(i -> "\"unknown" + i + "\":1")
                .collect(Collectors.joining(",", "{", "}"));
    }
}
