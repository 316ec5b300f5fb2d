package dev.assay.activities.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener of the proxy, on loopback or where containers reach this machine. Anyone on the machine may connect. Of connections without a request of a running attempt
 * only the newest are kept; the others are as many as attempts may have requests.
 */
final class ProxyListener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ProxyListener.class);

    private static final int MAX_WAITING = 512;

    private static final int BACKLOG = 128;

    private static final Duration LOOK = Duration.ofSeconds(5);

    /** After a connection could not be accepted: the process may have no file descriptor left for a while. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final ModelProxy proxy;
    private final ServerSocket server;

    /** Connections without a request under way, the one that has waited longest first. */
    private final Set<ProxyConnection> waiting = new LinkedHashSet<>();

    private final Set<ProxyConnection> working = new LinkedHashSet<>();

    /** Begins to listen on a free port of {@code address}. */
    ProxyListener(ModelProxy proxy, InetAddress address) throws IOException {
        this.proxy = proxy;
        this.server = listening(address);
        Thread.ofVirtual().name("model-proxy").start(this::accept);
        Thread.ofVirtual().name("model-proxy-stalls").start(this::closeStalled);
    }

    private static ServerSocket listening(InetAddress address) throws IOException {
        try {
            return new ServerSocket(0, BACKLOG, address);
        } catch (IOException e) {
            throw new IOException(
                    "the model proxy cannot listen on " + address.getHostAddress() + ": " + e.getMessage(), e);
        }
    }

    /** The address that programs are given, with its port. */
    String host() {
        return server.getInetAddress().getHostAddress() + ":" + port();
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                serve(server.accept());
            } catch (IOException e) {
                LOG.debug("A connection of a program could not be accepted", e);
                pause(PAUSE);
            } catch (RuntimeException | Error e) {
                // One connection that fails must not end the listener, which all later attempts need.
                LOG.error("A connection of a program failed unexpectedly", e);
                pause(PAUSE);
            }
        }
    }

    private void serve(Socket socket) throws IOException {
        try {
            ProxyConnection connection = new ProxyConnection(proxy, this, socket);
            waits(connection);
            Thread.ofVirtual().name("model-proxy-connection").start(connection);
        } catch (IOException | RuntimeException | Error e) {
            socket.close();
            throw e;
        }
    }

    private void closeStalled() {
        while (!server.isClosed()) {
            pause(LOOK);
            all().forEach(ProxyConnection::closeIfStalled);
        }
    }

    private static void pause(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized List<ProxyConnection> all() {
        List<ProxyConnection> all = new ArrayList<>(waiting);
        all.addAll(working);
        return all;
    }

    /** The connection has no request under way. Where too many have none, the one that has waited longest is closed. */
    synchronized void waits(ProxyConnection connection) {
        working.remove(connection);
        waiting.add(connection);
        if (waiting.size() > MAX_WAITING) {
            ProxyConnection oldest = waiting.iterator().next();
            waiting.remove(oldest);
            oldest.close();
        }
    }

    /** The connection has a request of a running attempt. */
    synchronized void works(ProxyConnection connection) {
        waiting.remove(connection);
        working.add(connection);
    }

    /** The connection has ended. */
    synchronized void forget(ProxyConnection connection) {
        waiting.remove(connection);
        working.remove(connection);
    }

    /** Ends to listen, and all connections. */
    @Override
    public void close() throws IOException {
        server.close();
        all().forEach(ProxyConnection::close);
    }
}
