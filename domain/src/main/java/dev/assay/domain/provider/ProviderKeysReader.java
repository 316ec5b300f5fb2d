package dev.assay.domain.provider;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The reader of {@code keys} of a provider. */
final class ProviderKeysReader {

    private static final Fields KEY = Fields.of("providerKey", "name", "variable", "weight", "account");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final NumberRule WEIGHT = NumberRule.whole(1, 1_000);
    private static final int MOST = 50;

    private final Set<String> names = new HashSet<>();

    private ProviderKeysReader() {}

    /** The keys of {@code provider}, in their order; empty: none are written, or all are wrong, which was reported. */
    static List<ProviderKey> read(FieldReader provider) {
        if (!provider.hasValue("keys")) {
            return List.of();
        }
        if (provider.hasValue("keyVariable")) {
            provider.problem("keys", "Keys stand in `keys` or in `keyVariable`; remove one of the two.");
        } else if (provider.silent().flag("keyless", false)) {
            provider.problem("keys", "A keyless provider has no keys; remove `keys` or `keyless`.");
        }
        List<ProviderKey> keys = provider.nonEmptyList("keys", new ProviderKeysReader()::key);
        if (keys.size() > MOST) {
            provider.problem("keys", "`keys` must have at most 50 items, but has " + keys.size() + ".");
        }
        return keys;
    }

    private ProviderKey key(JsonNode node, String path, Problems problems) {
        FieldReader fields = FieldReader.of(node, path, KEY, problems);
        String name = name(fields, "name");
        if (!names.add(name) && !fields.isWrong("name")) {
            fields.problem("name", "Another key is named " + name + "; names of keys are unique.");
        }
        return new ProviderKey(
                name,
                variable(fields),
                fields.integer("weight", WEIGHT, 1),
                fields.has("account") ? name(fields, "account") : name);
    }

    private static String name(FieldReader fields, String field) {
        String name = fields.text(field);
        if (!fields.isWrong(field) && !NAME.matcher(name).matches()) {
            fields.problem(field, "`" + field + "` must have 1 to 64 letters, digits, '.', '_' or '-'.");
        }
        return name;
    }

    private static String variable(FieldReader fields) {
        String variable = fields.text("variable").strip();
        if (!fields.isWrong("variable")
                && !ProviderSettingsReader.VARIABLE.matcher(variable).matches()) {
            fields.problem("variable", ProviderSettingsReader.NO_VARIABLE);
        }
        return variable;
    }
}
