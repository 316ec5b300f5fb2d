package dev.assay.cli.command.provider;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Drains and enables a key of a provider. */
@Command(name = "key", description = "Let a key of a provider send nothing new, or use it again.")
final class ProviderKeyCommand implements Callable<Integer> {

    @Mixin
    private ProviderCommand.ProviderOptions options = new ProviderCommand.ProviderOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The provider, as campaigns call it.")
    private String name = "";

    @Parameters(index = "1", paramLabel = "KEY", description = "The key, as the settings call it.")
    private String key = "";

    @ArgGroup(multiplicity = "1")
    private Change change = new Change();

    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why, for those who look later.")
    private String reason = "";

    /** One of the two. */
    static final class Change {

        @Option(names = "--drain", required = true, description = "Send nothing new with it; its calls end.")
        private boolean isDrained;

        @Option(names = "--enable", required = true, description = "Use it again, at once if it was refused.")
        private boolean isEnabled;
    }

    @Override
    public Integer call() {
        String state = change.isDrained && !change.isEnabled ? "draining" : "enabled";
        ObjectNode body = Json.mapper().createObjectNode().put("state", state).put("reason", reason);
        return options.print((api, out) -> {
            JsonNode changed = api.changeKey(name, key, body);
            out.print(options.shown(changed, "Key %s of %s is to be %s.%n".formatted(key, name, state)));
        });
    }
}
