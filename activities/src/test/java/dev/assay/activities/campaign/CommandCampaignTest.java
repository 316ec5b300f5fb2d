package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.activities.command.WorkspaceArchive;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.workspace.UploadEnd;
import dev.assay.store.workspace.WorkspaceRepository;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Campaigns whose branches are programs, on PostgreSQL. */
@Tag("slow")
final class CommandCampaignTest {

    private static final List<ToolPolicy.AllowedAgent> ALLOWED = Stream.of("sh", "cat", "/no/such/program", "./agent")
            .map(program -> new ToolPolicy.AllowedAgent(program, Set.of("PATH"), Set.of()))
            .toList();

    private static Engine engine;

    @TempDir
    private static Path data;

    /** A program that the system does not start while it is written. */
    private static Path written;

    @BeforeAll
    static void start() throws IOException {
        written = Files.copy(Path.of("/bin/true"), data.resolve("written"));
        List<ToolPolicy.AllowedAgent> allowed = Stream.concat(
                        ALLOWED.stream(),
                        Stream.of(new ToolPolicy.AllowedAgent(written.toString(), Set.of("PATH"), Set.of())))
                .toList();
        Path tools =
                Files.writeString(data.resolve("tools.yaml"), "agents: [{program: sh, env: [PATH], diskMb: 16}]\n");
        engine = new Engine(
                new ToolPolicy(List.of(), List.of(), allowed),
                Map.of("assay.data", data.toString(), "assay.tools.file", tools.toString()));
    }

    @AfterAll
    static void stop() throws InterruptedException {
        engine.close();
    }

    private static void submit(String id, String script, String more) {
        engine.submit(id, """
            name: %s
            cases: [{id: a, prompt: "Say \\"hi\\""}]
            branches: [{id: b, command: [sh, -c, '%s']}]
            %s
            """.formatted(id, script, more), Map.of());
    }

    private static Map<String, Object> outcome(String id) {
        engine.awaitEnd(id);
        return engine.store
                .query("SELECT status, passed, exit_code, isolation, response, error_code, error_message, attempts,"
                        + " convert_from(stdout, ''UTF8'') AS printed FROM outcome WHERE campaign_id = '"
                                .replace("''", "'")
                        + id + "'")
                .getFirst();
    }

    private static String store(Path workspace) throws Exception {
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        assertThat(WorkspaceArchive.write(workspace, List.of(), archive)).isEmpty();
        byte[] bytes = archive.toByteArray();
        return store(bytes);
    }

