package dev.assay.standalone.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Ports on which nothing listens, of the loopback interface unless said otherwise. */
public final class FreePort {

    private static final int FIRST_UNPRIVILEGED = 1_024;
    private static final int LAST = 65_535;

    private FreePort() {}

    /** A port on which nothing listens now. */
    public static int any() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("No free port on the loopback interface", e);
        }
    }

    /**
     * Tries to listen.
     *
     * @param host a name or address of this machine
     * @throws IOException something else listens there, or this machine has no such address
     */
    public static void check(String host, int port) throws IOException {
        new ServerSocket(port, 1, InetAddress.getByName(host)).close();
    }

    /** {@code preferred} if nothing listens on it and every user may, else any free port. */
    public static int preferring(int preferred) {
        if (preferred < FIRST_UNPRIVILEGED || preferred > LAST) {
            return any();
        }
        try (ServerSocket socket = new ServerSocket(preferred, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            return any();
        }
    }

    /**
     * The port that {@code file} names, so that a server keeps its port over restarts; {@code first} when there is no such file.
     * Any free port when something else listens there. The file then names the port that was taken.
     */
    public static int keptIn(Path file, int first) throws IOException {
        int port = preferring(Files.exists(file) ? read(file) : first);
        Files.writeString(file, port + "\n", StandardCharsets.UTF_8);
        return port;
    }

    private static int read(Path file) throws IOException {
        try {
            return Integer.parseInt(
                    Files.readString(file, StandardCharsets.UTF_8).strip());
        } catch (NumberFormatException e) {
            // Its writer was killed, or another process wrote into it.
            return 0;
        }
    }
}
