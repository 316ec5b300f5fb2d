package dev.assay.activities.provider.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.similarity.Cosine;
import dev.assay.domain.usage.Usage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares texts by the embeddings that OpenAI and compatible servers compute. */
final class Embeddings {

    /** A vector that is no list of numbers is refused: what is missing would be taken for 0. */
    private static final ObjectReader READER =
            Json.mapper().readerFor(Vectors.class).with(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

    /** The path of requests below the provider's URL. */
    static final String PATH = "/embeddings";

    private Embeddings() {}

    /**
     * The similarities of texts.
     *
     * @param similarities of the first text to each other one: the cosine of their embeddings, −1–1
     * @param usage as far as the server reports it
     * @param model what computed them; null: not said
     */
    record Compared(
            List<Double> similarities,
            Usage usage,
            @Nullable String model) {}

    private record Vectors(
            @Nullable List<@Nullable Item> data,
            @Nullable JsonNode usage,
            @Nullable String model) {}

    /** @param index the place of its text among those that were sent; null: its own place among the items */
    @SuppressWarnings("ArrayRecordComponent") // up to 32 MB, never compared and never changed
    private record Item(@Nullable Integer index, double @Nullable [] embedding) {}

    /** The server answered with embeddings that cannot be compared. */
    static final class IncomparableException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        /** @param problem a clause that goes on after "embeddings that" */
        IncomparableException(String problem) {
            super(problem);
        }
    }

    /** The body of a request for the embeddings of {@code texts}. */
    static ObjectNode request(String model, List<String> texts) {
        ObjectNode body = Wire.object().put("model", model);
        texts.forEach(body.withArray("input")::add);
        return body;
    }

    /**
     * Compares the first of {@code count} texts with the others.
     *
     * @param body of the answer to their request
     * @throws IncomparableException when it has no vectors, or some that cannot be compared
     */
    static Compared compared(String body, int count) {
        Vectors answer = read(body);
        List<double[]> vectors = vectors(answer, count);
        List<Double> similarities = new ArrayList<>();
        for (double[] vector : vectors.subList(1, vectors.size())) {
            similarities.add(Cosine.of(vectors.getFirst(), vector)
                    .orElseThrow(() -> new IncomparableException(
                            "have different lengths, are all zeros, or hold what is no number")));
        }
        return new Compared(similarities, usage(answer), answer.model());
    }

    private static Vectors read(String body) {
        try {
            Vectors answer = READER.readValue(body);
            if (answer != null) {
                return answer;
            }
        } catch (JsonProcessingException e) {
            // Said below: what it is instead may be long.
        }
        throw new IncomparableException("cannot be read");
    }

    private static List<double[]> vectors(Vectors answer, int count) {
        List<@Nullable Item> items = answer.data() == null ? List.of() : answer.data();
        if (items.size() != count) {
            throw new IncomparableException("are " + items.size() + " in number, for " + count + " texts");
        }
        double[][] vectors = new double[count][];
        for (int i = 0; i < count; i++) {
            Item item = items.get(i);
            int at = item == null || item.index() == null ? i : item.index();
            if (item == null || item.embedding() == null || at < 0 || at >= count || vectors[at] != null) {
                throw new IncomparableException("do not belong to one text each");
            }
            vectors[at] = item.embedding();
        }
        return List.of(vectors);
    }

    /** Embeddings have no output. */
    private static Usage usage(Vectors answer) {
        Long input = answer.usage() == null ? null : Wire.count(answer.usage().path("prompt_tokens"));
        return input == null ? Usage.UNKNOWN : Usage.of(input, 0);
    }
}
