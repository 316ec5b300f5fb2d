package dev.assay.cli.server;

import dev.assay.cli.postgres.DatabaseAddress;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The configuration that a server's beans see. */
final class ServerProperties {

    /** The embedded PostgreSQL and that of docker-compose.yml take the pools of several processes: 400 in all. */
    private static final int POOL_SIZE = 40;

    /** While PostgreSQL is away a request is answered by 503 after this time; a restart takes less. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private static final String MAXIMUM = "datasources.default.maximum-pool-size";

    private static final String POOL_VARIABLE = "ASSAY_DATABASE_CONNECTIONS";

    private ServerProperties() {}

    static Map<String, Object> of(DataDirectory directory, ServerOptions options, int port, DatabaseAddress database) {
        Map<String, Object> properties = stores(directory, database);
        properties.put("micronaut.server.host", options.host());
        properties.put("micronaut.server.port", port);
        int pool = poolSize(System.getenv());
        properties.put(MAXIMUM, options.role().works() ? apiShare(pool) : pool);
        properties.put("flyway.datasources.default.enabled", true);
        return properties;
    }

    /** Of the worker in a server's process: the connections that the API leaves. */
    static Map<String, Object> ofWorkerInServer(DataDirectory directory, DatabaseAddress database) {
        Map<String, Object> properties = ofWorker(directory, database);
        int pool = poolSize(System.getenv());
        properties.put(MAXIMUM, Math.max(1, pool - apiShare(pool)));
        return properties;
    }

    /** How many of a process's {@code pool} connections the API may open where a worker has the others. */
    static int apiShare(int pool) {
        return Math.max(1, pool / 3);
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
        properties.put(MAXIMUM, poolSize(System.getenv()));
        properties.put("datasources.default.minimum-idle", 2);
        properties.put("datasources.default.connection-timeout", LONGEST_WAIT.toMillis());
        properties.put("assay.data", directory.path().toString());
        OperatorFiles files = OperatorFiles.of(directory.path(), System.getenv());
        if (files.providers() != null) {
            properties.put("assay.providers.file", files.providers());
        }
        if (files.tools() != null) {
            properties.put("assay.tools.file", files.tools());
        }
        properties.put("assay.plugins.directory", files.plugins());
        return properties;
    }

    /** Connections that this process opens at most: {@code ASSAY_DATABASE_CONNECTIONS}, else 40. */
    static int poolSize(Map<String, String> environment) {
        String asked = environment.getOrDefault(POOL_VARIABLE, "");
        if (asked.isEmpty()) {
            return POOL_SIZE;
        }
        if (!asked.matches("[1-9][0-9]{0,3}")) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT, POOL_VARIABLE + " must be a number from 1 to 9999, not \"" + asked + "\"");
        }
        return Integer.parseInt(asked);
    }
}
