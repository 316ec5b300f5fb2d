package dev.assay.cli.server;

import java.nio.file.Path;
import java.util.Map;

/** Where the JAR files of custom strategies lie. */
public final class PluginDirectory {

    private PluginDirectory() {}

    /** {@code ASSAY_PLUGINS}, else {@code plugins} of the data directory; it may not exist. */
    public static Path of(Path data, Map<String, String> environment) {
        String named = environment.getOrDefault("ASSAY_PLUGINS", "");
        return named.isEmpty() ? data.resolve("plugins") : Path.of(named);
    }
}
