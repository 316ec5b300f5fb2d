package dev.assay.domain.provider;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.text.Excerpt;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Finds in a provider's list of models ({@code GET /models}) that a model will be shut down. */
public final class ShutdownNotice {

    /** The fields in which lists say the day: OpenAI's first, then those of servers that speak its API. */
    private static final List<String> DATES =
            List.of("shutdown_date", "deprecation", "deprecation_date", "expiration_date", "retirement_date");

    private ShutdownNotice() {}

    /** The notice of the list, as a sentence; null: none. */
    public static @Nullable String of(JsonNode list, String provider, String model) {
        return StreamSupport.stream(list.path("data").spliterator(), false)
                .filter(entry -> names(entry, model))
                .flatMap(ShutdownNotice::said)
                .map(said ->
                        "Model %s of provider %s will be shut down: its provider's list of models says %s. Choose another one."
                                .formatted(model, provider, said))
                .findFirst()
                .orElse(null);
    }

    private static boolean names(JsonNode entry, String model) {
        String id = entry.path("id").asText();
        // Google's ids begin with a prefix that no request needs.
        return id.equals(model)
                || id.equals("models/" + model)
                || StreamSupport.stream(entry.path("aliases").spliterator(), false)
                        .anyMatch(alias -> alias.asText().equals(model));
    }

    private static Stream<String> said(JsonNode entry) {
        Stream<String> dates = DATES.stream()
                .filter(field -> entry.path(field).isTextual()
                        && !entry.path(field).textValue().isBlank())
                .map(field ->
                        "`%s` %s".formatted(field, Excerpt.of(entry.path(field).textValue(), 40)));
        return Stream.concat(dates, entry.path("deprecated").asBoolean() ? Stream.of("`deprecated`") : Stream.empty());
    }
}
