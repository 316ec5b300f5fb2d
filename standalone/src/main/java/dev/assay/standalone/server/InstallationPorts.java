package dev.assay.standalone.server;

import dev.assay.activities.isolation.ListeningPorts;
import dev.assay.activities.isolation.OwnPorts;
import dev.assay.standalone.postgres.DatabaseAddress;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The ports of an installation on this machine: of its addresses, and all others on which its processes listen. */
final class InstallationPorts implements OwnPorts {

    private static final int POSTGRES = 5_432;

    private final Supplier<Endpoints> endpoints;

    /** @param endpoints as they are now; those that are not on this machine do not count */
    InstallationPorts(Supplier<Endpoints> endpoints) {
        this.endpoints = endpoints;
    }

    @Override
    public Set<Integer> now() {
        Endpoints now = endpoints.get();
        Set<Integer> ports = new HashSet<>();
        add(ports, now.api(), 0);
        add(ports, "postgresql://" + DatabaseAddress.parse(now.database()).place(), POSTGRES);
        add(ports, now.temporal() == null ? "" : "temporal://" + now.temporal(), 0);
        add(ports, now.temporalUi() == null ? "" : now.temporalUi(), 0);
        Endpoints.Pids pids = now.pids();
        List<Long> processes = Stream.of(ProcessHandle.current().pid(), pids.server(), pids.postgres(), pids.temporal())
                .filter(Objects::nonNull)
                .toList();
        ports.addAll(ListeningPorts.of(processes));
        return ports;
    }

    private static void add(Set<Integer> ports, String address, int usual) {
        if (address.isEmpty()) {
            return;
        }
        URI uri = URI.create(address);
        int port = uri.getPort() < 0 ? usual : uri.getPort();
        if (port > 0 && isHere(uri.getHost())) {
            ports.add(port);
        }
    }

    private static boolean isHere(@Nullable String host) {
        try {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                if (address.isAnyLocalAddress()
                        || address.isLoopbackAddress()
                        || NetworkInterface.getByInetAddress(address) != null) {
                    return true;
                }
            }
            return false;
        } catch (UnknownHostException | SocketException _) {
            // Nothing of this machine has that name.
            return false;
        }
    }
}
