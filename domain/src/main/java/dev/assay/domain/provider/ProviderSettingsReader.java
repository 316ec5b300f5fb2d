package dev.assay.domain.provider;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.kind.AgentKinds;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.usage.BatchPrice;
import dev.assay.domain.usage.Price;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The reader of {@code providers.yaml}, in which an operator configures providers on top of the built-in ones. */
public final class ProviderSettingsReader {

    private static final Fields FIELDS = Fields.of("providerFile", "providers", "grader", "embedder");
    private static final Fields MODEL = Fields.of("grader", "provider", "model", "parameters");
    private static final Fields PROVIDER = Fields.of(
            "provider",
            "type",
            "baseUrl",
            "keyVariable",
            "keyless",
            "keys",
            "maxConcurrent",
            "maxOutputTokens",
            "prices",
            "limits",
            "batches");
    private static final Fields PRICE = Fields.of("price", "input", "output", "cacheRead", "cacheWrite", "batch");
    private static final Fields BATCH_PRICE = Fields.of("batchPrice", "input", "output", "cacheRead", "cacheWrite");
    private static final Map<String, ProviderType> TYPES = ProviderType.byWord();
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
    static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    static final NumberRule CONCURRENT = NumberRule.whole(1, 100_000);
    static final String NO_VARIABLE =
            "This must be the name of an environment variable (letters, digits, '_'), never the key itself.";
    private static final NumberRule OUTPUT_TOKENS = NumberRule.whole(1, 10_000_000);
    private static final NumberRule DOLLARS = NumberRule.between(0, 1_000_000).withDecimals(12);
    private static final NumberRule FACTOR = NumberRule.between(0, 1).withDecimals(6);

    private final String name;
    private final FieldReader fields;
    /** The built-in provider below the file's; null: there is none. */
    private final @Nullable ProviderSettings base;

    private ProviderSettingsReader(String name, FieldReader fields, @Nullable ProviderSettings base) {
        this.name = name;
        this.fields = fields;
        this.base = base;
    }

    /**
     * The built-in providers with {@code document} laid over them.
     *
     * @param problems takes what is wrong with the document; then the result is not to be used
     */
    public static Map<String, ProviderSettings> read(
            JsonNode document, Map<String, ProviderSettings> builtIn, Problems problems) {
        Map<String, ProviderSettings> all = new LinkedHashMap<>(builtIn);
        FieldReader file = FieldReader.of(document, "", FIELDS, problems);
        Stream.of("grader", "embedder").filter(file::hasValue).forEach(name -> checkModel(file.object(name, MODEL)));
        file.nullableObjects("providers", PROVIDER).forEach((name, fields) -> {
            ProviderSettings settings = new ProviderSettingsReader(name, fields, builtIn.get(name)).provider();
            if (settings != null) {
                all.put(name, settings);
            }
        });
        return all;
    }

    /** Its parameters are read with the checks that it grades. */
    private static void checkModel(@Nullable FieldReader model) {
        if (model != null) {
            model.text("provider");
            model.text("model");
            model.entries("parameters");
        }
    }

    private @Nullable ProviderSettings provider() {
        checkName();
        ProviderType type = type();
        if (type == null) {
            return null;
        }
        List<ProviderKey> keys = ProviderKeysReader.read(fields);
        boolean hasKeys = fields.hasValue("keys");
        ProviderSettings settings = new ProviderSettings(
                name,
                type,
                baseUrl(type),
                hasKeys ? firstVariable(keys) : keyVariable(type),
                count(
                        "maxConcurrent",
                        CONCURRENT,
                        base == null ? ProviderSettings.DEFAULT_MAX_CONCURRENT : base.maxConcurrent()),
                count(
                        "maxOutputTokens",
                        OUTPUT_TOKENS,
                        base == null ? ProviderSettings.DEFAULT_MAX_OUTPUT_TOKENS : base.maxOutputTokens()),
                prices());
        return settings.governed(
                hasKeys ? keys : settings.keys(),
                ModelLimitsReader.read(fields, type, settings.maxConcurrent()),
                BatchSettingsReader.read(fields, type));
    }

    private static @Nullable String firstVariable(List<ProviderKey> keys) {
        return keys.isEmpty() ? null : keys.getFirst().variable();
    }

    private void checkName() {
        if (AgentKinds.providers().contains(name)) {
            fields.problem("type", "The provider " + name + " is built in and has no settings.");
        } else if (!NAME.matcher(name).matches() || name.contains("..")) {
            fields.problem(
                    "type",
                    "A provider's name has 1 to 128 letters, digits, '.', '_' or '-', and begins with a letter"
                            + " or digit.");
        }
    }

    private @Nullable ProviderType type() {
        if (fields.hasValue("type")) {
            return fields.word("type", TYPES);
        }
        if (base == null) {
            String types = String.join(", ", TYPES.keySet());
            fields.problem("type", "A provider that is not built in needs a type: " + types + ".");
            return null;
        }
        return base.type();
    }

