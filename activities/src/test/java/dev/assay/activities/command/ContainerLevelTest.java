package dev.assay.activities.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.assay.activities.isolation.Attempt;
import dev.assay.activities.isolation.IsolationSettings;
import dev.assay.activities.isolation.ProgramIsolation;
import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.agent.ModelAccess;
import dev.assay.domain.isolation.AttemptLimits;
import dev.assay.domain.isolation.ContainerRules;
import dev.assay.domain.isolation.ContainerRuntime;
import dev.assay.domain.isolation.IsolationLevel;
import dev.assay.domain.tool.IsolationRules;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.trace.OutputFormat;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every line of the levels' table, tried by a program in a container of a real engine: each is reached at level none. */
@Timeout(120)
class ContainerLevelTest {

    private static final String IMAGE = "debian:bookworm-slim";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final AgentCommand COMMAND = new AgentCommand(
            List.of("bash"),
            null,
            List.of(),
            List.of(),
            OutputFormat.TEXT,
            null,
            new ModelAccess("p", List.of("m"), null),
            true);

    private static final Set<String> LINES = Set.of(
            "environment", "memory", "data", "endpoints", "other", "home", "outside", "signal", "port", "network");

    private static final String SCRIPT = """
        worker=$1 base=$2 own=$3 far=$4
        try() { name=$1; shift; if "$@" >/dev/null 2>&1; then echo "$name reached"; else echo "$name closed"; fi; }
        try environment cat "/proc/$worker/environ"
        try memory sh -c "exec 3</proc/$worker/mem"
        try data ls "$base/data"
        try endpoints cat "$base/data/endpoints.json"
        try other cat "$base/other/file"
        try home cat "$base/home/login"
        try outside sh -c ": >$base/reached"
        try signal kill -0 "$worker"
        try port bash -c "exec 3<>/dev/tcp/127.0.0.1/$own"
        try network timeout 4 bash -c "exec 3<>/dev/tcp/$far/8080"
        try own sh -c ": >file"
        """;

    @TempDir
    Path temporary;

    @BeforeAll
    static void requireEngine() throws Exception {
        assumeTrue(
                docker("image", "inspect", IMAGE).exitValue() == 0,
                "No Docker engine answers with the image " + IMAGE + ": level container was not tried");
    }

    private static Process docker(String... arguments) throws Exception {
        try {
            Process process = new ProcessBuilder(List.of("docker"))
                    .command(Stream.concat(Stream.of("docker"), Stream.of(arguments))
                            .toList())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            assumeTrue(process.waitFor(30, TimeUnit.SECONDS), "Docker does not answer: level container was not tried");
            return process;
        } catch (IOException e) {
            assumeTrue(false, "There is no docker: level container was not tried");
            throw e;
        }
    }

