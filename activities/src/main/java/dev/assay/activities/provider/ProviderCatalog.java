package dev.assay.activities.provider;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.http.WholeAnswers;
import dev.assay.activities.model.AnswerListener;
import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.operator.OperatorFile;
import dev.assay.activities.provider.delivery.BatchHttp;
import dev.assay.activities.provider.delivery.BatchWire;
import dev.assay.activities.provider.delivery.BatchWires;
import dev.assay.activities.provider.wire.ApiKey;
import dev.assay.activities.provider.wire.ModelLists;
import dev.assay.activities.provider.wire.WireClient;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.delivery.DeliveredLine;
import dev.assay.domain.document.Problems;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.provider.OpenAiServer;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.provider.ProviderKey;
import dev.assay.domain.provider.ProviderSettings;
import dev.assay.domain.provider.ProviderSettingsReader;
import dev.assay.domain.provider.ProviderType;
import dev.assay.domain.provider.ShutdownNotice;
import dev.assay.work.secret.SecretVariables;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The providers that this process can ask: built-in ones, and those of the operator's file on top of them.
 *
 * <p>The catalog knows only the names of the keys' variables. It asks for a key when a client is needed.
 */
public final class ProviderCatalog implements AutoCloseable {

    private final Map<String, ProviderSettings> settings;
    private final KeyValues values;
    private final WholeAnswers http = new WholeAnswers(WireClient.MAX_ANSWER);
    private final BatchHttp batchHttp = new BatchHttp();
    private final Map<KeyName, KeyedClient> clients = new ConcurrentHashMap<>();

    /** @param key with which it asks; null: it needs none */
    private record KeyedClient(@Nullable ApiKey key, WireClient client) {}

    /** @param variable that holds the key; null: it needs none */
    private record KeyName(String provider, @Nullable String variable) {}

    private ProviderCatalog(Map<String, ProviderSettings> settings, SecretVariables variables) {
        this.settings = settings;
        this.values = new KeyValues(variables);
    }

    /** As {@link #load(Path, SecretVariables)}, with {@code environment} in the place of this process's. */
    public static ProviderCatalog load(@Nullable Path file, Map<String, String> environment) {
        return load(file, SecretVariables.of(environment));
    }

    /**
     * The built-in providers with the file laid over them.
     *
     * @param file the operator's YAML file; null: only the built-in providers
     * @throws AssayException INVALID_INPUT with every error of the file and the base URLs, or for a key's file; MALFORMED_INPUT
     *     when the file is neither YAML nor JSON
     */
    public static ProviderCatalog load(@Nullable Path file, SecretVariables variables) {
        Problems problems = new Problems();
        Map<String, ProviderSettings> builtIn = builtIn(variables, problems);
        Map<String, ProviderSettings> settings = new LinkedHashMap<>(
                file == null ? builtIn : ProviderSettingsReader.read(OperatorFile.read(file), builtIn, problems));
        for (OpenAiServer server : OpenAiServer.values()) {
            if (ApiKey.of(variables.value(server.keyVariable())) == null) {
                settings.remove(server.word(), builtIn.get(server.word()));
            }
        }
        problems.throwIfAny("provider configuration" + (file == null ? "" : " " + file));
        ProviderCatalog catalog = new ProviderCatalog(settings, variables);
        settings.values().forEach(catalog.values::check);
        return catalog;
    }

    private static Map<String, ProviderSettings> builtIn(SecretVariables variables, Problems problems) {
        Map<String, ProviderSettings> all = new LinkedHashMap<>();
        for (ProviderType type : ProviderType.values()) {
            if (!type.isBuiltIn()) {
                continue;
            }
            all.put(
                    type.word(),
                    new ProviderSettings(
                            type.word(),
                            type,
                            baseUrl(type, variables.environment(), problems),
                            keyVariable(type, variables),
                            ProviderSettings.DEFAULT_MAX_CONCURRENT,
                            ProviderSettings.DEFAULT_MAX_OUTPUT_TOKENS,
                            Map.of()));
        }
        for (OpenAiServer server : OpenAiServer.values()) {
            all.put(
                    server.word(),
                    new ProviderSettings(
                            server.word(),
                            ProviderType.OPENAI,
                            URI.create(server.url()),
                            server.keyVariable(),
                            ProviderSettings.DEFAULT_MAX_CONCURRENT,
                            ProviderSettings.DEFAULT_MAX_OUTPUT_TOKENS,
                            Map.of()));
        }
        return all;
    }