    private URI baseUrl(ProviderType type) {
        String url = strippedText("baseUrl");
        if (url == null) {
            return base != null && isSameServer(base.type(), type) ? base.baseUrl() : URI.create(type.publicUrl());
        }
        String wrong = urlProblem(url);
        if (wrong != null) {
            fields.problem("baseUrl", wrong);
        }
        return URI.create(wrong == null ? url : type.publicUrl());
    }

    /** A provider that is asked in another API of the same server stays where it is. */
    private static boolean isSameServer(ProviderType one, ProviderType other) {
        return one.publicUrl().equals(other.publicUrl());
    }

    /** The problem with a server's address, as a sentence; null: none. */
    public static @Nullable String urlProblem(String url) {
        try {
            URI uri = new URI(url);
            boolean http = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
            if (!http || uri.getHost() == null) {
                return "This must be an address that begins with http:// or https:// and names a host.";
            }
            if (uri.getRawUserInfo() != null || uri.getRawQuery() != null || uri.getRawFragment() != null) {
                return "The address must not hold a user, a password, a query or a fragment; keys come from"
                        + " keyVariable.";
            }
            return null;
        } catch (URISyntaxException e) {
            return "This is not an address: " + e.getReason() + ".";
        }
    }

    /** A key is sent only where it was meant to go: a provider that is not built in names its own variable. */
    private @Nullable String keyVariable(ProviderType type) {
        boolean keyless = fields.hasValue("keyless") && fields.flag("keyless", false);
        String variable = strippedText("keyVariable");
        if (variable != null && keyless) {
            fields.problem("keyVariable", "A keyless provider has no keyVariable; remove one of the two.");
        } else if (variable != null && !VARIABLE.matcher(variable).matches()) {
            fields.problem("keyVariable", NO_VARIABLE);
        } else if (variable == null && !keyless && !fields.isWrong("keyVariable")) {
            if (base != null) {
                return base.keyVariable();
            }
            if (!type.keyVariables().isEmpty()) {
                fields.problem(
                        "keyVariable", "Name the environment variable that holds the key, or set keyless: true.");
            }
        }
        return variable;
    }

    /** A text without the white space around it; null: not written, or wrong, which was reported. */
    private @Nullable String strippedText(String field) {
        String text = fields.nullableText(field);
        return text == null || fields.isWrong(field) ? null : text.strip();
    }

    private int count(String field, NumberRule rule, int otherwise) {
        BigDecimal count = fields.nullableDecimal(field, rule);
        return count == null ? otherwise : count.intValueExact();
    }

    private Map<String, Price> prices() {
        Map<String, Price> prices = new LinkedHashMap<>();
        fields.nullableObjects("prices", PRICE).forEach((model, price) -> {
            BigDecimal input = required(price, "input");
            BigDecimal output = required(price, "output");
            BigDecimal cacheRead = price.nullableDecimal("cacheRead", DOLLARS);
            BigDecimal cacheWrite = price.nullableDecimal("cacheWrite", DOLLARS);
            if (input != null && output != null) {
                // Input that the file does not price apart costs the price of input.
                Price live = new Price(
                        input, output, cacheRead == null ? input : cacheRead, cacheWrite == null ? input : cacheWrite);
                prices.put(model, withBatch(live, price));
            }
        });
        return prices;
    }

    /** {@code batch} is a factor of the live prices, or prices of its own. */
    private static Price withBatch(Price live, FieldReader price) {
        JsonNode batch = price.node("batch");
        if (batch == null || batch.isNull()) {
            return live;
        }
        if (batch.isNumber()) {
            BigDecimal factor = price.decimal("batch", FACTOR);
            return factor == null ? live : live.withBatch(new BatchPrice(live.times(factor), false));
        }
        if (!batch.isObject()) {
            price.problem("batch", "`batch` must be a factor from 0 to 1, such as 0.5, or {input, output, …}.");
            return live;
        }
        FieldReader own = price.objectOrEmpty("batch", BATCH_PRICE);
        Price half = live.ofBatch().price();
        Price read = new Price(
                ofBatch(own, "input", half.inputPerMillion()),
                ofBatch(own, "output", half.outputPerMillion()),
                ofBatch(own, "cacheRead", half.cacheReadPerMillion()),
                ofBatch(own, "cacheWrite", half.cacheWritePerMillion()));
        boolean isAssumed = !BATCH_PRICE.names().stream().allMatch(own::hasValue);
        return live.withBatch(new BatchPrice(read, isAssumed));
    }

    private static BigDecimal ofBatch(FieldReader own, String field, BigDecimal assumed) {
        BigDecimal written = own.nullableDecimal(field, DOLLARS);
        return written == null ? assumed : written;
    }

    private static @Nullable BigDecimal required(FieldReader price, String field) {
        if (!price.hasValue(field)) {
            price.problem(field, "A price needs this field: US dollars per million tokens.");
        }
        return price.nullableDecimal(field, DOLLARS);
    }
}
