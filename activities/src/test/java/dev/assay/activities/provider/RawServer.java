package dev.assay.activities.provider;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A server below HTTP: it reads a request's first bytes, writes what it is told, and then drops or watches the connection. */
public final class RawServer implements AutoCloseable {

    private final ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    private final CompletableFuture<Void> requestSeen = new CompletableFuture<>();
    private final CompletableFuture<Long> closedAtNanos = new CompletableFuture<>();
    private final String written;
    private final boolean drop;

    private RawServer(String written, boolean drop) throws IOException {
        this.written = written;
        this.drop = drop;
        Thread.ofVirtual().start(this::serve);
    }

    /** Drops the connection after it wrote {@code written}. */
    public static RawServer dropping(String written) throws IOException {
        return new RawServer(written, true);
    }

    /** Keeps the connection open after it wrote {@code written}, until the client closes it. */
    public static RawServer holding(String written) throws IOException {
        return new RawServer(written, false);
    }

    private void serve() {
        try (Socket connection = socket.accept()) {
            InputStream in = connection.getInputStream();
            byte[] buffer = new byte[16_384];
            if (in.read(buffer) > 0) {
                connection.getOutputStream().write(written.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                connection.getOutputStream().flush();
                requestSeen.complete(null);
            }
            if (!drop) {
                watch(in, buffer);
            }
        } catch (IOException e) {
            closedAtNanos.complete(System.nanoTime());
        }
    }

    private void watch(InputStream in, byte[] buffer) throws IOException {
        while (in.read(buffer) >= 0) {
            // The rest of the request.
        }
        closedAtNanos.complete(System.nanoTime());
    }

    public String url() {
        return "http://127.0.0.1:" + socket.getLocalPort();
    }

    public void awaitRequest() throws Exception {
        requestSeen.get(10, TimeUnit.SECONDS);
    }

    /** When the client closed the connection, by {@link System#nanoTime}. */
    public long awaitClose() throws Exception {
        return closedAtNanos.get(10, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
