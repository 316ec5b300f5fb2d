package dev.assay.activities.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.assay.activities.container.Launch;
import dev.assay.activities.isolation.Attempt;
import dev.assay.activities.isolation.IsolationSettings;
import dev.assay.activities.isolation.OwnPorts;
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
import dev.assay.work.confine.OtherUser;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Containers of programs by a stand-in of the runtime, which writes down its arguments and runs programs as they are. */
@Timeout(60)
class ContainerStandInTest {

    /** Without a word to the contrary it has every image but {@code missing}. The probe of a worker it answers itself. */
    private static final String STAND_IN = """
        #!/bin/sh
        dir=%s
        printf '%%s\\n' "$*" >>"$dir/log"
        case $1 in
            version) [ ! -e "$dir/down" ] || { echo "Cannot connect to the Docker daemon" >&2; exit 1; } ;;
            image) [ "$5" != missing ] || { echo "Error: No such image: $5" >&2; exit 1; } ;;
            network) [ "$2" = create ] && : >"$dir/made"
                [ -e "$dir/made" ] || { echo "Error: No such network" >&2; exit 1; }
                cat "$dir/network" ;;
            rm) [ ! -e "$dir/rm" ] || . "$dir/rm" ;;
            ps) cat "$dir/ps" ;;
            run) case "$*" in *assay-probe*) echo done; exit ;; esac
                env >"$dir/env"
                while [ "$1" != img ]; do shift; done
                shift
                exec "$@" ;;
        esac
        """;

    @TempDir
    Path temporary;

    private Path log;

