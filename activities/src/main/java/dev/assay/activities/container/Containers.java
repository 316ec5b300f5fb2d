package dev.assay.activities.container;

import dev.assay.domain.isolation.AttemptLimits;
import dev.assay.domain.isolation.ContainerRules;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The containers of this worker's programs: who runs them, and what they reach. */
public final class Containers {

    private static final Logger LOG = LoggerFactory.getLogger(Containers.class);

    /** A loaded daemon takes a second to remove a container. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** What a runtime prints of one that it removed: its name. */
    private static final Pattern REMOVED = Pattern.compile("[A-Za-z0-9_.-]*");

    /** How runtimes say that a container has gone, or that another call removes it. */
    private static final List<String> GOING =
            List.of("No such container", "no container with name", "no such container", "already in progress");

    private final ContainerClient client;
    private final ContainerNetwork network;
    private final boolean isNetworkOpen;
    private final Supplier<Set<Integer>> ports;

    /** Names of those whose removal was not answered. */
    private final Set<String> left = ConcurrentHashMap.newKeySet();

    private Containers(
            ContainerClient client, ContainerNetwork network, boolean isNetworkOpen, Supplier<Set<Integer>> ports) {
        this.client = client;
        this.network = network;
        this.isNetworkOpen = isNetworkOpen;
        this.ports = ports;
    }

    /**
     * Asks the runtime, and makes the network.
     *
     * @param ports of this machine that stay closed
     * @throws IOException when it does not answer; the message says why
     */
    public static Containers of(ContainerRules rules, Map<String, String> environment, Supplier<Set<Integer>> ports)
            throws IOException {
        return of(rules, environment, ports, PATIENCE);
    }

    static Containers of(
            ContainerRules rules, Map<String, String> environment, Supplier<Set<Integer>> ports, Duration patience)
            throws IOException {
        ContainerClient client = ContainerClient.find(rules.runtime(), environment, patience);
        // Of a client without a daemon this fails.
        ContainerClient.Answer answer = client.call(List.of("version", "--format", "{{.Server.Version}}"));
        if (!answer.isDone()) {
            throw new IOException(rules.runtime().word() + " does not answer: " + answer.why());
        }
        boolean isOpen = rules.networkOpen();
        return new Containers(client, ContainerNetwork.of(client, isOpen), isOpen, ports);
    }

    /**
     * Looks for an image. It is never pulled here.
     *
     * @throws IOException when it is missing, or the runtime does not answer
     */
    public void require(String image) throws IOException {
        if (!client.call(List.of("image", "inspect", "--format", "{{.Id}}", image))
                .isDone()) {
            throw new IOException("the image %s is missing; `%s pull %s` gets it"
                    .formatted(image, client.runtime().word(), image));
        }
    }

    ContainerClient client() {
        return client;
    }

    public boolean isNetworkOpen() {
        return isNetworkOpen;
    }

    /** The address of this machine that programs reach. */
    public InetAddress gateway() {
        return network.gateway();
    }

    /**
     * A container for an attempt. Nothing is started.
     *
     * @param asksModels whether its program must reach the model proxy
     * @throws IOException when a port of this installation is open to it
     */
    public Container of(String attempt, String image, AttemptLimits limits, boolean asksModels) throws IOException {
        boolean isOnNetwork = asksModels || isNetworkOpen;
        if (isOnNetwork) {
            ContainerNetwork.requireClosed(ports.get());
        }
        return new Container(this, attempt, image, limits, isOnNetwork ? network : null);
    }

    /** Kills and removes a container, and those whose removal was not answered before. One that is not there is no error. */
    void remove(String name) {
        left.add(name);
        List<String> names = List.copyOf(left);
        try {
            removeAll(names);
            names.forEach(left::remove);
        } catch (IOException e) {
            LOG.warn("Containers of programs could not be removed yet: {}", names, e);
        }
    }

    private void removeAll(List<String> names) throws IOException {
        List<String> line = new ArrayList<>(List.of("rm", "--force"));
        line.addAll(names);
        ContainerClient.Answer answer = client.call(line);
        if (!answer.isDone() && !answer.text().lines().allMatch(Containers::isGone)) {
            throw new IOException(answer.why());
        }
    }

    /** Whether a line of the runtime names a container that has gone, or is going. */
    private static boolean isGone(String line) {
        return !line.startsWith("Error")
                ? REMOVED.matcher(line).matches()
                : GOING.stream().anyMatch(line::contains);
    }

    /**
     * Removes the containers of a worker that has died.
     *
     * @throws IOException when they could not be removed
     */
    public void clear(String worker) throws IOException {
        ContainerClient.Answer found =
                client.call(List.of("ps", "--all", "--quiet", "--filter", "label=" + Container.label(worker)));
        if (!found.isDone()) {
            throw new IOException(found.why());
        }
        List<String> ids = found.text().lines().filter(id -> !id.isBlank()).toList();
        if (!ids.isEmpty()) {
            removeAll(ids);
        }
    }
}
