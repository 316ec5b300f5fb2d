package dev.assay.standalone.process;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class HeldPortTest {

    @Test
    void shouldKeepOthersFromThePortUntilItIsClosed() {
        int port;
        try (HeldPort held = HeldPort.any()) {
            port = held.number();
            assertThatThrownBy(() -> FreePort.check("127.0.0.1", port)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                    .isInstanceOf(ConnectException.class);
        }
        assertThatCode(() -> FreePort.check("127.0.0.1", port)).doesNotThrowAnyException();
    }
}
