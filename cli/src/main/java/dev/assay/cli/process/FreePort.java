package dev.assay.cli.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports of the loopback interface. */
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
}