    /** Stores an archive as earlier builds did, which looked at none. */
    private static String store(byte[] archive) throws Exception {
        String hash =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(archive));
        WorkspaceRepository workspaces = engine.store.get(WorkspaceRepository.class);
        workspaces.store(hash, 0, archive);
        assertThat(workspaces.complete(hash, 1, _ -> Optional.empty())).isEqualTo(new UploadEnd.Complete());
        return hash;
    }

    private static List<Path> leftovers() {
        try (Stream<Path> found = Files.walk(data.resolve("agents/trials"), 2)) {
            return found.filter(path ->
                            data.resolve("agents/trials").relativize(path).getNameCount() == 2)
                    .toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void shouldHandThePromptToStdinAndPassWhenTheProgramEndsWithZero() {
        submit("stdin", "cat; echo \" in $(basename \"$PWD\")\"", "");

        assertThat(outcome("stdin"))
                .containsEntry("status", "COMPLETED")
                .containsEntry("passed", true)
                .containsEntry("exit_code", 0)
                .containsEntry("isolation", "none")
                .containsEntry("response", "Say \"hi\" in work\n");
    }

    @Test
    void shouldStopTheProgramWhenItsDirectoryTakesMoreThanItMay() {
        submit("disk", "head -c 40000000 /dev/zero >large; sleep 30", "");

        assertThat(outcome("disk")).containsEntry("error_code", "AGENT_FAILED");
        assertThat(String.valueOf(outcome("disk").get("error_message"))).contains("wrote more than 16 MiB");
    }

    @Test
    void shouldFailTheTrialWhenTheProgramEndsWithAnotherCodeAndNothingIsChecked() {
        submit("code", "exit 255", "");

        assertThat(outcome("code"))
                .containsEntry("status", "COMPLETED")
                .containsEntry("passed", false)
                .containsEntry("exit_code", 255);
    }

    @Test
    void shouldKeepWhatWasPrintedWhenTheTimeRunsOut() {
        submit(
                "late",
                "trap : TERM; echo begun; sleep 30 & wait; echo asked; wait; sleep 30",
                "limits: {timeoutSeconds: 1}");

        assertThat(outcome("late"))
                .containsEntry("status", "TIMED_OUT")
                .containsEntry("passed", false)
                .containsEntry("exit_code", null)
                .containsEntry("error_code", "EVAL_CASE_TIMEOUT")
                .containsEntry("attempts", 1)
                .containsEntry("printed", "begun\nasked\n");
    }

    @Test
    void shouldBeAnErrorAndNotRetriedWhenASignalEndsTheProgram() {
        submit("signal", "kill -9 $$", "");

        assertThat(outcome("signal"))
                .containsEntry("status", "MODEL_ERROR")
                .containsEntry("error_code", "AGENT_FAILED")
                .containsEntry("exit_code", 137)
                .containsEntry("attempts", 1);
    }

    @Test
    void shouldBeAnErrorWhenTheInterpreterIsMissing(@TempDir Path workspace) throws Exception {
        Path agent = Files.writeString(workspace.resolve("agent"), "#!/no/such/interpreter\n");
        assertThat(agent.toFile().setExecutable(true)).isTrue();
        engine.submit("interpreter", """
            name: interpreter
            cases: [{id: a, prompt: x}]
            branches: [{id: b, command: [./agent], workspace: "sha256:%s"}]
            """.formatted(store(workspace)), Map.of());

        assertThat(outcome("interpreter"))
                .containsEntry("status", "MODEL_ERROR")
                .containsEntry("error_code", "AGENT_FAILED")
                .containsEntry("attempts", 1);
    }

    /** The archive that wrote into the data directory: a link to it, and a file below the link. */
    @Test
    void shouldBeAnErrorWithTheRuleAndWriteNothingWhenAnEarlierBuildStoredAHostileArchive() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes)) {
            TarArchiveEntry link = new TarArchiveEntry("d", TarArchiveEntry.LF_SYMLINK);
            link.setLinkName(data.toString());
            tar.putArchiveEntry(link);
            tar.closeArchiveEntry();
            tar.putArchiveEntry(new TarArchiveEntry("d/providers.yaml"));
            tar.closeArchiveEntry();
        }
        engine.submit("hostile", """
            name: hostile
            cases: [{id: a, prompt: x}]
            branches: [{id: b, command: [cat], workspace: "sha256:%s"}]
            limits: {maxAttempts: 5}
            """.formatted(store(bytes.toByteArray())), Map.of());

        assertThat(outcome("hostile"))
                .containsEntry("status", "MODEL_ERROR")
                .containsEntry("error_code", "AGENT_FAILED")
                .containsEntry(
                        "error_message", "Entry 2 `d/providers.yaml` of the archive lies below the link `d` (rule 4).")
                .containsEntry("attempts", 1);
        assertThat(data.resolve("providers.yaml")).doesNotExist();
        try (Stream<Path> unpacked = Files.list(data.resolve("agents/unpacked"))) {
            assertThat(unpacked).noneMatch(path -> path.getFileName().toString().startsWith("new-"));
        }
    }

    @Test
    void shouldBeHarmlessWhenTheProgramPrintsWhatIsNoText() {
        submit("bytes", "printf \"a\\\\000b\\\\377\\\\033[31m\"", "");

        engine.awaitEnd("bytes");
        assertThat(engine.store.query(
                        "SELECT encode(stdout, 'hex') AS bytes, response FROM outcome WHERE campaign_id = 'bytes'"))
                .singleElement()
                .satisfies(row -> assertThat(row)
                        .containsEntry("bytes", "610062ff1b5b33316d")
                        .containsEntry("response", "a\uFFFDb\uFFFD\u001b[31m"));
    }

    @Test
    void shouldCutTheOutputWithANoteWhenItIsTooLong() {
        submit("long", "yes | head -c 11000000", "");

        engine.awaitEnd("long");
        assertThat(engine.store.query("SELECT length(stdout) AS size, warnings::text AS warnings FROM outcome WHERE"
                        + " campaign_id = 'long'"))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row).containsEntry("size", 10 * 1024 * 1024);
                    assertThat(row.get("warnings").toString()).contains("standard output was cut after 10 MB");
                });
    }

    @Test
    void shouldSeeNothingOfEachOtherAndLeaveNothingWhenFiftyTrialsWriteOneFileAtOnce(@TempDir Path workspace)
            throws Exception {
        Files.writeString(workspace.resolve("shared"), "");
        Files.createDirectories(workspace.resolve("closed"));
        String marker = "sleep 654" + ProcessHandle.current().pid();
        engine.submit("fifty", """
            name: fifty
            cases: [{id: a, prompt: x, checks: [{type: equals, value: "1"}]}]
            branches:
              - id: b
                workspace: "sha256:%s"
                command: [sh, -c, "echo mine >>shared; %s >/dev/null 2>&1 & touch ~/login $TMPDIR/t; sleep 0.3; chmod 500 closed; wc -l <shared; ls ~ $TMPDIR | grep -c login >/dev/null"]
            trials: 50
            limits: {maxConcurrent: 50}
            """.formatted(store(workspace), marker), Map.of());

        StoredCampaign ended = engine.awaitEnd("fifty");

        assertThat(ended.state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(engine.store.count("SELECT count(*) FROM outcome WHERE campaign_id = 'fifty' AND passed"))
                .isEqualTo(50);
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(running(marker)).isEmpty());
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(leftovers()).isEmpty());
    }

    @Test
    void parallelExecutionTrialsRunAtOnceWhenMoreThanOneMay(@TempDir Path meeting) {
        submit(
                "meeting",
                "touch " + meeting + "/$$; i=0; until [ $(ls " + meeting
                        + " | wc -l) -ge 4 ]; do i=$((i+1)); [ $i -lt 200 ] || exit 1; sleep 0.05; done",
                "trials: 4\nlimits: {maxConcurrent: 4}");

        engine.awaitEnd("meeting");

        assertThat(engine.store.count("SELECT count(*) FROM outcome WHERE campaign_id = 'meeting' AND passed"))
                .isEqualTo(4);
    }

    @Test
    void parallelExecutionNoMoreTrialsOfAllCasesRunAtOnceThanAreAllowed(@TempDir Path directory) throws IOException {
        Files.createDirectories(directory.resolve("running"));
        engine.submit("bounded", """
            name: bounded
            cases: [{id: a, prompt: x}, {id: b, prompt: y}, {id: c, prompt: z}]
            branches: [{id: b, command: [sh, -c, "touch %1$s/running/$$; ls %1$s/running | wc -l >>%1$s/counts; sleep 0.2; rm %1$s/running/$$"]}]
            trials: 4
            limits: {maxConcurrent: 3}
            """.formatted(directory), Map.of());

        engine.awaitEnd("bounded");

        assertThat(Files.readAllLines(directory.resolve("counts")))
                .hasSize(12)
                .extracting(line -> Integer.valueOf(line.strip()))
                .contains(3)
                .allMatch(running -> running <= 3);
    }

    @Test
    void evalParallelExhaustionIsTheErrorOfATrialWhoseProgramTheSystemDoesNotStart() throws IOException {
        try (OutputStream _ = Files.newOutputStream(written, StandardOpenOption.APPEND)) {
            engine.submit("exhausted", """
                name: exhausted
                cases: [{id: a, prompt: x}]
                branches: [{id: b, command: ["%s"]}]
                limits: {maxAttempts: 2}
                """.formatted(written), Map.of());

            assertThat(outcome("exhausted"))
                    .containsEntry("status", "MODEL_ERROR")
                    .containsEntry("error_code", "EVAL_PARALLEL_EXHAUSTION")
                    .containsEntry("attempts", 2);
        }
    }

    @Test
    void noAgentChangesTheProgramSeesItsLineItsPromptAndNothingOfAssay() {
        submit(
                "untouched",
                "echo \"$0 $*\"; cat; echo; env | cut -d= -f1 | grep -vxE \"PWD|OLDPWD|SHLVL|_\" | sort; ls -A; ls -A"
                        + " ~; ls -A $TMPDIR",
                "");

        assertThat(String.valueOf(outcome("untouched").get("response")).lines())
                .containsSubsequence("sh ", "Say \"hi\"", "HOME", "PATH", "TMPDIR")
                .isSubsetOf(
                        "sh ",
                        "Say \"hi\"",
                        "ASSAY_ATTEMPT",
                        "HOME",
                        "LANG",
                        "LC_ALL",
                        "PATH",
                        "TMPDIR",
                        "TZ",
                        "USER",
                        "");
    }

    @Test
    void shouldReserveTheMostThatAnAttemptMayCostWhenThereIsABudget() {
        engine.submit("paid", """
            name: paid
            cases: [{id: a, prompt: x}]
            branches: [{id: b, command: [cat], maxCostUsd: 0.4}]
            trials: 4
            limits: {budgetUsd: 1, maxConcurrent: 1}
            """, Map.of());

        engine.awaitEnd("paid");

        assertThat(engine.store.query(
                        "SELECT status, count(*) AS n FROM outcome WHERE campaign_id = 'paid' GROUP BY 1"))
                .extracting(row -> row.get("status") + " " + row.get("n"))
                .containsExactlyInAnyOrder("COMPLETED 2", "BUDGET_SKIPPED 2");
        assertThat(engine.store.query("SELECT sum(cost_usd)::text AS spent FROM ledger WHERE campaign_id = 'paid'"))
                .singleElement()
                .satisfies(row -> assertThat(row).containsEntry("spent", "0.8"));
    }

    @Test
    void shouldBeErrorsOfItsTrialsWhenAMissingAgentIsNoReasonToRefuse() {
        engine.submit("missing", """
            name: missing
            cases: [{id: a, prompt: x}]
            branches: [{id: b, command: [no-such-agent], failOnMissingAgent: false}]
            """, Map.of());

        assertThat(outcome("missing"))
                .containsEntry("status", "MODEL_ERROR")
                .containsEntry("error_code", "EVAL_AGENT_UNAVAILABLE");
    }

    @ParameterizedTest
    @EnumSource(names = {"CANCELLED", "PAUSED"})
    void shouldEndTheProgramWhenItsCampaignStops(CampaignState state) {
        String id = "stopped-" + state.name().toLowerCase(Locale.ROOT);
        String marker =
                "sleep " + (700 + state.ordinal()) + ProcessHandle.current().pid();
        submit(id, "echo begun; " + marker, "");
        await().atMost(Engine.PATIENCE).until(() -> !running(marker).isEmpty());

        engine.campaigns.transition(id, Set.of(CampaignState.RUNNING), state, state == CampaignState.CANCELLED, null);

        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(running(marker)).isEmpty());
        assertThat(engine.store.count(
                        "SELECT count(*) FROM outcome WHERE status IN ('COMPLETED', 'MODEL_ERROR') AND campaign_id = ?",
                        id))
                .as("the trial is made again when the campaign goes on")
                .isZero();
    }

    private static List<ProcessHandle> running(String marker) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(marker))
                .toList();
    }
}
