package dev.assay.domain.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import org.jspecify.annotations.Nullable;

/** The one JSON codec: HTTP bodies, JSONB columns, cassettes and artifacts are all written and read by it. */
public final class Json {

    private static final ObjectMapper MAPPER =
            configure(JsonMapper.builder(factory())).build();

    private static final ObjectMapper SNAKE_CASE =
            MAPPER.copy().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);

    private Json() {}

    /** The shared mapper. Treat it as immutable. */
    public static ObjectMapper mapper() {
        return MAPPER;
    }

    /** {@code value} as a tree whose fields are in snake_case. Keys of maps, which users name, stay as they are. */
    public static JsonNode snakeCase(@Nullable Object value) {
        return SNAKE_CASE.valueToTree(value);
    }

    /** Names are not interned: they come from users, and the JVM keeps one table of interned texts for everything. */
    private static JsonFactory factory() {
        return JsonFactory.builder()
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .build();
    }

    private static JsonMapper.Builder configure(JsonMapper.Builder builder) {
        return builder.addModule(new JavaTimeModule())
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN);
    }

    /** Writes {@code value} as compact JSON. */
    public static String write(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Value of " + value.getClass() + " cannot be written as JSON", e);
        }
    }

    /** Writes {@code value} as compact JSON in UTF-8, which takes half the time for bytes that are sent unchanged. */
    public static byte[] bytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Value of " + value.getClass() + " cannot be written as JSON", e);
        }
    }

    /** Writes {@code tree} as {@code JSON.stringify} indents by two. */
    public static String indented(JsonNode tree) {
        DefaultIndenter lines = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(Separators.createDefaultInstance()
                        .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                        .withObjectEmptySeparator("")
                        .withArrayEmptySeparator(""))
                .withObjectIndenter(lines)
                .withArrayIndenter(lines);
        try {
            return MAPPER.writer(printer).writeValueAsString(tree);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("The tree cannot be written as JSON", e);
        }
    }

    /** Reads {@code json}, which Assay itself wrote. */
    public static <T> T read(String json, Class<T> type) {
        try {
            return MAPPER.readValue(json, type);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Stored JSON is not a " + type.getSimpleName(), e);
        }
    }

    /** Reads {@code json}, which Assay itself wrote, as a tree. */
    public static JsonNode tree(String json) {
        return read(json, JsonNode.class);
    }
}
