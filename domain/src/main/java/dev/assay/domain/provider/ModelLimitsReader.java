package dev.assay.domain.provider;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPattern;
import dev.assay.domain.limit.Spending;
import dev.assay.domain.limit.size.CountingRules;
import dev.assay.domain.limit.size.OutputCounting;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The reader of {@code limits} of a provider. */
final class ModelLimitsReader {

    private static final Fields ENTRY = Fields.of(
            "modelLimits",
            Stream.of(
                            Stream.of("models"),
                            LimitKind.byWord().keySet().stream(),
                            Stream.of("concurrent", "countOutput", "cacheReadsCount", "burstSeconds", "learn"))
                    .flatMap(names -> names)
                    .toArray(String[]::new));
    private static final Fields RANGE = Fields.of("concurrencyRange", "min", "start", "max");
    private static final NumberRule UNITS = NumberRule.whole(1, Spending.MOST_LIMIT);
    private static final NumberRule BURST_SECONDS = NumberRule.whole(1, 60);
    static final int LONGEST_NAME = 512;
    private static final int MOST = 100;

    private final ProviderType type;
    private final int maxConcurrent;
    private final Set<String> patterns = new HashSet<>();

    private ModelLimitsReader(ProviderType type, int maxConcurrent) {
        this.type = type;
        this.maxConcurrent = maxConcurrent;
    }

    /** The limits of {@code provider}, in their order. */
    static List<ModelLimits> read(FieldReader provider, ProviderType type, int maxConcurrent) {
        if (!provider.hasValue("limits")) {
            return List.of();
        }
        List<ModelLimits> limits = provider.list("limits", new ModelLimitsReader(type, maxConcurrent)::entry);
        if (limits.size() > MOST) {
            provider.problem("limits", "`limits` must have at most 100 items, but has " + limits.size() + ".");
        }
        return limits;
    }

    private ModelLimits entry(JsonNode node, String path, Problems problems) {
        FieldReader fields = FieldReader.of(node, path, ENTRY, problems);
        CountingRules usual = type.counting();
        return new ModelLimits(
                models(fields),
                limits(fields),
                concurrent(fields),
                new CountingRules(
                        fields.word("countOutput", OutputCounting.byWord(), usual.output()),
                        fields.flag("cacheReadsCount", usual.cacheReadsCount())),
                fields.integer("burstSeconds", BURST_SECONDS, ModelLimits.DEFAULT_BURST_SECONDS),
                fields.flag("learn", true));
    }

    private ModelPattern models(FieldReader fields) {
        String pattern = fields.line("models", LONGEST_NAME);
        if (!patterns.add(pattern) && !fields.isWrong("models")) {
            fields.problem("models", "Another entry is for " + pattern + " and comes first; join the two.");
        }
        return new ModelPattern(pattern);
    }

    private static Map<LimitKind, Long> limits(FieldReader fields) {
        Map<LimitKind, Long> limits = new EnumMap<>(LimitKind.class);
        LimitKind.byWord().forEach((word, kind) -> {
            BigDecimal units = fields.nullableDecimal(word, UNITS);
            if (units != null) {
                limits.put(kind, units.longValueExact());
            }
        });
        return limits;
    }

    /** A number is fixed, an object is a range. */
    private ConcurrencyRange concurrent(FieldReader fields) {
        JsonNode node = fields.node("concurrent");
        if (node == null || node.isNull()) {
            return ConcurrencyRange.upTo(maxConcurrent);
        }
        if (node.isNumber()) {
            return ConcurrencyRange.fixed(
                    fields.integer("concurrent", ProviderSettingsReader.CONCURRENT, maxConcurrent));
        }
        if (!node.isObject()) {
            fields.problem("concurrent", "`concurrent` must be a whole number from 1 to 100000, or {min, start, max}.");
            return ConcurrencyRange.upTo(maxConcurrent);
        }
        return range(fields.objectOrEmpty("concurrent", RANGE));
    }

    private ConcurrencyRange range(FieldReader fields) {
        int max = number(fields, "max", maxConcurrent);
        int min = number(fields, "min", 1);
        int start = number(fields, "start", max);
        boolean isKnown = !fields.isWrong("max") && !fields.isWrong("min") && !fields.isWrong("start");
        if (isKnown && min > max) {
            fields.problem("min", "`min` is " + min + ", more than `max`, which is " + max + ".");
        } else if (isKnown && (start < min || start > max)) {
            fields.problem("start", "`start` is " + start + ", not from `min`, " + min + ", to `max`, " + max + ".");
        } else if (isKnown) {
            return new ConcurrencyRange(min, start, max);
        }
        return ConcurrencyRange.upTo(maxConcurrent);
    }

    private static int number(FieldReader fields, String field, int otherwise) {
        return fields.integer(field, ProviderSettingsReader.CONCURRENT, otherwise);
    }
}
