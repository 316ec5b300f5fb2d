package dev.assay.activities.provider.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.usage.Price;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the file in which an operator configures providers, on top of the built-in ones. */
public final class ProviderFile {

    private static final List<String> PROVIDER_FIELDS =
            List.of("type", "baseUrl", "keyVariable", "keyless", "maxConcurrent", "maxOutputTokens", "prices");
    private static final List<String> PRICE_FIELDS = List.of("input", "output", "cacheRead", "cacheWrite");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final int MAX_CONCURRENT = 100_000;
    private static final int MAX_OUTPUT_TOKENS = 10_000_000;
    private static final BigDecimal MAX_PRICE = BigDecimal.valueOf(1_000_000);

    private static final YAMLMapper YAML = YAMLMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final Map<String, ProviderSettings> builtIn;
    private final List<FieldError> errors;

    private ProviderFile(Map<String, ProviderSettings> builtIn, List<FieldError> errors) {
        this.builtIn = builtIn;
        this.errors = errors;
    }

    /**
     * The document in {@code file}.
     *
     * @throws AssayException when the file cannot be read or is not YAML
     */
    public static JsonNode parse(Path file) {
        try {
            JsonNode document = YAML.readTree(Files.readString(file));
            return document == null || document.isMissingNode() || document.isNull()
                    ? YAML.createObjectNode()
                    : document;
        } catch (JsonProcessingException e) {
            String where =
                    e.getLocation() == null ? "" : " at line " + e.getLocation().getLineNr();
            throw new AssayException(
                    ErrorCode.MALFORMED_INPUT,
                    "Provider file %s is not valid YAML%s: %s".formatted(file, where, firstLine(e)),
                    e);
        } catch (IOException e) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "Provider file %s cannot be read; check that it exists and is a text file in UTF-8."
                            .formatted(file),
                    e);
        }
    }

    private static String firstLine(JsonProcessingException e) {
        return e.getOriginalMessage().lines().findFirst().orElse("no reason given");
    }

    /** The built-in providers with {@code document} laid over them; what is wrong with it is added to {@code errors}. */
    public static Map<String, ProviderSettings> read(
            JsonNode document, Map<String, ProviderSettings> builtIn, List<FieldError> errors) {
        Map<String, ProviderSettings> all = new LinkedHashMap<>(builtIn);
        DocumentSection root = DocumentSection.of(document, "", errors);
        if (root != null) {
            root.rejectUnknown(List.of("providers"));
            ProviderFile file = new ProviderFile(builtIn, errors);
            root.sections("providers").forEach((name, section) -> {
                ProviderSettings settings = file.provider(name, section);
                if (settings != null) {
                    all.put(name, settings);
                }
            });
        }
        return all;
    }

    private @Nullable ProviderSettings provider(String name, DocumentSection section) {
        section.rejectUnknown(PROVIDER_FIELDS);
        int errorsBefore = errors.size();
        checkName(name, section);
        ProviderSettings base = builtIn.get(name);
        ProviderType type = type(section, base);
        if (type == null) {
            return null;
        }
        URI baseUrl = baseUrl(section, type, base);
        String keyVariable = keyVariable(section, type, base);
        int maxConcurrent = section.count(
                "maxConcurrent",
                base == null ? ProviderSettings.DEFAULT_MAX_CONCURRENT : base.maxConcurrent(),
                MAX_CONCURRENT);
        int maxOutputTokens = section.count(
                "maxOutputTokens",
                base == null ? ProviderSettings.DEFAULT_MAX_OUTPUT_TOKENS : base.maxOutputTokens(),
                MAX_OUTPUT_TOKENS);
        Map<String, Price> prices = prices(section);
        if (errors.size() > errorsBefore || baseUrl == null) {
            return null;
        }
        return new ProviderSettings(name, type, baseUrl, keyVariable, maxConcurrent, maxOutputTokens, prices);
    }

    private void checkName(String name, DocumentSection section) {
        if (Agent.BUILT_IN_PROVIDERS.contains(name)) {
            errors.add(new FieldError(
                    section.pathOf("type"), "The provider " + name + " is built in and has no settings."));
        } else if (!NAME.matcher(name).matches() || name.contains("..")) {
            errors.add(new FieldError(
                    section.pathOf("type"),
                    "A provider's name has 1 to 128 letters, digits, '.', '_' or '-', and begins with a letter"
                            + " or digit."));
        }
    }

    private static @Nullable ProviderType type(DocumentSection section, @Nullable ProviderSettings base) {
        String word = section.text("type");
        if (word == null) {
            if (base == null && !section.has("type")) {
                section.error(
                        "type",
                        "A provider that is not built in needs a type: " + String.join(", ", ProviderType.words())
                                + ".");
            }
            return base == null ? null : base.type();
        }
        ProviderType type = ProviderType.ofWord(word).orElse(null);
        if (type == null) {
            section.error("type", "There is no type " + word + DocumentSection.suggestion(word, ProviderType.words()));
        }
        return type;
    }

    private static @Nullable URI baseUrl(DocumentSection section, ProviderType type, @Nullable ProviderSettings base) {
        String url = section.text("baseUrl");
        if (url == null) {
            return base != null && base.type() == type ? base.baseUrl() : URI.create(type.publicUrl());
        }
        String fault = faultOfUrl(url);
        if (fault != null) {
            section.error("baseUrl", fault);
            return null;
        }
        return URI.create(url);
    }

    /** What is wrong with a server's address; null when nothing is. */
    public static @Nullable String faultOfUrl(String url) {
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
    private static @Nullable String keyVariable(
            DocumentSection section, ProviderType type, @Nullable ProviderSettings base) {
        boolean keyless = section.flag("keyless");
        String variable = section.text("keyVariable");
        if (variable != null && keyless) {
            section.error("keyVariable", "A keyless provider has no keyVariable; remove one of the two.");
        } else if (variable != null && !VARIABLE.matcher(variable).matches()) {
            section.error(
                    "keyVariable",
                    "This must be the name of an environment variable (letters, digits, '_'), never the key itself.");
        } else if (variable == null && !keyless && !section.has("keyVariable")) {
            if (base != null) {
                return base.keyVariable();
            }
            if (!type.keyVariables().isEmpty()) {
                section.error("keyVariable", "Name the environment variable that holds the key, or set keyless: true.");
            }
        }
        return variable;
    }

    private Map<String, Price> prices(DocumentSection section) {
        Map<String, Price> prices = new LinkedHashMap<>();
        section.sections("prices").forEach((model, price) -> {
            price.rejectUnknown(PRICE_FIELDS);
            BigDecimal input = required(price, "input");
            BigDecimal output = required(price, "output");
            BigDecimal cacheRead = price.amount("cacheRead", MAX_PRICE);
            BigDecimal cacheWrite = price.amount("cacheWrite", MAX_PRICE);
            if (input != null && output != null) {
                // What the file does not price apart is input like any other.
                prices.put(model, new Price(input, output, orElse(cacheRead, input), orElse(cacheWrite, input)));
            }
        });
        return prices;
    }

    private static @Nullable BigDecimal required(DocumentSection price, String field) {
        if (!price.has(field)) {
            price.error(field, "A price needs this field: US dollars per million tokens.");
        }
        return price.amount(field, MAX_PRICE);
    }

    private static BigDecimal orElse(@Nullable BigDecimal value, BigDecimal otherwise) {
        return value != null ? value : otherwise;
    }
}
