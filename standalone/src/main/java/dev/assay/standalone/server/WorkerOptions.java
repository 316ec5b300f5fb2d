package dev.assay.standalone.server;

import dev.assay.domain.isolation.IsolationLevel;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a worker in a process of its own.
 *
 * @param drain how long calls in flight may still take when it is stopped; later ones are aborted and asked again elsewhere
 * @param health where it says whether it can work; empty: nowhere
 * @param allowedHosts names under which that may be asked beside those of loopback, as long as it listens there only
 * @param isolation the level at which programs start at least; null: the highest of this machine
 */
public record WorkerOptions(
        Duration drain,
        Optional<InetSocketAddress> health,
        Set<String> allowedHosts,
        @Nullable IsolationLevel isolation) {

    public WorkerOptions {
        allowedHosts = Set.copyOf(allowedHosts);
    }
}
