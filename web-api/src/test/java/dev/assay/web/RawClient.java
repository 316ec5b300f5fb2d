package dev.assay.web;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A client of its own making: it sends what no HTTP library would. */
public final class RawClient implements AutoCloseable {

    private final Socket socket;

    /** Connects; reading gives up after {@code patience}. */
    public RawClient(URI server, Duration patience) throws IOException {
        this(server, patience, 0);
    }

    /**
     * As {@link #RawClient(URI, Duration)}.
     *
     * @param receiveBuffer bytes that the system takes though the client reads nothing; 0: as many as it likes
     */
    public RawClient(URI server, Duration patience, int receiveBuffer) throws IOException {
        socket = new Socket();
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.connect(new InetSocketAddress(server.getHost(), server.getPort()));
        socket.setSoTimeout((int) patience.toMillis());
    }

    /** Sends {@code text}, each character as a byte. */
    public void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Sends {@code bytes}. */
    public void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** Whether the server has ended the connection, waiting for that as long as reading may take. */
    public boolean isClosed() throws IOException {
        try {
            InputStream in = socket.getInputStream();
            while (in.read() >= 0) {
                continue;
            }
            return true;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (java.net.SocketException reset) {
            return true;
        }
    }

    /** The status of the next answer; 0: the connection was closed without one. */
    public int status() throws IOException {
        String line = line();
        return line.startsWith("HTTP/1.") ? Integer.parseInt(line.split(" ")[1]) : 0;
    }

    /** The next line; empty at the end. */
    public String line() throws IOException {
        StringBuilder line = new StringBuilder();
        InputStream in = socket.getInputStream();
        try {
            for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
                line.append((char) next);
            }
        } catch (java.net.SocketException reset) {
            return line.toString();
        }
        return line.toString().strip();
    }

    /** Skips {@code length} bytes of an answer. */
    public void skip(int length) throws IOException {
        socket.getInputStream().readNBytes(length);
    }

    /** What the server still sends until it closes the connection, at most {@code most} bytes. */
    public byte[] rest(int most) throws IOException {
        return socket.getInputStream().readNBytes(most);
    }

    /** Leaves as a killed process does: the connection is reset. */
    public void vanish() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
