package dev.assay.standalone.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A free port of the loopback interface that nobody else gets until it is closed. Nothing listens on it: who connects is refused.
 */
public final class HeldPort implements AutoCloseable {

    private final Socket socket;

    private HeldPort(Socket socket) {
        this.socket = socket;
    }

    /** Holds any. */
    public static HeldPort any() {
        Socket socket = new Socket();
        try {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            return new HeldPort(socket);
        } catch (IOException e) {
            throw new UncheckedIOException("No free port on the loopback interface", e);
        }
    }

    /** Its number. */
    public int number() {
        return socket.getLocalPort();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("A port could not be freed", e);
        }
    }
}
