package dev.assay.domain.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.assay.domain.Vectors;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressPathTest {

    private static final Map<String, String> WORDS = Map.of(
            "layers", "encoded more than 3 times",
            "character", "a backslash, U+0000",
            "dots", ". or .. as a path segment");

    private static final List<String> PIECES = List.of(
            "..", ".", "/", "\\", "%2f", "%2e", "%25", "%", "a", ";", " ", "\t", "é", "\u0000", "%5c", "?", "#", "%00");

    static Stream<JsonNode> vectors() {
        return Vectors.read("paths.json").stream();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldSayTheFaultOfTheVectorWhenAnAddressIsAsked(JsonNode vector) {
        String filled = vector.path("filled").textValue();
        String allowed = vector.path("allowed").textValue();

        assertThat(fault(allowed, filled)).isEqualTo(vector.path("fault").textValue());
    }

    /** The vectors' word for what keeps {@code filled} from being asked; null: it may be. */
    private static @Nullable String fault(String allowed, String filled) {
        String problem = UrlTemplate.problem(filled);
        if (problem != null) {
            return WORDS.entrySet().stream()
                    .filter(word -> problem.contains(word.getValue()))
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElse("address");
        }
        ToolPolicy policy = new ToolPolicy(List.of(new ToolPolicy.Address(allowed, Map.of())), List.of());
        return policy.covering(URI.create(filled)).isPresent() ? null : "place";
    }

    /** What a server sees that decodes a path some times, and then resolves its dots. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldKeepTheSegmentsBeforeAPlaceWhenServersDecodeThePathAnyNumberOfTimes(long seed) {
        Random random = new Random(seed);
        UrlTemplate template = new UrlTemplate("https://api.example/v1/public/{place}/{last}");
        int filled = 0;
        for (int i = 0; i < 5_000; i++) {
            JsonNode arguments = JsonNodeFactory.instance
                    .objectNode()
                    .put("place", text(random))
                    .put("last", text(random));
            try {
                String path = template.fill(arguments).getRawPath();
                filled++;
                for (int decoded = 0; decoded < 6; decoded++) {
                    assertThat(resolved(path)).startsWith("", "v1", "public");
                    path = once(path);
                }
            } catch (ToolException e) {
                assertThat(e).hasMessageStartingWith("With these arguments the address must not have ");
            }
        }
        assertThat(filled).isBetween(200, 4_800);
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
            text.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return text.toString();
    }

    private static String once(String path) {
        try {
            return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException e) {
            return path;
        }
    }

    private static List<String> resolved(String path) {
        Deque<String> segments = new ArrayDeque<>();
        for (String segment : path.split("[/\\\\]", -1)) {
            String name = segment.split(";", -1)[0].strip();
            if (name.equals("..")) {
                segments.pollLast();
            } else if (!name.equals(".")) {
                segments.addLast(segment);
            }
        }
        return List.copyOf(segments);
    }
}
