package dev.assay.activities.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.isolation.AttemptLimits;
import dev.assay.domain.isolation.ContainerRules;
import dev.assay.domain.isolation.IsolationLevel;
import dev.assay.domain.tool.IsolationRules;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.trace.OutputFormat;
import dev.assay.work.confine.Landlock;
import dev.assay.work.confine.OtherUser;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IsolationTest {

    private static final AgentCommand COMMAND =
            new AgentCommand(List.of("sh"), null, List.of(), List.of(), OutputFormat.TEXT, null, null, true);

    @TempDir
    Path temporary;

    private static IsolationRules rules(@Nullable IsolationLevel atLeast, IsolationRules.Program... programs) {
        return new IsolationRules(atLeast, false, ContainerRules.NONE, List.of(programs));
    }

    private static IsolationRules.Program program(@Nullable IsolationLevel level, List<String> readable, int diskMb) {
        return new IsolationRules.Program(
                new ToolPolicy.AllowedAgent("sh", Set.of(), Set.of()),
                level,
                null,
                readable,
                new AttemptLimits(64, 16, null, diskMb));
    }

    private static ProgramIsolation.Place place(@Nullable Path data) {
        return new ProgramIsolation.Place(System.getenv(), data, OwnPorts.NONE);
    }

    private static boolean isConfinementHere() {
        return OtherUser.isPossible() || Landlock.version() > 0;
    }

    @Test
    void shouldSayWhatIsAskedAndWhatIsMissingWhenTheLevelIsTooLow() {
        ProgramIsolation open = ProgramIsolation.of(
                rules(null), new IsolationSettings(IsolationLevel.NONE, true, IsolationLevel.CONFINED), place(null));
        assertThat(open.level()).isEqualTo(IsolationLevel.NONE);
        assertThat(open.refusal(COMMAND))
                .startsWith("Programs run at level none here, and the operator asks for confined: ");
        assertThatThrownBy(() -> open.begin(COMMAND, "a", temporary)).hasMessage(open.refusal(COMMAND));
    }

    @Test
    void shouldRefuseProgramsOfOthersWhenOnlyRootHasTheLevel() {
        assumeTrue(!OtherUser.isRoot(), "This is root, which has every level");
        ProgramIsolation asked = ProgramIsolation.of(rules(IsolationLevel.USER), IsolationSettings.OWN, place(null));
        assertThat(asked.refusal(COMMAND)).contains("and the operator asks for user: ");
    }

    @Test
    void shouldStartTheUsersOwnProgramsAtNoneWhenNothingIsAsked() {
        ProgramIsolation own = ProgramIsolation.of(rules(null), IsolationSettings.OWN, place(null));
        assertThat(own.level()).isEqualTo(IsolationLevel.NONE);
        assertThat(own.refusal(COMMAND)).isNull();
    }

    @Test
    void shouldNameTheRuleWhenItOpensTheDataDirectory() throws IOException {
        assumeTrue(isConfinementHere(), "No level of this machine opens paths");
        Path data = Files.createDirectories(temporary.resolve("all/data"));
        IsolationRules rules =
                rules(null, program(null, List.of(temporary.resolve("all").toString()), 2_048));

        assertThatThrownBy(() ->
                        ProgramIsolation.of(rules, new IsolationSettings(null, true, IsolationLevel.NONE), place(data)))
                .isInstanceOf(AssayException.class)
                .hasMessageContaining("Programs may read " + temporary.resolve("all"))
                .hasMessageContaining("the data directory");
    }

    @Test
    void shouldNameAllThatAProgramReachesWhenNothingKeepsItApart() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/environ")), "Only Linux shows processes to each other");
        Path data = Files.createDirectory(temporary.resolve("data"));
        Files.writeString(data.resolve("endpoints.json"), "{}");

        String why = IsolationProbe.failure(
                (id, directory) -> new Attempt(id, directory, Attempt.Walls.NONE, AttemptLimits.DEFAULT, null),
                temporary,
                data,
                true);

        assertThat(why)
                .isEqualTo("a program reached this worker's environment, the data directory, the logins in"
                        + " endpoints.json, files outside its directory, this worker by signals");
        assertThat(temporary)
                .isDirectoryContaining(path -> path.equals(data))
                .isDirectoryNotContaining(path -> !path.equals(data));
    }

    @Test
    void shouldMeasureWhatADirectoryTakesWhenAnAttemptWrites() throws Exception {
        ProgramIsolation isolation =
                ProgramIsolation.of(rules(null, program(null, List.of(), 16)), IsolationSettings.OWN, place(null));
        Path directory = Files.createDirectory(temporary.resolve("attempt"));
        try (Attempt attempt = isolation.begin(COMMAND, "a", directory)) {
            Files.write(directory.resolve("small"), new byte[8 << 20]);
            await().during(Duration.ofMillis(1_500))
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> !attempt.isOverDisk());
            Files.write(directory.resolve("more"), new byte[16 << 20]);
            await().atMost(Duration.ofSeconds(20)).until(attempt::isOverDisk);
        }
    }

    @Test
    void shouldFindThePortsOfThisProcessWhenItListens() throws IOException {
        assumeTrue(ListeningPorts.areKnown(), "Only Linux tells who listens");
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(ListeningPorts.of(List.of(ProcessHandle.current().pid())))
                    .contains(server.getLocalPort());
        }
    }

    /** A tree as the kernel shows it; this machine may hand over no group of its own. */
    @Test
    void shouldBoundAnAttemptWhenAGroupIsHandedOver() throws Exception {
        Path mount = temporary.resolve("cgroup");
        Path parent = Files.createDirectories(mount.resolve("unit"));
        Files.createDirectories(parent.resolve("worker"));
        Files.writeString(parent.resolve("cgroup.subtree_control"), "cpu memory pids\n");
        Files.writeString(parent.resolve("worker/cgroup.subtree_control"), "\n");
        assertThat(ControlGroups.handedOver(temporary)).isEmpty();
        if (OtherUser.isRoot()) {
            Files.setAttribute(parent, "user:delegate", "1".getBytes(StandardCharsets.US_ASCII));
        }
        Path self = Files.createDirectory(temporary.resolve("self"));
        Files.writeString(self.resolve("cgroup"), "0::/unit/worker\n");
        Files.writeString(self.resolve("mountinfo"), "30 25 0:26 / " + mount + " rw,nosuid - cgroup2 cgroup2 rw\n");

        assertThat(ControlGroups.find(self)).as("it admits nobody").isNull();
        ControlGroups groups = ControlGroups.handedOver(self).getFirst();
        groups.make("one", new AttemptLimits(64, 16, new BigDecimal("1.5"), 32));

        Path group = parent.resolve("assay-one");
        assertThat(group.resolve("memory.max")).hasContent("67108864");
        assertThat(group.resolve("pids.max")).hasContent("16");
        assertThat(group.resolve("cpu.max")).hasContent("150000 100000");

        Files.writeString(parent.resolve("cgroup.subtree_control"), "memory pids\n");
        assertThat(ControlGroups.handedOver(self)).as("without cpu").isEmpty();
    }
}
