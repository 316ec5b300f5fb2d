package dev.assay.activities.isolation;

import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.isolation.IsolationLevel;
import dev.assay.domain.tool.IsolationRules;
import dev.assay.domain.trace.OutputFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A worker's process whose programs try what they must not reach, at level none and at the highest one. It prints what they found. */
final class LevelProbe {

    private static final String SCRIPT = """
        read -r go
        worker=$1 data=$2 other=$3 home=$4 outside=$5 own=$6 foreign=$7
        try() { name=$1; shift; if "$@" >/dev/null 2>&1; then echo "$LEVEL $name reached"; else echo "$LEVEL $name closed"; fi; }
        try environment cat "/proc/$worker/environ"
        try memory sh -c "exec 3</proc/$worker/mem"
        try data ls "$data"
        try endpoints cat "$data/endpoints.json"
        try other cat "$other/file"
        try home cat "$home/login"
        try outside sh -c ": >$outside/reached"
        try signal kill -0 "$worker"
        try abstract /usr/bin/python3 -c "import socket; socket.socket(socket.AF_UNIX).connect('\\\\0assay-$worker')"
        try multipath /usr/bin/python3 -c "import socket; socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262).connect(('127.0.0.1', $own))"
        try fastopen /usr/bin/python3 -c "import socket; socket.socket().sendto(b'GET', 0x20000000, ('127.0.0.1', $own))"
        try port bash -c "exec 3<>/dev/tcp/127.0.0.1/$own"
        try network bash -c "exec 3<>/dev/tcp/127.0.0.1/$foreign"
        try own sh -c ": >file"
        """;

    private static final String ABSTRACT = """
        import socket, sys
        s = socket.socket(socket.AF_UNIX); s.bind('\\0assay-' + sys.argv[1]); s.listen(); print('listens', flush=True)
        while True: s.accept()
        """;

    private LevelProbe() {}

    /** @param arguments a directory that every user may write */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path base = Files.createTempDirectory(Path.of(arguments[0]), "worker-");
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
        Path data = closed(base, "data", "endpoints.json");
        Path home = closed(base, "home", "login");
        closed(base, "other", "file");
        Files.createDirectory(base.resolve("outside"));
        long worker = ProcessHandle.current().pid();
        InetAddress here = InetAddress.getLoopbackAddress();
        Process listener = new ProcessBuilder("/usr/bin/python3", "-c", ABSTRACT, String.valueOf(worker))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (ServerSocket own = new ServerSocket();
                ServerSocket foreign = new ServerSocket()) {
            var _ = listener.getInputStream().read();
            own.bind(new InetSocketAddress(here, 0));
            foreign.bind(new InetSocketAddress(here, 0));
            ProgramIsolation.Place place =
                    new ProgramIsolation.Place(System.getenv(), data, () -> Set.of(own.getLocalPort()));
            for (boolean highest : new boolean[] {false, true}) {
                ProgramIsolation isolation = ProgramIsolation.of(
                        IsolationRules.NONE, new IsolationSettings(null, highest, IsolationLevel.NONE), place);
                System.out.println("level " + isolation.level().word());
                print(isolation, base, home, own.getLocalPort(), foreign.getLocalPort());
            }
        } finally {
            listener.destroyForcibly();
        }
    }

    /** As a worker's own: nobody else may look into it. */
    private static Path closed(Path base, String name, String file) throws IOException {
        Path directory = Files.createDirectory(base.resolve(name));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        Files.writeString(directory.resolve(file), "secret");
        return directory;
    }

    private static void print(ProgramIsolation isolation, Path base, Path home, int own, int foreign)
            throws IOException, InterruptedException {
        String level = isolation.level().word();
        Path directory = Files.createDirectory(base.resolve("attempt-" + level));
        AgentCommand command =
                new AgentCommand(List.of("bash"), null, List.of(), List.of(), OutputFormat.TEXT, null, null, true);
        try (Attempt attempt = isolation.begin(command, "attempt-" + level, directory)) {
            ProcessBuilder builder = new ProcessBuilder(
                            "bash",
                            "-c",
                            SCRIPT,
                            "probe",
                            String.valueOf(ProcessHandle.current().pid()),
                            base.resolve("data").toString(),
                            base.resolve("other").toString(),
                            home.toString(),
                            base.resolve("outside").toString(),
                            String.valueOf(own),
                            String.valueOf(foreign))
                    .directory(directory.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT);
            builder.environment().keySet().retainAll(Set.of("PATH"));
            builder.environment().putAll(Map.of("LEVEL", level));
            Process process = attempt.start(builder);
            try (OutputStream word = process.getOutputStream()) {
                word.write('\n');
            }
            System.out.print(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
