package dev.assay.standalone.server;

import dev.assay.activities.worker.WorkerCapacity;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.standalone.postgres.DatabaseAddress;
import dev.assay.standalone.postgres.DatabasePassword;
import dev.assay.work.secret.SecretVariables;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The configuration that a server's beans see. */
final class ServerProperties {

    /** The embedded PostgreSQL and that of docker-compose.yml take the pools of several processes: 400 in all. */
    private static final int POOL_SIZE = 40;

    /** While PostgreSQL is away the API answers a request with 503 after this time; a restart takes less. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    /**
     * A connection that was cut off silently is given up after this time; otherwise its thread would wait for hours. No statement
     * of Assay's takes as long. Migrations do, on a connection of their own. {@code socketTimeout} in the database's URL, in
     * seconds, takes precedence.
     */
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(2);

    /**
     * A worker that is frozen in the middle of a transaction loses it after this time: other workers wait for the locks that it holds.
     * What it was about to write it writes anew.
     */
    private static final Duration LONGEST_FREEZE = Duration.ofSeconds(5);

    private static final String MAXIMUM = "datasources.default.maximum-pool-size";

    private static final String POOL_VARIABLE = "ASSAY_DATABASE_CONNECTIONS";

    /** The settings of {@link WorkerCapacity}, and of what a worker keeps, that the environment may give. */
    private static final List<Setting> CAPACITY = List.of(
            new Setting("ASSAY_WORKSPACE_CACHE_GB", "assay.workspaces.cache-gb", 1),
            new Setting("ASSAY_WORKER_ACTIVITIES", "assay.worker.activities", 1),
            new Setting("ASSAY_WORKER_WORKFLOW_TASKS", "assay.worker.workflow-tasks", 2),
            new Setting("ASSAY_WORKER_ACTIVITY_POLLERS", "assay.worker.activity-pollers", 1),
            new Setting("ASSAY_WORKER_WORKFLOW_POLLERS", "assay.worker.workflow-pollers", 2),
            new Setting("ASSAY_WORKER_CACHED_WORKFLOWS", "assay.worker.cached-workflows", 1));

    private record Setting(String variable, String property, int least) {}

    private ServerProperties() {}

    static Map<String, Object> of(DataDirectory directory, ServerOptions options, int port, DatabaseAddress database) {
        Map<String, Object> properties = stores(directory, database);
        properties.put("micronaut.server.host", options.host());
        properties.put("micronaut.server.port", port);
        properties.put("assay.access.tokens", Doors.needTokens(options.host()));
        properties.put("assay.access.hosts", options.allowedHosts());
        properties.put("assay.access.nobody", options.role().shared() ? "local" : "command");
        int pool = poolSize(System.getenv());
        properties.put(MAXIMUM, options.role().works() ? apiShare(pool) : pool);
        migrates(properties, database);
        return properties;
    }

    /** Of a command that goes to the store itself. */
    static Map<String, Object> ofStore(DataDirectory directory, DatabaseAddress database) {
        Map<String, Object> properties = stores(directory, database);
        migrates(properties, database);
        properties.put("micronaut.metrics.enabled", false);
        return properties;
    }

    private static void migrates(Map<String, Object> properties, DatabaseAddress database) {
        properties.put("flyway.datasources.default.enabled", true);
        properties.put("flyway.datasources.default.url", database.jdbcUrl());
        properties.put("flyway.datasources.default.user", database.user());
        properties.put("flyway.datasources.default.password", database.password());
    }

    /** Of the worker in a server's process: the connections that the API leaves. */
    static Map<String, Object> ofWorkerInServer(DataDirectory directory, DatabaseAddress database) {
        Map<String, Object> properties = ofWorker(directory, database);
        int pool = poolSize(System.getenv());
        properties.put(MAXIMUM, Math.max(1, pool - apiShare(pool)));
        // Its meters are shown with the server's.
        properties.put("micronaut.metrics.enabled", false);
        return properties;
    }

    /** The number of a process's {@code pool} connections for the API where a worker has the others. */
    static int apiShare(int pool) {
        return Math.max(1, pool / 3);
    }

    /** Of a worker that joins a server: the server migrates, reconciles and answers. */
    static Map<String, Object> ofWorker(DataDirectory directory, DatabaseAddress database) {
        Map<String, Object> properties = stores(directory, database);
        properties.put("flyway.datasources.default.enabled", false);
        properties.put(
                "datasources.default.connection-init-sql",
                "SET idle_in_transaction_session_timeout = " + LONGEST_FREEZE.toMillis());
        properties.putAll(capacity(System.getenv()));
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
        properties.put("datasources.default.data-source-properties", ofDriver(database));
        properties.put("assay.data", directory.path().toString());
        // The process has one pool of compute processes, whatever beans it has.
        properties.put("assay.compute.own", false);
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

    private static Map<String, String> ofDriver(DatabaseAddress database) {
        Map<String, String> properties = new HashMap<>(
                Map.of("socketTimeout", String.valueOf(LONGEST_SILENCE.toSeconds()), "tcpKeepAlive", "true"));
        if (database.isInFile(SecretVariables.ofProcess())) {
            properties.put("authenticationPluginClassName", DatabasePassword.class.getName());
        }
        return properties;
    }

    /** Connections that this process opens at most: {@code ASSAY_DATABASE_CONNECTIONS}, else 40. */
    static int poolSize(Map<String, String> environment) {
        return number(environment, POOL_VARIABLE, 1).orElse(POOL_SIZE);
    }

    /** The limits of a worker that {@code environment} gives; those that use them have the others. */
    static Map<String, Object> capacity(Map<String, String> environment) {
        Map<String, Object> properties = new HashMap<>();
        CAPACITY.forEach(setting -> number(environment, setting.variable(), setting.least())
                .ifPresent(value -> properties.put(setting.property(), value)));
        return properties;
    }

    private static OptionalInt number(Map<String, String> environment, String variable, int least) {
        String asked = environment.getOrDefault(variable, "");
        if (asked.isEmpty()) {
            return OptionalInt.empty();
        }
        if (!asked.matches("[1-9][0-9]{0,3}") || Integer.parseInt(asked) < least) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    variable + " must be a number from " + least + " to 9999, not \"" + asked + "\"");
        }
        return OptionalInt.of(Integer.parseInt(asked));
    }
}
