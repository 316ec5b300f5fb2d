package dev.assay.cli.server;

import dev.assay.cli.postgres.DatabaseAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The configuration that a server's beans see. */
final class ServerProperties {

    /** Of PostgreSQL's 100: the rest is for workers in other processes and for people. */
    private static final int POOL_SIZE = 40;

    /** While PostgreSQL is away a request is answered by 503 after this time; a restart takes less. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private ServerProperties() {}

    static Map<String, Object> of(DataDirectory directory, ServerOptions options, int port, DatabaseAddress database) {
        Map<String, Object> properties = stores(directory, database);
        properties.put("micronaut.server.host", options.host());
        properties.put("micronaut.server.port", port);
        properties.put("flyway.datasources.default.enabled", true);
        return properties;
    }

    /** Of a worker that joins a server: the server migrates, reconciles and answers. */
    static Map<String, Object> ofWorker(DataDirectory directory, DatabaseAddress database) {
        Map<String, Object> properties = stores(directory, database);
        properties.put("flyway.datasources.default.enabled", false);
        return properties;
    }

    private static Map<String, Object> stores(DataDirectory directory, DatabaseAddress database) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("micronaut.application.name", "assay");
        properties.put("datasources.default.url", database.jdbcUrl());
        properties.put("datasources.default.driver-class-name", "org.postgresql.Driver");
        properties.put("datasources.default.username", database.user());
        properties.put("datasources.default.password", database.password());
        properties.put("datasources.default.maximum-pool-size", POOL_SIZE);
        properties.put("datasources.default.minimum-idle", 2);
        properties.put("datasources.default.connection-timeout", LONGEST_WAIT.toMillis());
        properties.put("assay.data", directory.path().toString());
        properties.put("assay.providers.file", providersFile(directory));
        return properties;
    }

    /** {@code ASSAY_PROVIDERS}, else the file of the data directory; empty when that does not exist. */
    private static String providersFile(DataDirectory directory) {
        String named = System.getenv("ASSAY_PROVIDERS");
        if (named != null && !named.isEmpty()) {
            return named;
        }
        return directory.providersFile().toFile().exists()
                ? directory.providersFile().toString()
                : "";
    }
}
