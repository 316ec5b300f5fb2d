package dev.assay.standalone.postgres;

import dev.assay.standalone.process.Child;
import dev.assay.standalone.process.DetachedCommand;
import dev.assay.standalone.process.LogTail;
import dev.assay.work.child.ChildProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The {@code postgres} process over one data directory, on one port of the loopback interface. */
final class PostgresServer implements Child {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresServer.class);
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    /** A slow disk takes its time to write what is in memory. */
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(35);
    /** Line of {@code postmaster.pid} that says "ready", from 0 (pg_ctl reads the same). */
    private static final int STATUS_LINE = 7;

    private final PostgresTools tools;
    private final PostgresHome home;
    private final int port;

    PostgresServer(PostgresTools tools, PostgresHome home, int port) {
        this.tools = tools;
        this.home = home;
        this.port = port;
    }

    @Override
    public String name() {
        return "PostgreSQL";
    }

    @Override
    public Duration startTimeout() {
        return START_TIMEOUT;
    }

    @Override
    public Process start() throws IOException {
        LogTail.rotate(home.log());
        List<String> command = new ArrayList<>(List.of(
                tools.executable("postgres").toString(), "-D", home.data().toString()));
        settings().forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
        return ChildProcess.of(DetachedCommand.of(tools.asOrdinaryUser(command)))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(home.log().toFile()))
                .start();
    }

    /**
     * Settings on the command line, which no file in the data directory can override. The first four make a commit durable: results
     * are paid for, and a lost one would be paid twice.
     */
    private Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("fsync", "on");
        settings.put("synchronous_commit", "on");
        settings.put("full_page_writes", "on");
        settings.put("data_sync_retry", "off");
        settings.put("wal_compression", "on");
        settings.put("listen_addresses", "127.0.0.1");
        settings.put("port", Integer.toString(port));
        settings.put("unix_socket_directories", "");
        // Full pools of nine processes, and people.
        settings.put("max_connections", "400");
        settings.put("shared_buffers", "128MB");
        // The statements are small: compiling them costs more than it saves.
        settings.put("jit", "off");
        settings.put("logging_collector", "off");
        settings.put("log_min_messages", "warning");
        settings.put("timezone", "UTC");
        settings.put("log_timezone", "UTC");
        return settings;
    }

    @Override
    public boolean ready(Process process) {
        try {
            List<String> lines = Files.readAllLines(postmasterFile(home.data()), StandardCharsets.UTF_8);
            return lines.size() > STATUS_LINE
                    && lines.getFirst().strip().equals(Long.toString(process.pid()))
                    && lines.get(STATUS_LINE).strip().equals("ready");
        } catch (IOException e) {
            // Not written yet.
            return false;
        }
    }

    /** A fast shutdown: sessions are ended, transactions rolled back, everything is written. */
    @Override
    public void requestStop(Process process) {
        try {
            tools.requestStop(home.data());
        } catch (IOException e) {
            LOG.warn("PostgreSQL could not be asked to stop: {}", e.getMessage());
            process.destroy();
        }
    }

    @Override
    public Duration stopTimeout() {
        return STOP_TIMEOUT;
    }

    @Override
    public String lastWords() {
        return LogTail.of(home.log());
    }

    static Path postmasterFile(Path data) {
        return data.resolve("postmaster.pid");
    }
}
