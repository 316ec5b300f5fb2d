package dev.assay.domain.provider;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The reader of {@code batches} of a provider. */
final class BatchSettingsReader {

    private static final String NAME = "batches";
    private static final String OFF = "off";
    private static final Fields FIELDS = Fields.of(
            "providerBatches", "maxLines", "maxBytes", "maxOut", "enqueuedTokens", "poll", "rounds", "minimum");
    private static final NumberRule OUT = NumberRule.whole(1, 100);
    private static final NumberRule TOKENS = NumberRule.whole(1, 1_000_000_000_000L);
    private static final NumberRule ROUNDS = NumberRule.whole(1, 20);
    private static final NumberRule MINIMUM = NumberRule.whole(1, 1_000_000);
    private static final Duration LEAST_POLL = Duration.ofSeconds(1);
    private static final Duration MOST_POLL = Duration.ofHours(1);

    private BatchSettingsReader() {}

    /** The batches of {@code provider}; null: it has none, since its API has none or they are off. */
    static @Nullable BatchSettings read(FieldReader provider, ProviderType type) {
        ProviderType.BatchLimits limits = type.batches();
        JsonNode written = provider.node(NAME);
        boolean isOff = isOff(written);
        if (limits == null) {
            if (provider.hasValue(NAME) && !isOff) {
                provider.problem(
                        NAME, "Providers of type " + type.word() + " have no batches; remove `batches` or the type.");
            }
            return null;
        }
        if (isOff) {
            return null;
        }
        BatchSettings usual = Objects.requireNonNull(BatchSettings.usual(type));
        if (!provider.hasValue(NAME)) {
            return usual;
        }
        if (!Objects.requireNonNull(written).isObject()) {
            provider.problem(NAME, "`batches` must be `off`, or an object with fields such as maxLines, maxOut.");
            return usual;
        }
        FieldReader fields = provider.objectOrEmpty(NAME, FIELDS);
        return new BatchSettings(
                fields.integer("maxLines", NumberRule.whole(1, limits.lines()), usual.maxLines()),
                fields.longInteger("maxBytes", NumberRule.whole(1, limits.bytes()), usual.maxBytes()),
                fields.integer("maxOut", OUT, usual.maxOut()),
                fields.longInteger("enqueuedTokens", TOKENS, usual.enqueuedTokens()),
                fields.nullableDuration("poll", LEAST_POLL, MOST_POLL),
                fields.integer("rounds", ROUNDS, usual.rounds()),
                fields.integer("minimum", MINIMUM, usual.minimum()));
    }

    /** Older YAML reads the word off as false. */
    private static boolean isOff(@Nullable JsonNode written) {
        return written != null && (OFF.equals(written.textValue()) || (written.isBoolean() && !written.booleanValue()));
    }
}
