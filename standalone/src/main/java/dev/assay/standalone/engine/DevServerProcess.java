package dev.assay.standalone.engine;

import dev.assay.activities.isolation.ListeningPorts;
import dev.assay.standalone.process.Child;
import dev.assay.standalone.process.DetachedCommand;
import dev.assay.standalone.process.FreePort;
import dev.assay.standalone.process.LogTail;
import dev.assay.work.child.ChildProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code temporal server start-dev} over one database file, on the loopback interface. */
final class DevServerProcess implements Child {

    static final String NAMESPACE = "default";

    private static final Logger LOG = LoggerFactory.getLogger(DevServerProcess.class);
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);
    private static final int PORT = 7_233;
    private static final int UI_PORT = 8_233;
    private static final String DATABASE_OPTION = "--db-filename";
    private static final int PROBE_MILLIS = 500;
    private static final long STOP_SECONDS = 5;
    private static final Pattern SERVER_VERSION = Pattern.compile("Server ([0-9][0-9A-Za-z.-]*)");

    private final Path program;
    private final Path directory;
    private final Path log;
    private final String version;
    private final int port;
    private final int pagesPort;
    private final boolean isHidden = HiddenAddress.isPossible();
    private final boolean hasPages;
    private volatile String pages = "";

    private DevServerProcess(Path program, Path directory, Path log, String version, boolean evenOpen)
            throws IOException {
        this.program = program;
        this.directory = directory;
        this.log = log;
        this.version = version;
        this.port = FreePort.keptIn(directory.resolve("port"), PORT);
        this.hasPages = isHidden || evenOpen;
        this.pagesPort = FreePort.keptIn(directory.resolve("ui-port"), UI_PORT);
    }

    /** @param evenOpen whether it has pages where nothing hides them, too */
    static DevServerProcess prepare(Path program, Path directory, Path log, boolean evenOpen) throws IOException {
        Files.createDirectories(directory);
        Files.createDirectories(log.toAbsolutePath().getParent());
        stopLeftovers(directory);
        return new DevServerProcess(program, directory, log, versionOf(program), evenOpen);
    }

    /** The version of the server inside the CLI, as in "1.32.0"; "unknown" when the CLI does not say. */
    private static String versionOf(Path program) throws IOException {
        Process process = ChildProcess.of(List.of(program.toString(), "--version"))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher matcher = SERVER_VERSION.matcher(output);
        return matcher.find() ? matcher.group(1) : "unknown";
    }

    /**
     * A killed parent leaves its dev server behind, which would hold port and database file. It is found by its command line. A
     * file with its id could be missing or old when the parent was killed while it started one.
     */
    private static void stopLeftovers(Path directory) throws IOException {
        List<ProcessHandle> leftovers = ProcessHandle.allProcesses()
                .filter(process ->
                        process.info().commandLine().orElse("").contains(DATABASE_OPTION + " " + databases(directory)))
                .toList();
        for (ProcessHandle leftover : leftovers) {
            LOG.warn("Temporal dev server process {} was left over {} and is stopped", leftover.pid(), directory);
            leftover.destroy();
            awaitEnd(leftover);
        }
    }

    /** The beginning of the paths of all database files in {@code directory}. */
    private static Path databases(Path directory) {
        return directory.resolve("temporal-");
    }

    private static void awaitEnd(ProcessHandle process) throws IOException {
        try {
            process.onExit().get(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            process.destroyForcibly();
            process.onExit().join();
        } catch (ExecutionException | CompletionException e) {
            throw new IOException("No news of process " + process.pid(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted", e);
        }
    }

    String version() {
        return version;
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    /** Whether it shows pages. */
    boolean hasPages() {
        return hasPages;
    }

    /** The port on which people find its pages. */
    int pagesPort() {
        return pagesPort;
    }

    /** Where its pages are, address and port; another place at each start. */
    String pages() {
        return pages;
    }

    /** The schema of the file is made by one version of the server and never migrated, so each version has its own. */
    Path database() {
        return Path.of(databases(directory) + version + ".db");
    }

    @Override
    public String name() {
        return "Temporal dev server";
    }

    @Override
    public Duration startTimeout() {
        return START_TIMEOUT;
    }

    @Override
    public Process start() throws IOException {
        LogTail.rotate(log);
        // WAL and synchronous=NORMAL survive kill -9 and are more than twice as fast as the default. After a power cut
        // PostgreSQL has the durable state.
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "server",
                "start-dev",
                "--ip",
                "127.0.0.1",
                "--port",
                Integer.toString(port),
                "--namespace",
                NAMESPACE,
                // Its HTTP API looks neither at Host nor at Origin: a page of another site could cancel every campaign.
                "--dynamic-config-value",
                "frontend.httpAllowedHosts=[\"none.invalid\"]",
                DATABASE_OPTION,
                database().toString(),
                "--sqlite-pragma",
                "journal_mode=WAL",
                "--sqlite-pragma",
                "synchronous=NORMAL",
                "--log-level",
                "error"));
        command.addAll(pagesOptions());
        return ChildProcess.of(DetachedCommand.of(command))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    private List<String> pagesOptions() throws IOException {
        if (!hasPages) {
            return List.of("--headless");
        }
        InetSocketAddress place = isHidden
                ? HiddenAddress.any()
                : new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.any());
        String host = place.getAddress().getHostAddress();
        String at = Integer.toString(place.getPort());
        pages = host + ":" + at;
        return List.of("--ui-ip", host, "--ui-port", at);
    }

    /** Another server may have taken the port since it was free; that one would answer while this one starts. */
    @Override
    public boolean ready(Process process) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PROBE_MILLIS);
            return process.isAlive()
                    && (!ListeningPorts.areKnown()
                            || ListeningPorts.of(List.of(process.pid())).contains(port));
        } catch (IOException e) {
            // It does not listen yet.
            return false;
        }
    }

    /** Whether something listens on one of its ports, which is another server when this one has ended. */
    boolean hasLostAPort() {
        return FreePort.preferring(port) != port || FreePort.preferring(pagesPort) != pagesPort;
    }

    @Override
    public void requestStop(Process process) {
        process.destroy();
    }

    @Override
    public Duration stopTimeout() {
        return STOP_TIMEOUT;
    }

    @Override
    public String lastWords() {
        return LogTail.of(log);
    }
}
