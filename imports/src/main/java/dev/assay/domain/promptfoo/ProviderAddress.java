package dev.assay.domain.promptfoo;

import dev.assay.domain.text.Excerpt;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** The words about a server that the operator has not named: the entry of {@code providers.yaml} that names it. */
final class ProviderAddress {

    /** Settings of where a provider is; an operator's file says that. */
    static final Set<String> SETTINGS = Set.of("apiBaseUrl", "apiHost", "baseUrl", "baseURL", "apiEndpoint");

    /** An address without user and password. */
    private static final Pattern SHOWN = Pattern.compile("(?:https?://)?[A-Za-z0-9._:/-]{1,200}");

    private static final String UNKNOWN = "https://HOST/v1";

    private ProviderAddress() {}

    /** What to write for a setting that names an address. */
    static String sentence(String written, String model) {
        String address = SHOWN.matcher(written).matches() && !written.isBlank() ? written : UNKNOWN;
        return "Operators say where providers are. Write into providers.yaml: "
                + entry("my-server", address.startsWith("http") ? address : "https://" + address)
                + ", and ask `my-server:" + Excerpt.of(model, 100) + "`.";
    }

    /** What to write for a provider of an unknown name. */
    static String entry(String name) {
        return entry(name, UNKNOWN);
    }

    private static String entry(String name, String url) {
        String variable = name.toUpperCase(Locale.ROOT).replace('-', '_') + "_API_KEY";
        return "`providers: {" + name + ": {type: openai, baseUrl: \"" + url + "\", keyVariable: " + variable + "}}`";
    }
}
