package dev.assay.standalone.engine;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;

/** An address of loopback that nobody guesses: 24 bits of 127.0.0.0/8 and almost 16 of a port. */
final class HiddenAddress {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int FIRST_PORT = 1_024;
    private static final int END_OF_PORTS = 65_536;
    private static final int TRIES = 20;

    private HiddenAddress() {}

    /** Whether this machine has more of loopback than 127.0.0.1. */
    static boolean isPossible() {
        try {
            any();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * One on which nothing listens now.
     *
     * @throws IOException when this machine has only 127.0.0.1
     */
    static InetSocketAddress any() throws IOException {
        for (int left = TRIES; ; left--) {
            byte[] address = new byte[] {127, part(), part(), part()};
            int port = RANDOM.nextInt(FIRST_PORT, END_OF_PORTS);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getByAddress(address))) {
                return new InetSocketAddress(free.getInetAddress(), port);
            } catch (BindException e) {
                if (left == 1) {
                    throw e;
                }
            }
        }
    }

    private static byte part() {
        return (byte) RANDOM.nextInt(1, 255);
    }
}
