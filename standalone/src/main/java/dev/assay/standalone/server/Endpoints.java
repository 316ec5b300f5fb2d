package dev.assay.standalone.server;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.assay.domain.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The services over a data directory: the content of {@code endpoints.json}, readable by its owner only.
 *
 * @param api base URL of the API
 * @param database URL with login, as {@code psql} takes it
 * @param temporal {@code host:port}; null when the engine has no port
 * @param temporalUi base URL of Temporal's pages; null when there are none
 * @param open whether others than this machine may submit: over the network, or through an external store
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Endpoints(
        String api,
        String database,
        @Nullable String temporal,
        @Nullable String temporalUi,
        String namespace,
        Pids pids,
        boolean open) {

    /**
     * Processes by what they do.
     *
     * @param server this JVM
     * @param postgres the postmaster; null when PostgreSQL is external
     * @param temporal the dev server; null when there is none
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Pids(
            long server, @Nullable Long postgres, @Nullable Long temporal) {}

    /** The pages on which people look at campaigns. */
    public URI pages() {
        return URI.create(api() + "/ui/");
    }

    /** The content of the directory's file; empty when there is none. */
    public static Optional<Endpoints> read(DataDirectory directory) {
        try {
            return Optional.of(Json.read(Files.readString(directory.endpointsFile()), Endpoints.class));
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Whether the process that wrote them still runs; a killed one leaves its file behind. */
    boolean serverRuns() {
        return ProcessHandle.of(pids.server()).map(ProcessHandle::isAlive).orElse(false);
    }

    /** Whether {@code other} names the same PostgreSQL and Temporal. */
    boolean sameStores(Endpoints other) {
        return database.equals(other.database)
                && Objects.equals(temporal, other.temporal)
                && namespace.equals(other.namespace);
    }

    /** Writes the file in one step: a reader sees the old one or the new one. */
    void write(DataDirectory directory) throws IOException {
        Path file = directory.endpointsFile();
        Path next = Files.createTempFile(
                directory.path(),
                "endpoints-",
                ".json",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(
                next,
                Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(this) + "\n",
                StandardCharsets.UTF_8);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    static void delete(DataDirectory directory) throws IOException {
        Files.deleteIfExists(directory.endpointsFile());
    }
}
