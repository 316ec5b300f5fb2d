package dev.assay.activities.container;

import dev.assay.domain.isolation.ContainerRuntime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bridge between containers of programs and this machine. Workers of a machine share it; containers on it do not reach each other.
 *
 * @param name that the runtime knows it by
 */
public record ContainerNetwork(String name, InetAddress gateway) {

    private static final String ALONE = "com.docker.network.bridge.enable_icc";
    private static final Pattern ADDRESS = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
    private static final Duration TO_CONNECT = Duration.ofMillis(200);

    /**
     * Finds it, or makes it.
     *
     * @param isOpen whether it leads to other networks
     * @throws IOException when there is none, or one that leads elsewhere
     */
    static ContainerNetwork of(ContainerClient client, boolean isOpen) throws IOException {
        String name = isOpen ? "assay-open" : "assay-closed";
        boolean isDocker = client.runtime() == ContainerRuntime.DOCKER;
        List<String> look = List.of("network", "inspect", name, "--format", format(isDocker));
        ContainerClient.Answer found = client.call(look);
        if (!found.isDone()) {
            ContainerClient.Answer made = client.call(create(name, isOpen, isDocker));
            // Another worker may have made it meanwhile.
            found = client.call(look);
            if (!found.isDone()) {
                throw new IOException("the network " + name + " could not be made: " + made.why());
            }
        }
        String[] words = found.text().strip().split(" ", -1);
        Matcher address = ADDRESS.matcher(words[0]);
        boolean isAsMade = words.length == 3
                && words[1].equals(String.valueOf(!isOpen))
                && (!isDocker || words[2].equals("false"));
        if (!address.matches() || !isAsMade) {
            throw new IOException("the network %s is not as Assay makes it; remove it (%s network rm %s)"
                    .formatted(name, client.runtime().word(), name));
        }
        return new ContainerNetwork(name, InetAddress.ofLiteral(words[0]));
    }

    private static String format(boolean isDocker) {
        return isDocker
                ? "{{(index .IPAM.Config 0).Gateway}} {{.Internal}} {{index .Options \"" + ALONE + "\"}}"
                : "{{(index .Subnets 0).Gateway}} {{.Internal}} {{.Driver}}";
    }

    private static List<String> create(String name, boolean isOpen, boolean isDocker) {
        List<String> line = new ArrayList<>(List.of("network", "create"));
        if (!isOpen) {
            line.add("--internal");
        }
        if (isDocker) {
            line.addAll(List.of("-o", ALONE + "=false"));
        }
        line.add(name);
        return line;
    }

    /**
     * Looks whether one of {@code ports} of this machine answers where containers reach it: at any address but loopback.
     *
     * @throws IOException when one does; the message names it
     */
    static void requireClosed(Set<Integer> ports) throws IOException {
        for (NetworkInterface one : NetworkInterface.networkInterfaces().toList()) {
            for (InetAddress address : one.inetAddresses().toList()) {
                for (int port : address.isLoopbackAddress() ? Set.<Integer>of() : ports) {
                    if (answers(address, port)) {
                        throw new IOException(
                                ("port %d of this installation answers at %s, which programs in containers reach: let"
                                    + " it listen on loopback, or write `isolation: {ports: open}` in tools.yaml")
                                        .formatted(port, address.getHostAddress()));
                    }
                }
            }
        }
    }

    private static boolean answers(InetAddress address, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), (int) TO_CONNECT.toMillis());
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
