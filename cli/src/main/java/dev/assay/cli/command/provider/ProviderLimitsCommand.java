package dev.assay.cli.command.provider;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.report.LimitTable;
import dev.assay.domain.json.Json;
import dev.assay.domain.provider.ManualLimitChange;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Changes limits of a provider while workers run. */
@Command(
        name = "limits",
        description = "Change the limits of a provider, on all workers, until they are taken back by \"none\".")
final class ProviderLimitsCommand implements Callable<Integer> {

    private static final String UNITS = "N|none";
    private static final String NONE = "none";
    private static final String NUMBER = "[0-9]{1,30}";
    private static final String CONCURRENT = ManualLimitChange.CONCURRENT;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ProviderCommand.ProviderOptions options = new ProviderCommand.ProviderOptions();

    @Parameters(paramLabel = "NAME", description = "The provider, as campaigns call it.")
    private String name = "";

    @Option(
            names = "--models",
            paramLabel = "PATTERN",
            required = true,
            description = "The models of an entry of the settings, as they are written there.")
    private String models = "";

    @Option(names = "--account", paramLabel = "NAME", description = "What the provider counts for; default: all.")
    private @Nullable String account;

    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why, for those who look later.")
    private String reason = "";

    private final Map<String, String> limits = new LinkedHashMap<>();

    @Option(names = "--requests-per-minute", paramLabel = UNITS, description = "Requests in a minute.")
    void requestsPerMinute(@Nullable String units) {
        put("requestsPerMinute", units);
    }

    @Option(names = "--input-tokens-per-minute", paramLabel = UNITS, description = "Tokens of input in a minute.")
    void inputTokensPerMinute(@Nullable String units) {
        put("inputTokensPerMinute", units);
    }

    @Option(names = "--output-tokens-per-minute", paramLabel = UNITS, description = "Tokens of output in a minute.")
    void outputTokensPerMinute(@Nullable String units) {
        put("outputTokensPerMinute", units);
    }

    @Option(names = "--tokens-per-minute", paramLabel = UNITS, description = "Tokens of both in a minute.")
    void tokensPerMinute(@Nullable String units) {
        put("tokensPerMinute", units);
    }

    @Option(names = "--requests-per-day", paramLabel = UNITS, description = "Requests in a day.")
    void requestsPerDay(@Nullable String units) {
        put("requestsPerDay", units);
    }

    @Option(names = "--input-tokens-per-day", paramLabel = UNITS, description = "Tokens of input in a day.")
    void inputTokensPerDay(@Nullable String units) {
        put("inputTokensPerDay", units);
    }

    @Option(names = "--output-tokens-per-day", paramLabel = UNITS, description = "Tokens of output in a day.")
    void outputTokensPerDay(@Nullable String units) {
        put("outputTokensPerDay", units);
    }

    @Option(names = "--tokens-per-day", paramLabel = UNITS, description = "Tokens of both in a day.")
    void tokensPerDay(@Nullable String units) {
        put("tokensPerDay", units);
    }

    @Option(
            names = "--concurrent",
            paramLabel = "N|MIN-MAX|none",
            description = "Calls in flight, with all accounts together: a number, or the bounds of one that is found.")
    private @Nullable String concurrent;

    private void put(String limit, @Nullable String units) {
        if (units != null) {
            limits.put(limit, units);
        }
    }

    @Override
    public Integer call() {
        ObjectNode change = change();
        return options.print((api, out) -> {
            JsonNode changed = api.change(name, change);
            out.print(options.shown(changed, LimitTable.of(name, changed)));
        });
    }

    private ObjectNode change() {
        if (limits.isEmpty() && concurrent == null) {
            throw wrong("Name what changes, such as --requests-per-minute.");
        }
        ObjectNode change =
                Json.mapper().createObjectNode().put("models", models).put("reason", reason);
        if (account != null) {
            change.put("account", account);
        }
        limits.forEach((limit, units) -> {
            if (!putNumber(change, limit, units)) {
                throw wrong("A limit is a whole number or none, not: " + units);
            }
        });
        if (concurrent != null) {
            putCalls(change, concurrent);
        }
        return change;
    }

    /** Whether it is a number or none. */
    private static boolean putNumber(ObjectNode change, String field, String text) {
        if (text.equals(NONE)) {
            change.putNull(field);
        } else if (text.matches(NUMBER)) {
            change.put(field, new BigInteger(text));
        } else {
            return false;
        }
        return true;
    }

    private void putCalls(ObjectNode change, String calls) {
        if (putNumber(change, CONCURRENT, calls)) {
            return;
        }
        String[] bounds = calls.split("-", 2);
        if (bounds.length != 2 || !bounds[0].matches(NUMBER) || !bounds[1].matches(NUMBER)) {
            throw wrong("--concurrent is a whole number, two of them as in 2-100, or none, not: " + calls);
        }
        change.putObject(CONCURRENT).put("min", new BigInteger(bounds[0])).put("max", new BigInteger(bounds[1]));
    }

    private RuntimeException wrong(String message) {
        return spec == null ? new IllegalStateException(message) : new ParameterException(spec.commandLine(), message);
    }
}
