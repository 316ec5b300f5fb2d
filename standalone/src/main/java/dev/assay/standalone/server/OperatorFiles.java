package dev.assay.standalone.server;

import dev.assay.activities.operator.OperatorFile;
import dev.assay.domain.retention.RetentionReader;
import dev.assay.domain.retention.RetentionRules;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The places of an operator's files: those that the environment names, else those in the data directory.
 *
 * @param providers the file of providers; null when there is none
 * @param tools the file that says what tools may reach; null when there is none
 * @param server the file of a server; null when there is none
 * @param plugins the directory of custom strategies; it may not exist
 */
public record OperatorFiles(
        @Nullable Path providers,
        @Nullable Path tools,
        @Nullable Path server,
        Path plugins) {

    /** The name of the file of providers in a data directory. */
    public static final String PROVIDERS = "providers.yaml";

    /**
     * The files of an operator with {@code environment}: {@code ASSAY_PROVIDERS}, {@code ASSAY_TOOLS}, {@code ASSAY_SERVER_SETTINGS} and
     * {@code ASSAY_PLUGINS}.
     *
     * @param data the data directory; it may not exist
     */
    public static OperatorFiles of(Path data, Map<String, String> environment) {
        return new OperatorFiles(
                file(environment.get("ASSAY_PROVIDERS"), data.resolve(PROVIDERS)),
                file(environment.get("ASSAY_TOOLS"), data.resolve("tools.yaml")),
                file(environment.get("ASSAY_SERVER_SETTINGS"), data.resolve("server.yaml")),
                named(environment.get("ASSAY_PLUGINS")).orElse(data.resolve("plugins")));
    }

    /**
     * How long the server keeps campaigns.
     *
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT with every error of the file
     */
    RetentionRules retention() {
        return server == null ? RetentionRules.NONE : RetentionReader.read(OperatorFile.read(server));
    }

    /** A file that is named must exist, which its reader checks; that of the data directory need not. */
    private static @Nullable Path file(@Nullable String named, Path own) {
        return named(named).orElse(Files.exists(own) ? own : null);
    }

    private static Optional<Path> named(@Nullable String named) {
        return Optional.ofNullable(named).filter(name -> !name.isEmpty()).map(Path::of);
    }
}
