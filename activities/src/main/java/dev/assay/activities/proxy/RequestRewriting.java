package dev.assay.activities.proxy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The copy of a request's JSON, word by word, with a model that is allowed and an output that is bounded. No tree is built: one of a
 * hostile body takes twenty times its bytes.
 */
final class RequestRewriting {

    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(RequestMemory.MAX_BODY)
                    .build())
            .build();

    /** Fields by which gateways are told other models than {@code model}. */
    private static final Set<String> OTHER_MODELS = Set.of("models", "fallbacks");

    private static final String MODEL = "model";
    private static final String STREAM = "stream";
    private static final String OPTIONS = "stream_options";
    private static final String USAGE = "include_usage";
    private static final String ANSWERS = "n";

    private static final int MOST_ANSWERS = 128;

    private final Route route;
    private final Terms terms;
    private final JsonParser from;
    private final JsonGenerator to;
    private final Set<String> seen = new HashSet<>();
    private final ByteArrayOutputStream written;
    private final List<String> limits;

    private @Nullable String model;
    /** The options of a chat's stream beside its usage; null: there are none. */
    private @Nullable String options;

    private boolean streams;
    private int answers = 1;
    private int largest;

    /**
     * The terms under which a program may ask.
     *
     * @param maxTokens output tokens of an answer, at least 1
     * @param newest whether the newer name of a chat's limit is known: OpenAI's own models refuse the older one
     */
    record Terms(Set<String> allow, int maxTokens, boolean newest) {

        Terms {
            allow = Set.copyOf(allow);
        }
    }

    private RequestRewriting(Route route, byte[] body, Terms terms) throws IOException {
        this.route = route;
        this.terms = terms;
        this.limits = route.limits();
        this.from = JSON.createParser(body);
        this.written = new ByteArrayOutputStream(body.length + 256);
        this.to = JSON.createGenerator(written);
    }

    /**
     * The request to send on for {@code body}.
     *
     * @throws RefusedException when it is no JSON object, or asks for what is not allowed
     */
    static SentRequest of(Route route, byte[] body, Terms terms) throws RefusedException {
        try {
            RequestRewriting rewriting = new RequestRewriting(route, body, terms);
            try (rewriting.from;
                    rewriting.to) {
                rewriting.copy();
            }
            return new SentRequest(
                    rewriting.checkedModel(), rewriting.answers, rewriting.largest, rewriting.written.toByteArray());
        } catch (JsonProcessingException e) {
            throw RefusedException.malformed("The body is no JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void copy() throws IOException, RefusedException {
        if (from.nextToken() != JsonToken.START_OBJECT) {
            throw RefusedException.malformed("The body must be a JSON object.");
        }
        to.writeStartObject();
        while (from.nextToken() != JsonToken.END_OBJECT) {
            String name = from.currentName();
            check(name);
            from.nextToken();
            field(name);
        }
        finish();
        to.writeEndObject();
        if (from.nextToken() != null) {
            throw RefusedException.malformed("There is something after the JSON object.");
        }
    }

    /** Refuses names that a provider may read as those that are looked at here, and those that name other models. */
    private void check(String name) throws RefusedException {
        String lower = name.toLowerCase(Locale.ROOT);
        boolean isLookedAt = Stream.concat(Stream.of(MODEL, STREAM, OPTIONS, ANSWERS), limits.stream())
                .anyMatch(lower::equals);
        if (isLookedAt && (!lower.equals(name) || !seen.add(name))) {
            throw RefusedException.malformed("`" + lower + "` must be there once, and in lower case.");
        }
        if (OTHER_MODELS.contains(lower)) {
            throw RefusedException.forbidden("`" + lower + "` may not name further models.");
        }
    }

    private void field(String name) throws IOException, RefusedException {
        if (limits.contains(name)) {
            writeLimit(name, limit());
            return;
        }
        if (name.equals(OPTIONS) && from.currentToken() == JsonToken.START_OBJECT && route == Route.CHAT) {
            options = withoutUsage();
            return;
        }
        switch (name) {
            case MODEL -> model = from.currentToken() == JsonToken.VALUE_STRING ? from.getText() : null;
            case STREAM -> streams = flag();
            case ANSWERS -> answers = answers();
            default -> {}
        }
        to.writeFieldName(name);
        copyValue(to);
    }

    /** Copies the current value with its numbers as they are. */
    private void copyValue(JsonGenerator target) throws IOException {
        int depth = 0;
        while (true) {
            JsonToken token = from.currentToken();
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            target.copyCurrentEventExact(from);
            if (depth == 0) {
                return;
            }
            from.nextToken();
        }
    }

    /** The fields of an object, without the one that is set here and without the braces. */
    private String withoutUsage() throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator target = JSON.createGenerator(text)) {
            target.writeStartObject();
            while (from.nextToken() != JsonToken.END_OBJECT) {
                String name = from.currentName();
                from.nextToken();
                if (name.equals(USAGE)) {
                    from.skipChildren();
                } else {
                    target.writeFieldName(name);
                    copyValue(target);
                }
            }
            target.writeEndObject();
        }
        return text.toString().substring(1, text.toString().length() - 1);
    }

    private boolean flag() throws RefusedException {
        return switch (from.currentToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE, VALUE_NULL -> false;
            default -> throw RefusedException.malformed("`stream` must be true or false.");
        };
    }

    private int answers() throws IOException, RefusedException {
        if (from.currentToken() == JsonToken.VALUE_NULL) {
            return 1;
        }
        int number = whole(MOST_ANSWERS);
        if (number == 0) {
            throw RefusedException.malformed("`n` must be a whole number from 1 to " + MOST_ANSWERS + ".");
        }
        return number;
    }

    /** What is asked for where it is no more than is allowed; else that. */
    private int limit() throws IOException {
        int asked = whole(terms.maxTokens());
        from.skipChildren();
        return asked == 0 ? terms.maxTokens() : asked;
    }

    /** The current value where it is a whole number from 1 to {@code most}; else 0. */
    private int whole(int most) throws IOException {
        if (from.currentToken() != JsonToken.VALUE_NUMBER_INT || from.getNumberType() != JsonParser.NumberType.INT) {
            return 0;
        }
        int value = from.getIntValue();
        return value >= 1 && value <= most ? value : 0;
    }

    private void writeLimit(String name, int tokens) throws IOException {
        to.writeNumberField(name, tokens);
        largest = Math.max(largest, tokens);
    }

    /** Adds what is missing. */
    private void finish() throws IOException {
        if (!limits.isEmpty() && limits.stream().noneMatch(seen::contains)) {
            writeLimit(terms.newest() ? limits.getLast() : limits.getFirst(), terms.maxTokens());
        }
        if (streams && route == Route.CHAT) {
            String others = options == null || options.isEmpty() ? "" : options + ",";
            to.writeFieldName(OPTIONS);
            to.writeRawValue("{" + others + "\"" + USAGE + "\":true}");
        } else if (options != null) {
            to.writeFieldName(OPTIONS);
            to.writeRawValue("{" + options + "}");
        }
    }

    private String checkedModel() throws RefusedException {
        if (model == null) {
            throw RefusedException.malformed("`model` must name a model.");
        }
        if (!terms.allow().contains(model)) {
            throw RefusedException.forbidden("The model is not allowed here; allowed are "
                    + String.join(", ", terms.allow().stream().sorted().toList()) + ".");
        }
        return model;
    }
}
