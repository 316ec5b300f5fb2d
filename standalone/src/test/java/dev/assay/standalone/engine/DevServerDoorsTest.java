package dev.assay.standalone.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.uber.m3.tally.NoopScope;
import dev.assay.standalone.process.DetachedCommand;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a page of another site reaches of the dev server, asked on every port that the operating system names. */
@EnabledOnOs(OS.LINUX)
class DevServerDoorsTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String FOREIGN = "Host: evil.example\r\nOrigin: http://evil.example\r\n";

    @TempDir
    static Path directory;

    private static final AtomicInteger restarts = new AtomicInteger();

    private static DevServerEngine engine;

    @BeforeAll
    static void start() {
        assumeTrue(DetachedCommand.onPath("temporal").isPresent(), "the temporal CLI is not on the PATH");
        engine = DevServerEngine.start(
                directory.resolve("temporal"),
                directory.resolve("temporal.log"),
                restarts::incrementAndGet,
                new NoopScope(),
                PagesAccess.LOCAL);
    }

    @AfterAll
    static void stop() {
        if (engine != null) {
            engine.close();
        }
    }

    /** The addresses on which the process listens, by the tables of the kernel. */
    private static Set<InetSocketAddress> listening(long pid) throws IOException {
        Set<String> sockets = new HashSet<>();
        try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
            for (Path file : open) {
                try {
                    sockets.add(Files.readSymbolicLink(file).toString().replaceAll("socket:\\[(\\d+)]", "$1"));
                } catch (NoSuchFileException _) {
                    // It was closed meanwhile.
                }
            }
        }
        Set<InetSocketAddress> found = new HashSet<>();
        for (String table : List.of("tcp", "tcp6")) {
            for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/net/" + table))) {
                String[] fields = line.strip().split("\\s+");
                if (fields[3].equals("0A") && sockets.contains(fields[9])) {
                    found.add(address(fields[1]));
                }
            }
        }
        return found;
    }

    private static InetSocketAddress address(String written) throws IOException {
        String[] parts = written.split(":");
        byte[] bytes = HexFormat.of().parseHex(parts[0]);
        byte[] address = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            // Each word of four bytes has the order of the machine.
            address[i] = bytes[i / 4 * 4 + 3 - i % 4];
        }
        return new InetSocketAddress(InetAddress.getByAddress(address), Integer.parseInt(parts[1], 16));
    }

    private static String ask(InetSocketAddress address, String request) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(address, 2_000);
            socket.setSoTimeout(5_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void shouldAnswerNoPageOfAnotherSiteOnAnyPortThatItCouldFind() throws Exception {
        Set<InetSocketAddress> found = listening(engine.pid());
        assertThat(found).hasSizeGreaterThan(3);
        found.add(new InetSocketAddress("127.0.0.1", URI.create(engine.ui()).getPort()));
        int refused = 0;
        for (InetSocketAddress address : found) {
            String host = address.getAddress().getHostAddress();
            if (!List.of("127.0.0.1", "0:0:0:0:0:0:0:1").contains(host)) {
                assertThat(host).as("only the pages hide elsewhere").startsWith("127.");
                continue;
            }
            for (String path : List.of("/", "/api/v1/namespaces", "/api/v1/settings", "/namespaces/default")) {
                String said = ask(address, "GET " + path + " HTTP/1.1\r\n" + FOREIGN + "Connection: close\r\n\r\n");
                assertThat(said).as(address + path).doesNotStartWith("HTTP/1.1 2");
                refused += said.endsWith(" 403") ? 1 : 0;
            }
        }
        assertThat(refused).as("the door and the HTTP API refuse").isGreaterThanOrEqualTo(5);
    }

    @Test
    void shouldStartNoBatchForAPageOfAnotherSite() throws Exception {
        String job = "{\"visibilityQuery\": \"WorkflowId != ''\", \"reason\": \"x\", \"terminationOperation\": {}}";
        for (InetSocketAddress address : listening(engine.pid())) {
            if (address.getAddress().getHostAddress().equals("127.0.0.1")) {
                String said = ask(
                        address,
                        "POST /api/v1/namespaces/default/batch-operations/b HTTP/1.1\r\n" + FOREIGN
                                + "Content-Type: text/plain\r\nContent-Length: " + job.length() + "\r\n\r\n" + job);
                assertThat(said).doesNotStartWith("HTTP/1.1 2");
            }
        }
    }

    @Test
    void shouldShowThePagesThroughTheDoorAlsoAfterItWasKilled() throws Exception {
        URI ui = URI.create(engine.ui());
        assertThat(pages(ui)).isEqualTo("HTTP/1.1 200");

        int before = restarts.get();
        ProcessHandle.of(engine.pid()).orElseThrow().destroyForcibly();

        await().atMost(LONG).until(() -> restarts.get() > before);
        await().atMost(LONG).until(() -> pages(ui).equals("HTTP/1.1 200"));
        assertThat(engine.ui()).isEqualTo(ui.toString());
    }

    private static String pages(URI ui) throws IOException {
        return ask(
                new InetSocketAddress(ui.getHost(), ui.getPort()),
                "GET /api/v1/settings HTTP/1.1\r\nHost: " + ui.getAuthority() + "\r\nOrigin: " + ui
                        + "\r\nConnection: close\r\n\r\n");
    }
}
