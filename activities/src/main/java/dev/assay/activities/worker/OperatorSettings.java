package dev.assay.activities.worker;

import io.micronaut.context.annotation.ConfigurationProperties;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The places of an operator's files. */
final class OperatorSettings {

    private OperatorSettings() {}

    /**
     * Providers.
     *
     * @param file {@code providers.yaml}; null: only the built-in providers
     */
    @ConfigurationProperties("assay.providers")
    record Providers(@Nullable Path file) {}

    /**
     * Tools.
     *
     * @param file {@code tools.yaml}; null: tools reach nothing beyond this process
     */
    @ConfigurationProperties("assay.tools")
    record Tools(@Nullable Path file) {}

    /**
     * Custom strategies.
     *
     * @param directory where their JAR files lie; it may not exist; null: there are none
     */
    @ConfigurationProperties("assay.plugins")
    record Plugins(@Nullable Path directory) {}
}