    private static URI baseUrl(ProviderType type, Map<String, String> environment, Problems problems) {
        String url = environment.getOrDefault(type.urlVariable(), "").strip();
        if (url.isEmpty()) {
            return URI.create(type.publicUrl());
        }
        String wrong = ProviderSettingsReader.urlProblem(url);
        if (wrong != null) {
            problems.add(type.urlVariable(), wrong);
            return URI.create(type.publicUrl());
        }
        return URI.create(url);
    }

    private static @Nullable String keyVariable(ProviderType type, SecretVariables variables) {
        return type.keyVariables().stream()
                .filter(variable -> ApiKey.of(variables.value(variable)) != null)
                .findFirst()
                .orElse(
                        type.keyVariables().isEmpty()
                                ? null
                                : type.keyVariables().getFirst());
    }

    /** The public facts of each provider, by name, for validation and the store. */
    public Map<String, ProviderInfo> infos() {
        Map<String, ProviderInfo> infos = new LinkedHashMap<>();
        settings.forEach((name, provider) ->
                infos.put(name, provider.info(!values.of(provider).isEmpty())));
        return infos;
    }

    /** The keys of a provider of which this process has the values; empty when it needs none, or is not configured. */
    List<KeyValues.Held> keys(String provider) {
        ProviderSettings chosen = settings.get(provider);
        return chosen == null ? List.of() : values.of(chosen);
    }

    /** The same, those of which it has no values included. */
    List<ProviderKey> configuredKeys(String provider) {
        ProviderSettings chosen = settings.get(provider);
        return chosen == null ? List.of() : chosen.keys();
    }

    /** The names of all providers. */
    Set<String> names() {
        return settings.keySet();
    }

    /** The settings of a provider; empty: it is not configured. */
    public Optional<ProviderSettings> settings(String provider) {
        return Optional.ofNullable(settings.get(provider));
    }

    /**
     * The client of a model. Each of its requests bears the key that it names, with the value of its time.
     *
     * @throws ModelException PROVIDER_AUTH when the provider has no key, PROVIDER_REJECTED when it is not configured
     */
    public ModelClient client(ModelChoice choice) {
        var _ = wireClient(choice.provider(), null);
        return new ModelClient() {
            @Override
            public ModelReply ask(ModelRequest request) throws InterruptedException {
                return now(request).ask(request);
            }

            @Override
            public ModelReply ask(ModelRequest request, AnswerListener listener) throws InterruptedException {
                return now(request).ask(request, listener);
            }

            private ModelClient now(ModelRequest request) {
                return wireClient(choice.provider(), request.key()).of(choice);
            }
        };
    }

    /**
     * The most output tokens that a call can be billed for, thinking included; at least {@code maxOutputTokens}.
     *
     * @throws ModelException like {@link #client}
     */
    public int outputTokenBound(ModelChoice choice, int maxOutputTokens) {
        return wireClient(choice.provider(), null).outputTokenBound(choice, maxOutputTokens);
    }

    /**
     * The batch API of a provider.
     *
     * @param key the name of the key; null: the first of which this process has a value, if it needs one
     * @throws ModelException like {@link #client}; PROVIDER_REJECTED when the provider takes no batches
     */
    public BatchWire batches(String provider, @Nullable String key) {
        ProviderAccess access = access(provider, key);
        if (access.settings().batches() == null) {
            throw new ModelException(
                    ErrorCode.PROVIDER_REJECTED,
                    "Provider %s takes no batches; use `delivery: live`, or another provider.".formatted(provider),
                    null,
                    null);
        }
        return BatchWires.of(access.settings(), access.key(), batchHttp);
    }

    /**
     * The body of a request as it goes in a provider batch: the one that would be sent live first, without how its answer travels.
     *
     * @param request names its key, with which the forms of thinking were learned that its model takes
     * @throws ModelException like {@link #client}, or when the conversation cannot be said in the provider's API
     */
    public ObjectNode batchBody(ModelChoice choice, ModelRequest request) {
        return wireClient(choice.provider(), request.key()).batchBody(choice, request);
    }