    private static String said(Process process) throws Exception {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    private static Set<String> containers(String name) throws Exception {
        return said(docker("ps", "--all", "--filter", "name=" + name, "--format", "{{.Names}}"))
                .lines()
                .collect(Collectors.toSet());
    }

    /** The engine may be removing one whose processes are dead. */
    private static void awaitNone(String name) {
        await().atMost(Duration.ofSeconds(10)).until(() -> containers(name).isEmpty());
    }

    private ProgramIsolation isolation(boolean networkOpen) {
        IsolationRules rules = new IsolationRules(
                IsolationLevel.CONTAINER,
                false,
                new ContainerRules(IMAGE, ContainerRuntime.DOCKER, networkOpen),
                List.of(new IsolationRules.Program(
                        new ToolPolicy.AllowedAgent("bash", Set.of(), Set.of()),
                        null,
                        null,
                        List.of(),
                        new AttemptLimits(64, 32, null, 2_048))));
        ProgramIsolation isolation = ProgramIsolation.of(
                rules,
                new IsolationSettings(null, true, IsolationLevel.NONE),
                new ProgramIsolation.Place(System.getenv(), temporary.resolve("data"), Set::of));
        assertThat(isolation.refusal(COMMAND)).isNull();
        return isolation;
    }

    private static String unique() {
        return "worker" + ProcessHandle.current().pid() + "x" + System.nanoTime();
    }

    private TrialDirectory open(String id) throws Exception {
        TrialDirectory directory = new TrialDirectory(temporary.resolve(id), id);
        directory.fill(null, null, "");
        directory.let(System.getenv(), List.of());
        return directory;
    }

    private void file(String directory, String name) throws Exception {
        Path made = Files.createDirectories(temporary.resolve(directory));
        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwx------"));
        Files.writeString(made.resolve(name), "secret");
    }

    /** What a program prints, and how it ends. */
    private String run(ProgramIsolation isolation, String script, String... parameters) throws Exception {
        String id = unique() + "-1";
        List<String> line = new ArrayList<>(List.of("bash", "-c", script, "it"));
        line.addAll(List.of(parameters));
        try (TrialDirectory directory = open(id);
                Attempt attempt = isolation.begin(COMMAND, id, directory.root());
                ProcessGroup group = ProcessGroup.start(line, directory, attempt)) {
            assertThat(group.await(PATIENCE)).isTrue();
            group.end();
            awaitNone(id);
            return new String(group.stdout().bytes(), StandardCharsets.UTF_8) + "exit " + group.exitCode() + "\n"
                    + new String(group.stderr().bytes(), StandardCharsets.UTF_8);
        }
    }

    private static Set<String> lines(String said, String end) {
        return said.lines()
                .filter(line -> line.endsWith(" " + end))
                .map(line -> line.split(" ", -1)[0])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Another machine, which listens: a network of its own behind a pair of interfaces. */
    private record FarMachine(String name, List<String> missing) implements AutoCloseable {

        private static final String ADDRESS = "198.18.77.2";

        static FarMachine start() throws Exception {
            FarMachine far = new FarMachine("f" + ProcessHandle.current().pid(), new ArrayList<>());
            far.ip("netns add " + far.name);
            far.ip("link add " + far.name + "a type veth peer name " + far.name + "b netns " + far.name);
            far.ip("addr add 198.18.77.1/30 dev " + far.name + "a");
            far.ip("link set " + far.name + "a up");
            far.ip("-n " + far.name + " addr add " + ADDRESS + "/30 dev " + far.name + "b");
            far.ip("-n " + far.name + " link set " + far.name + "b up");
            far.ip("-n " + far.name + " route add default via 198.18.77.1");
            if (far.missing.isEmpty()) {
                String listen = "use IO::Socket::INET; my $s = IO::Socket::INET->new(LocalPort => 8080, Listen => 5);"
                        + " while (1) { $s->accept }";
                new ProcessBuilder("ip", "netns", "exec", far.name, "perl", "-e", listen).start();
                await().atMost(PATIENCE).until(FarMachine::answers);
            }
            return far;
        }

        private void ip(String arguments) throws Exception {
            List<String> line = new ArrayList<>(List.of("ip"));
            line.addAll(List.of(arguments.split(" ", -1)));
            if (new ProcessBuilder(line).start().waitFor() != 0) {
                missing.add(arguments);
            }
        }

        private static boolean answers() {
            try (Socket _ = new Socket(ADDRESS, 8080)) {
                return true;
            } catch (IOException _) {
                return false;
            }
        }

        boolean isThere() {
            return missing.isEmpty();
        }

        @Override
        public void close() throws Exception {
            for (String process : said(new ProcessBuilder("ip", "netns", "pids", name).start())
                    .lines()
                    .toList()) {
                ProcessHandle.of(Long.parseLong(process)).ifPresent(ProcessHandle::destroyForcibly);
            }
            ip("netns del " + name);
        }
    }

    @Test
    void shouldCloseEveryLineWhenAProgramRunsInAContainer() throws Exception {
        file("data", "endpoints.json");
        file("other", "file");
        file("home", "login");
        try (FarMachine far = FarMachine.start();
                ServerSocket own = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            assumeTrue(far.isThere(), "This is not root: nothing stands for another machine");
            String[] parameters = {
                String.valueOf(ProcessHandle.current().pid()),
                temporary.toString(),
                String.valueOf(own.getLocalPort()),
                FarMachine.ADDRESS
            };

            String none = run(ProgramIsolation.none(), SCRIPT, parameters);
            String container = run(isolation(false), SCRIPT, parameters);
            String open = run(isolation(true), SCRIPT, parameters);

            assertThat(lines(none, "reached")).containsAll(LINES).contains("own");
            assertThat(lines(container, "closed")).isEqualTo(new TreeSet<>(LINES));
            assertThat(lines(container, "reached")).containsExactly("own");
            assertThat(lines(open, "reached")).containsExactly("network", "own");
        }
    }

    @Test
    void shouldHoldTheLimitsWhenAProgramTakesMore() throws Exception {
        ProgramIsolation isolation = isolation(false);
        assertThat(isolation.holdsLimits()).isTrue();
        assertThat(run(isolation, "perl -e 'my $x = \"x\" x (256 << 20); print length $x'"))
                .doesNotContain("268435456")
                .contains("exit 137");
        assertThat(run(isolation, "for i in $(seq 60); do sleep 5 & done; echo everything"))
                .contains("fork")
                .doesNotContain("everything");
    }

    @Test
    void shouldEndTheContainerWhenItsProgramIsStopped() throws Exception {
        ProgramIsolation isolation = isolation(false);
        String id = unique() + "-1";
        try (TrialDirectory directory = open(id)) {
            try (Attempt attempt = isolation.begin(COMMAND, id, directory.root());
                    ProcessGroup group = ProcessGroup.start(
                            List.of("bash", "-c", "trap '' TERM; : >began; sleep 300 & wait; sleep 300"),
                            directory,
                            attempt)) {
                await().atMost(PATIENCE)
                        .until(() -> Files.exists(directory.work().resolve("began")));
                assertThat(containers(id)).containsExactly("assay-" + id);
                group.stop();
            }
            awaitNone(id);
        }
    }

    @Test
    void shouldRemoveTheContainersOfADeadWorkerAloneWhenItIsCleared() throws Exception {
        ProgramIsolation isolation = isolation(false);
        String dead = unique();
        String living = unique();
        try (TrialDirectory one = open(dead + "-1");
                TrialDirectory two = open(living + "-1");
                Attempt ofDead = isolation.begin(COMMAND, one.id(), one.root());
                Attempt ofLiving = isolation.begin(COMMAND, two.id(), two.root());
                ProcessGroup left = ProcessGroup.start(List.of("sleep", "300"), one, ofDead);
                ProcessGroup kept = ProcessGroup.start(List.of("sleep", "300"), two, ofLiving)) {
            await().atMost(PATIENCE)
                    .until(() -> containers(dead).size() + containers(living).size() == 2);

            isolation.clear(dead);

            awaitNone(dead);
            assertThat(containers(living)).hasSize(1);
            assertThat(left.await(PATIENCE)).isTrue();
            assertThat(kept.await(Duration.ZERO)).isFalse();
        }
    }

    @Test
    void shouldSayWhatIsMissingWhenTheProgramIsNotInTheImage() throws Exception {
        ProgramIsolation isolation = isolation(false);
        String id = unique() + "-1";
        try (TrialDirectory directory = open(id);
                Attempt attempt = isolation.begin(COMMAND, id, directory.root());
                ProcessGroup group = ProcessGroup.start(List.of("no-such-program"), directory, attempt)) {
            assertThat(group.await(PATIENCE)).isTrue();
            group.end();
            assertThat(group.hasStarted()).isFalse();
            assertThat(new String(group.stderr().bytes(), StandardCharsets.UTF_8))
                    .contains("no-such-program");
        }
    }
}