    @BeforeEach
    void install() throws Exception {
        log = temporary.resolve("log");
        Files.writeString(temporary.resolve("network"), "127.0.0.1 true false\n");
        Path docker = Files.writeString(temporary.resolve("docker"), STAND_IN.formatted(temporary));
        Files.setPosixFilePermissions(docker, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static IsolationRules rules(@Nullable IsolationLevel atLeast, @Nullable String image) {
        return new IsolationRules(
                atLeast,
                false,
                new ContainerRules(image, ContainerRuntime.DOCKER, false),
                List.of(new IsolationRules.Program(
                        new ToolPolicy.AllowedAgent("sh", Set.of("SECRET"), Set.of()),
                        null,
                        null,
                        List.of(),
                        new AttemptLimits(64, 16, new BigDecimal("1.5"), 2_048))));
    }

    private ProgramIsolation isolation(IsolationRules rules, OwnPorts ports) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("PATH", temporary + ":" + environment.get("PATH"));
        environment.put("DOCKER_HOST", "unix:///tmp/of-the-worker");
        return ProgramIsolation.of(
                rules,
                new IsolationSettings(null, true, IsolationLevel.NONE),
                new ProgramIsolation.Place(environment, null, ports));
    }

    private ProgramIsolation isolation() {
        ProgramIsolation isolation = isolation(rules(null, "img"), OwnPorts.NONE);
        assertThat(isolation.lowered()).isNull();
        return isolation;
    }

    private static AgentCommand command(@Nullable ModelAccess models, String... line) {
        return new AgentCommand(
                List.of(line), null, List.of("SECRET"), List.of(), OutputFormat.TEXT, null, models, true);
    }

    private TrialDirectory open(String id) throws Exception {
        TrialDirectory directory = new TrialDirectory(temporary.resolve("trial"), id);
        directory.fill(null, null, "the prompt");
        directory.let(Map.of("PATH", "/usr/bin:/bin", "SECRET", "hidden-value", "LANG", "C"), List.of("SECRET"));
        return directory;
    }

    private String last(String word) throws Exception {
        return Files.readAllLines(log).stream()
                .filter(line -> line.startsWith(word + " "))
                .reduce("", (before, line) -> line);
    }

    private static String owner(Path file) throws Exception {
        return Files.getAttribute(file, "unix:uid") + ":" + Files.getAttribute(file, "unix:gid");
    }

    @Test
    void shouldRunTheProgramInWallsWhenAnImageIsNamed() throws Exception {
        ProgramIsolation isolation = isolation();
        assertThat(isolation.level()).isEqualTo(IsolationLevel.CONTAINER);
        try (TrialDirectory directory = open("worker-7");
                Attempt attempt = isolation.begin(command(null, "sh"), directory.id(), directory.root());
                ProcessGroup group = ProcessGroup.start(
                        List.of("sh", "-c", "cat; echo $SECRET $HOME; exit 3", "it"), directory, attempt)) {
            assertThat(group.await(Duration.ofSeconds(30))).isTrue();
            group.end();

            Path root = directory.root();
            assertThat(last("run"))
                    .isEqualTo("run --rm -i --init --pull=never --log-driver none --name assay-worker-7"
                            + " --label assay.worker=worker --network none --cap-drop ALL"
                            + " --security-opt no-new-privileges --read-only --pids-limit 16 --memory 64m"
                            + " --memory-swap 64m --cpus 1.5 --tmpfs /tmp -v " + root + "/work:/work -v " + root
                            + "/home:/home/agent -w /work --user " + owner(directory.work())
                            + " --env ASSAY_ATTEMPT --env LANG --env SECRET --env HOME=/home/agent --env TMPDIR=/tmp"
                            + " --entrypoint  img sh -c cat; echo $SECRET $HOME; exit 3 it");
            assertThat(group.exitCode()).isEqualTo(3);
            assertThat(group.hasStarted()).isTrue();
            assertThat(new String(group.stdout().bytes(), StandardCharsets.UTF_8))
                    .isEqualTo("the prompthidden-value " + System.getenv("HOME") + "\n");
            assertThat(Files.readAllLines(temporary.resolve("env")))
                    .contains("DOCKER_HOST=unix:///tmp/of-the-worker", "ASSAY_ATTEMPT=worker-7");
        }
        assertThat(Files.readAllLines(log).stream().filter("rm --force assay-worker-7"::equals))
                .as("removals")
                .hasSize(1);
    }

    @Test
    void shouldReachThisMachineAloneWhenTheProgramAsksModels() throws Exception {
        ProgramIsolation isolation = isolation();
        AgentCommand command = command(new ModelAccess("p", List.of("m"), null), "sh");
        assertThat(isolation.gateway(command)).isEqualTo(InetAddress.ofLiteral("127.0.0.1"));
        try (TrialDirectory directory = open("worker-8");
                Attempt attempt = isolation.begin(command, directory.id(), directory.root())) {
            assertThat(attempt.launch(directory.program(List.of("sh"))).line())
                    .containsSequence("--network", "assay-closed", "--dns", "127.0.0.1");
        }
        assertThat(last("network create").isEmpty() ? Files.readString(log) : last("network create"))
                .contains("network create --internal -o com.docker.network.bridge.enable_icc=false assay-closed");
    }

    @Test
    void shouldStartNothingWhenAPortOfTheInstallationIsOpenToContainers() throws Exception {
        InetAddress outside = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                .findFirst()
                .orElse(null);
        assumeTrue(outside != null, "This machine has loopback only");
        AgentCommand command = command(new ModelAccess("p", List.of("m"), null), "sh");
        Set<Integer> ports = new HashSet<>();
        ProgramIsolation isolation = isolation(rules(null, "img"), () -> ports);
        assertThat(isolation.lowered()).isNull();
        try (ServerSocket own = new ServerSocket(0, 1, outside);
                TrialDirectory directory = open("worker-9")) {
            ports.add(own.getLocalPort());

            assertThatThrownBy(() -> isolation.begin(command, directory.id(), directory.root()))
                    .hasMessageContaining("port " + own.getLocalPort() + " of this installation answers at ")
                    .hasMessageContaining("ports: open");
            isolation
                    .begin(command(null, "sh"), directory.id(), directory.root())
                    .close();
            assertThat(isolation(rules(null, "img"), () -> ports).lowered()).contains("port " + own.getLocalPort());
        }
    }

    @Test
    void shouldKillTheContainerWhenTheProgramIsStopped() throws Exception {
        ProgramIsolation isolation = isolation();
        try (TrialDirectory directory = open("worker-1")) {
            try (Attempt attempt = isolation.begin(command(null, "sh"), directory.id(), directory.root());
                    ProcessGroup group = ProcessGroup.start(
                            List.of("sh", "-c", "trap '' TERM; : >began; sleep 50"), directory, attempt)) {
                await().until(() -> Files.exists(directory.work().resolve("began")));
                group.stop();
            }
            assertThat(last("rm")).isEqualTo("rm --force assay-worker-1");
        }
    }

    @Test
    void shouldKillTheContainerWhenTheWorkerDies() throws Exception {
        try (TrialDirectory directory = open("worker-2")) {
            Launch launch = new Launch(
                    List.of(temporary.resolve("docker").toString(), "run", "img", "sh", "-c", ": >began; sleep 50"),
                    Map.of(),
                    "assay-worker-2");
            Process process = new ProcessBuilder(ProcessGroup.launch(launch, directory))
                    .directory(directory.work().toFile())
                    .start();
            process.getOutputStream().write("begin\n".getBytes(StandardCharsets.US_ASCII));
            process.getOutputStream().flush();
            await().until(() -> Files.exists(directory.work().resolve("began")));

            process.getOutputStream().close();

            await().atMost(Duration.ofSeconds(10)).until(() -> last("rm").equals("rm --force assay-worker-2"));
            await().until(() -> !process.isAlive());
        }
    }

    @Test
    void shouldSayThatTheProgramDidNotStartWhenTheRuntimeRefuses() throws Exception {
        ProgramIsolation isolation = isolation();
        for (String said : List.of("docker: Error response from daemon: no space", "[FATAL tini (7)] exec x failed")) {
            try (TrialDirectory directory = open("worker-3");
                    Attempt attempt = isolation.begin(command(null, "sh"), directory.id(), directory.root());
                    ProcessGroup group = ProcessGroup.start(
                            List.of("sh", "-c", "echo '" + said + "' >&2; exit 127"), directory, attempt)) {
                assertThat(group.await(Duration.ofSeconds(30))).isTrue();
                group.end();
                assertThat(group.hasStarted()).as(said).isFalse();
            }
        }
    }

    @Test
    void shouldLowerTheLevelWhenTheImageIsMissing() {
        ProgramIsolation usual = isolation(rules(null, "missing"), OwnPorts.NONE);
        assertThat(usual.level()).isNotEqualTo(IsolationLevel.CONTAINER);
        assertThat(usual.lowered()).isEqualTo("the image missing is missing; `docker pull missing` gets it");
        assertThat(usual.gateway(command(null, "sh"))).isNull();

        ProgramIsolation strict = isolation(rules(IsolationLevel.CONTAINER, "missing"), OwnPorts.NONE);
        assertThat(strict.refusal(command(null, "sh")))
                .startsWith("Programs run at level ")
                .endsWith("here, and the operator asks for container: the image missing is missing;"
                        + " `docker pull missing` gets it.");
        assertThat(strict.lowered()).isNull();
    }

    @Test
    void shouldLowerTheLevelWhenTheRuntimeDoesNotAnswer() throws Exception {
        Files.writeString(temporary.resolve("down"), "");
        assertThat(isolation(rules(null, "img"), OwnPorts.NONE).lowered())
                .isEqualTo("docker does not answer: Cannot connect to the Docker daemon");

        Files.delete(temporary.resolve("down"));
        Files.writeString(temporary.resolve("network"), "127.0.0.1 false false\n");
        assertThat(isolation(rules(null, "img"), OwnPorts.NONE).lowered())
                .isEqualTo("the network assay-closed is not as Assay makes it; remove it (docker network rm"
                        + " assay-closed)");
    }

    @Test
    void shouldAskForAnImageWhenTheUserAsksForContainers() {
        ProgramIsolation isolation = ProgramIsolation.of(
                IsolationRules.NONE,
                new IsolationSettings(IsolationLevel.CONTAINER, false, IsolationLevel.NONE),
                new ProgramIsolation.Place(Map.of(), null, OwnPorts.NONE));
        assertThat(isolation.refusal(command(null, "sh")))
                .contains("the operator asks for container: no image is named");
    }

    @Test
    void shouldLookForAProgramOnThisMachineWhenItIsInNoImage() {
        ToolPolicy policy = new ToolPolicy(
                List.of(), List.of(), List.of(new ToolPolicy.AllowedAgent("only-in-the-image", Set.of(), Set.of())));
        IsolationRules missing = rules(null, "missing");
        for (ProgramIsolation isolation : List.of(isolation(), ProgramIsolation.untried(missing))) {
            assertThat(new AgentPermission(policy, null, isolation).offered().agents())
                    .isEqualTo(policy.agents());
        }
        for (ProgramIsolation isolation : List.of(isolation(missing, OwnPorts.NONE), ProgramIsolation.none())) {
            assertThat(new AgentPermission(policy, null, isolation).offered().agents())
                    .isEmpty();
        }
    }

    @Test
    void shouldRunNoContainersWhenNobodyAskedForALevel() {
        assertThat(ProgramIsolation.of(
                                rules(null, "img"),
                                IsolationSettings.OWN,
                                new ProgramIsolation.Place(Map.of("PATH", temporary.toString()), null, OwnPorts.NONE))
                        .level())
                .isEqualTo(IsolationLevel.NONE);
        assertThat(log).doesNotExist();
    }

    @Test
    void shouldRemoveContainersOfDeadWorkersAndKeepTheirNamesUntilThen() throws Exception {
        Path base = temporary.resolve("agents");
        ProgramIsolation isolation = isolation();
        Path trials = Files.createDirectories(base.resolve("trials"));
        Files.createDirectory(trials.resolve("dead"));
        Path lock = Files.writeString(trials.resolve("dead.lock"), "");
        if (OtherUser.isRoot()) {
            assertThat(isolation.usesOtherUsers()).isTrue();
        }
        Files.writeString(temporary.resolve("down"), "");
        new AgentRoom(base, isolation(rules(null, "img"), OwnPorts.NONE)).clear();
        assertThat(lock).as("the runtime does not answer").exists();
        Files.delete(temporary.resolve("down"));
        Files.writeString(temporary.resolve("ps"), "0123456789ab\nba9876543210\n");
        Files.writeString(temporary.resolve("rm"), "echo 'Cannot connect to the Docker daemon' >&2; exit 1\n");
        try (AgentRoom living = new AgentRoom(base, isolation);
                TrialDirectory _ = living.open()) {
            new AgentRoom(base, isolation).clear();
            assertThat(lock).exists();

            Files.delete(temporary.resolve("rm"));
            new AgentRoom(base, isolation).clear();

            assertThat(lock).doesNotExist();
            assertThat(last("rm")).isEqualTo("rm --force 0123456789ab ba9876543210");
            assertThat(Files.readAllLines(log).stream().filter(line -> line.startsWith("ps ")))
                    .as("only the dead one's")
                    .containsOnly("ps --all --quiet --filter label=assay.worker=dead");
        }
    }
}