    /**
     * The reply to a request that went in a provider batch. Its cost is at the price of batches, its time zero.
     *
     * @param answer as the line holds it
     * @throws ModelException as for a live answer
     */
    public ModelReply batchReply(ModelChoice choice, ModelRequest request, JsonNode answer) {
        return reader(choice.provider(), request.key()).batchReply(choice, request, answer);
    }

    /** The failure of a line that was not answered, as that of a live call. */
    public ModelException batchFailure(String provider, @Nullable String key, DeliveredLine line) {
        return reader(provider, key).batchFailure(line);
    }

    /** What was paid is read without a key, too: this process may have lost it since. */
    private WireClient reader(String provider, @Nullable String key) {
        ProviderSettings chosen = settings.get(provider);
        if (chosen == null || chosen.keys().isEmpty() || !values.of(chosen).isEmpty()) {
            return wireClient(provider, key);
        }
        return new WireClient(chosen, null, http);
    }

    /**
     * The shutdown notices of {@code models} in their providers' own words, as sentences. Providers that do not answer in time are
     * left out.
     *
     * @param limit how long each provider is waited for
     * @throws InterruptedException when the calling thread is interrupted
     */
    public List<String> shutdownNotices(List<ModelChoice> models, Duration limit) throws InterruptedException {
        Map<String, JsonNode> lists = new HashMap<>();
        List<String> notices = new ArrayList<>();
        try (ModelLists providers = new ModelLists()) {
            for (ModelChoice model : models) {
                ProviderSettings provider = settings.get(model.provider());
                if (provider != null && !lists.containsKey(provider.name())) {
                    ApiKey first = values.of(provider).stream()
                            .map(KeyValues.Held::value)
                            .findFirst()
                            .orElse(null);
                    lists.put(provider.name(), providers.of(provider, first, limit));
                }
                JsonNode list = lists.get(model.provider());
                String notice = list == null ? null : ShutdownNotice.of(list, model.provider(), model.model());
                if (notice != null && !notices.contains(notice)) {
                    notices.add(notice);
                }
            }
        }
        return notices;
    }

    private WireClient wireClient(String provider, @Nullable String key) {
        ProviderAccess access = access(provider, key);
        KeyName name = new KeyName(provider, access.settings().keyVariable());
        KeyedClient kept = clients.get(name);
        return kept != null && Objects.equals(kept.key(), access.key())
                ? kept.client()
                : clients.compute(name, (_, other) -> current(other, access)).client();
    }

    /** Two threads that see a new key get the same client. */
    private KeyedClient current(@Nullable KeyedClient kept, ProviderAccess access) {
        return kept != null && Objects.equals(kept.key(), access.key())
                ? kept
                : new KeyedClient(access.key(), new WireClient(access.settings(), access.key(), http));
    }

    /**
     * The address and key of a provider.
     *
     * @param key the name of the key; null: the first of which this process has a value, if it needs one
     * @throws ModelException like {@link #client}
     */
    public ProviderAccess access(String provider, @Nullable String key) {
        ProviderSettings chosen = settings.get(provider);
        if (chosen == null) {
            throw new ModelException(
                    ErrorCode.PROVIDER_REJECTED,
                    "This worker has no provider %s; configure it, or use one of %s."
                            .formatted(provider, String.join(", ", settings.keySet())),
                    null,
                    null);
        }
        if (chosen.keys().isEmpty()) {
            return new ProviderAccess(chosen, null);
        }
        KeyValues.Held held = values.of(chosen).stream()
                .filter(one -> key == null || one.key().name().equals(key))
                .findFirst()
                .orElseThrow(() -> new ModelException(ErrorCode.PROVIDER_AUTH, KeyValues.missing(chosen), null, null));
        if (!held.value().fitsHeader()) {
            throw new ModelException(
                    ErrorCode.PROVIDER_AUTH, KeyValues.noHeader(held.key().variable()), null, null);
        }
        return new ProviderAccess(chosen.askedWith(held.key()), held.value());
    }

    /** Ends the connections; calls in flight fail. */
    @Override
    public void close() {
        http.close();
        batchHttp.close();
    }

    @Override
    public String toString() {
        return "ProviderCatalog" + settings.keySet();
    }
}
