package dev.assay.activities.provider;

import dev.assay.activities.provider.wire.ApiKey;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.provider.ProviderKey;
import dev.assay.domain.provider.ProviderSettings;
import dev.assay.work.secret.SecretVariables;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The values that this process has of the keys of providers. Files of keys change while it runs. */
final class KeyValues {

    private final SecretVariables variables;

    /** A key with its value as it is now. */
    record Held(ProviderKey key, ApiKey value) {}

    KeyValues(SecretVariables variables) {
        this.variables = variables;
    }

    /** The keys of a provider that this process can send, in the order of its settings. Where all values are malformed they are all here. */
    List<Held> of(ProviderSettings provider) {
        List<Held> all = all(provider);
        List<Held> sendable =
                all.stream().filter(held -> held.value().fitsHeader()).toList();
        return sendable.isEmpty() ? all : sendable;
    }

    private List<Held> all(ProviderSettings provider) {
        return provider.keys().stream().flatMap(this::held).toList();
    }

    private Stream<Held> held(ProviderKey key) {
        return Stream.ofNullable(value(key)).map(value -> new Held(key, value));
    }

    /** The value of a key; null where its variable is not set or blank. */
    private @Nullable ApiKey value(ProviderKey key) {
        return ApiKey.of(variables.value(key.variable()));
    }

    /** Reads the keys of a provider, and refuses later values that no request can hold: those before go on. */
    void check(ProviderSettings provider) {
        for (Held held : all(provider)) {
            String variable = held.key().variable();
            variables.onChange(variable, text -> {
                ApiKey later = ApiKey.of(text);
                if (later == null || !later.fitsHeader()) {
                    throw new AssayException(ErrorCode.INVALID_INPUT, noHeader(variable));
                }
            });
        }
    }

    /** What is wrong with a value that no request can hold, as a sentence. */
    static String noHeader(String variable) {
        return "The key in %s holds a space, a line break or another character that no key has; set it again."
                .formatted(variable);
    }

    /** What is missing of a provider whose keys have no values here, as a sentence. */
    static String missing(ProviderSettings provider) {
        List<String> all = provider.keys().stream().map(ProviderKey::variable).toList();
        String first = all.getFirst();
        String more = all.size() == 1 ? "" : all.stream().skip(1).collect(Collectors.joining(", ", "; or one of ", ""));
        return "Provider %s has no key; set %2$s or %2$s_FILE%3$s in the worker's environment."
                .formatted(provider.name(), first, more);
    }
}
