package dev.assay.cli.tutorial;

import dev.assay.cli.Assay;
import dev.assay.standalone.process.FreePort;
import dev.assay.standalone.server.DataDirectory;
import dev.assay.standalone.server.Endpoints;
import dev.assay.standalone.testing.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A user's shell in a checkout: {@code ./assay} is this build, with a data directory and a port of its own. */
final class Shell implements AutoCloseable {

    private static final String PAGES_PORT = ":8080";
    private static final String PAGES_DATA = "~/.assay";
    private static final String END = "@@ the end of a command";
    private static final Duration TO_STOP = Duration.ofSeconds(30);

    private final Path data;
    private final String port;
    private final Process bash;
    private final Writer in;
    private final BufferedReader out;

    private Shell(Path data, String port, Process bash) {
        this.data = data;
        this.port = port;
        this.bash = bash;
        this.in = bash.outputWriter(StandardCharsets.UTF_8);
        this.out = bash.inputReader(StandardCharsets.UTF_8);
    }

    static Shell start(Path directory) throws IOException {
        Path data = directory.resolve("data");
        String port = String.valueOf(FreePort.any());
        Files.createSymbolicLink(
                directory.resolve("examples"),
                Path.of("..", "examples").toAbsolutePath().normalize());
        Path assay = Files.writeString(directory.resolve("assay"), launcher(port));
        assay.toFile().setExecutable(true);
        ProcessBuilder bash = new ProcessBuilder("bash", "--norc")
                .directory(directory.toFile())
                .redirectErrorStream(true);
        bash.environment().put("ASSAY_DATA", data.toString());
        bash.environment().put("ASSAY_ENGINE", "in-process");
        Shell shell = new Shell(data, port, bash.start());
        shell.in.write("done_() { local code=$?; printf '\\n%s\\n' '" + END + "'; return $code; }\n");
        return shell;
    }

    /** The launcher's last line: the process that users kill by {@code $!} is the JVM. */
    private static String launcher(String port) {
        String command = JavaProcess.of(Assay.class).command().stream()
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" "));
        return "#!/usr/bin/env bash\n[ \"$1\" = up ] && set -- \"$@\" --port " + port + "\nexec " + command
                + " \"$@\"\n";
    }

    /** What a page says, with this shell's port and data directory. */
    String here(String page) {
        return page.replace(PAGES_PORT, ":" + port).replace(PAGES_DATA, data.toString());
    }

    /** What {@code command} prints to stdout and stderr. */
    String run(String command) throws IOException {
        in.write(command + "\ndone_\n");
        in.flush();
        List<String> lines = new ArrayList<>();
        for (String line = out.readLine(); !END.equals(line); line = out.readLine()) {
            if (line == null) {
                throw new IOException("The shell ended in: " + command + "\n" + String.join("\n", lines));
            }
            lines.add(line);
        }
        return lines.stream()
                .filter(line -> !line.matches("bash: line \\d+: +\\d+ Killed .*"))
                .collect(Collectors.joining("\n"))
                .strip();
    }

    /** Ends what a page that failed half-way has left. */
    @Override
    public void close() throws Exception {
        in.write("kill $(jobs -p) 2>/dev/null; wait\n");
        in.close();
        if (!bash.waitFor(TO_STOP)) {
            bash.destroyForcibly();
        }
        Endpoints.read(DataDirectory.open(data)).map(Endpoints::pids).stream()
                .flatMap(pids -> Stream.of(pids.server(), pids.postgres()))
                .filter(Objects::nonNull)
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .forEach(ProcessHandle::destroyForcibly);
    }
}
