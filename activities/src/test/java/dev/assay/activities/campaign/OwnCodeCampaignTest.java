package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.activities.code.Interpreters;
import dev.assay.activities.command.WorkspaceArchive;
import dev.assay.activities.tool.Toolboxes;
import dev.assay.campaigns.steering.CampaignChanges;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.steering.Rerun;
import dev.assay.domain.steering.Rerun.Only;
import dev.assay.domain.tool.CodeAllowance;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.workspace.WorkspaceRepository;
import dev.assay.work.compute.pool.ComputePool;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks by own code, from the answer to the verdict, with the interpreters of this machine. */
final class OwnCodeCampaignTest {

    private static final ToolPolicy ALLOWED = new ToolPolicy(
            List.of(),
            List.of(),
            List.of(),
            null,
            new CodeAllowance(Set.of("python", "javascript"), Set.of(), Set.of("sh")));

    private static Engine engine;

    @TempDir
    Path temporary;

    @BeforeAll
    static void start() {
        Interpreters.require();
        engine = new Engine(ALLOWED);
    }

    @AfterAll
    static void stop() throws InterruptedException {
        if (engine != null) {
            engine.close();
        }
    }

    private static long outcomes(String id, String condition) {
        return engine.store.count("SELECT count(*) FROM outcome WHERE campaign_id = '" + id + "' AND " + condition);
    }

    private static StoredCampaign run(String id, String checks, String more) {
        engine.submit(id, """
            name: %s
            cases:
              - {id: france, prompt: Capital of France?, vars: {want: Paris}, tags: [geo], checks: %s}
            branches: [{id: a, kind: scripted, script: {answers: [Paris]}}]
            %s
            """.formatted(id, checks, more), Map.of());
        return engine.awaitEnd(id);
    }

    @Test
    void shouldDecideByOwnCodeOnceTheAnswerIsPaid() {
        StoredCampaign ended = run("own", """
            [{type: python, value: "output == context['vars']['want']"},
             {type: javascript, value: "output.length", threshold: 5, metric: length},
             {type: group, checks: [{type: icontains, value: paris}, {type: javascript, value: "0.5"}]},
             {type: program, command: [sh, -c, "grep -q '\\"trial\\":' && echo true"]},
             {type: program, command: [sh, -c, "read -r line; echo '{\\"id\\": 1, \\"result\\": 0.25}'"], keepAlive: true},
             {type: python, value: "len(output) > 100", required: false}]\
            """, "trials: 3");

        assertThat(ended.failureReason()).isNull();
        assertThat(ended.verdict()).isEqualTo(Verdict.PASS);
        assertThat(outcomes("own", "passed AND jsonb_array_length(checks) = 6")).isEqualTo(3);
        assertThat(outcomes("own", "checks #>> '{1,value}' = '5.0' AND checks #>> '{1,score}' = '1.0'"))
                .isEqualTo(3);
        assertThat(outcomes("own", "checks #>> '{2,score}' = '0.75'")).isEqualTo(3);
        assertThat(outcomes("own", "checks #>> '{4,score}' = '0.25'")).isEqualTo(3);
        assertThat(outcomes("own", "checks #>> '{5,status}' = 'FAILED'")).isEqualTo(3);
        assertThat(engine.store.count("SELECT count(*) FROM ledger WHERE campaign_id = 'own'"))
                .as("one paid answer each")
                .isEqualTo(3);
        assertThat(engine.store.count("SELECT count(*) FROM ungraded_outcome WHERE campaign_id = 'own'"))
                .isZero();
    }

    /** The name of a stored directory of code. */
    private String stored(Map<String, String> files) throws Exception {
        Path directory = Files.createTempDirectory(temporary, "code");
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = directory.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        assertThat(WorkspaceArchive.writeCode(directory, List.of(), archive)).isEmpty();
        byte[] bytes = archive.toByteArray();
        String id =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        WorkspaceRepository workspaces = engine.store.get(WorkspaceRepository.class);
        workspaces.store(id, 0, bytes);
        workspaces.complete(id, 1, _ -> Optional.empty());
        return id;
    }

    @Test
    void shouldRunTheFilesOfTheCodeDirectory() throws Exception {
        String code = stored(Map.of(
                "below/golden.py", """
                import asyncio, beside, top

                class Judge:
                    async def score(output, context):
                        await asyncio.sleep(0)
                        return {"pass_": True, "score": beside.SCORE * top.TWO, "reason": output,
                                "named_scores": {"depth": context["config"]["depth"]}}
                """,
                "below/beside.py", "SCORE = 0.25\n",
                "top.py", "TWO = 2\n",
                "node_modules/left/index.js", "throw new Error('out')",
                "tone.mjs", "export const polite = async (output) => output === 'Paris';",
                "tone.cjs", "const fs = require('node:fs'); module.exports = () => !fs.existsSync('node_modules');"));
        StoredCampaign ended = run("files", """
            [{type: python, file: below/golden.py, function: Judge.score, config: {depth: 7}},
             {type: javascript, file: tone.mjs, function: polite}, {type: javascript, file: tone.cjs}]\
            """, "code:" + " sha256:" + code);

        assertThat(ended.verdict()).isEqualTo(Verdict.PASS);
        assertThat(outcomes(
                        "files", "checks #>> '{0,score}' = '0.5' AND checks #>> '{0,namedScores,depth,score}' = '7.0'"))
                .isEqualTo(1);
    }

    @Test
    void shouldLeaveUnscoredWhatCouldNotRunAndFailWhatRaised() throws Exception {
        StoredCampaign ended = run("faulty", """
            [{type: python, value: "1 / 0", not: true},
             {type: javascript, value: "process.exit(3)"},
             {type: python, value: "__import__('os')._exit(0)"},
             {type: javascript, value: "(() => { while (true) {} })()", timeoutSeconds: 1},
             {type: javascript, value: "output ="},
             {type: python, file: missing.py},
             {type: program, command: [not-allowed]},
             {type: python, value: "print('noise') or True"}]\
            """, "code: sha256:" + stored(Map.of("there.py", "")));

        assertThat(ended.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(outcomes("faulty", "checks #>> '{0,status}' = 'FAILED' AND checks #>> '{0,score}' = '0.0'"))
                .isEqualTo(1);
        for (int i = 1; i <= 6; i++) {
            assertThat(outcomes(
                            "faulty",
                            "checks #>> '{%1$d,status}' = 'UNSCORED' AND checks #> '{%1$d,score}' = 'null'"
                                    .formatted(i)))
                    .as("check %d", i)
                    .isEqualTo(1);
        }
        assertThat(outcomes("faulty", "checks #>> '{7,status}' = 'PASSED'")).isEqualTo(1);
    }

    /** Whatever happens to the processes: every answer is paid once, and every outcome has its results. */
    @Test
    void shouldPayEachAnswerOnceWhenProcessesOfCodeAreKilled() throws Exception {
        Thread killer = Thread.ofPlatform().daemon().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                ProcessHandle.current()
                        .children()
                        .filter(process ->
                                process.info().commandLine().orElse("").contains("Runs own code"))
                        .findFirst()
                        .ifPresent(ProcessHandle::destroyForcibly);
                LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
            }
        });
        StoredCampaign ended;
        try {
            ended = run("killed", """
                [{type: python, value: "__import__('time').sleep(0.02) or output == 'Paris'"},
                 {type: javascript, value: "output === 'Paris'"}]\
                """, "trials: 60");
        } finally {
            killer.interrupt();
            killer.join();
        }
        assertThat(ended.failureReason()).isNull();
        assertThat(outcomes("killed", "true")).isEqualTo(60);
        assertThat(outcomes("killed", "checks @> '[{\"status\": \"FAILED\"}]'"))
                .as("a process that died says nothing of an answer")
                .isZero();
        assertThat(engine.store.count("SELECT count(*) FROM ledger WHERE campaign_id = 'killed'"))
                .isEqualTo(60);
    }

    @Test
    void shouldRunCodeAgainAndAskNobodyWhenGradesAreMadeAnew() throws Exception {
        Path mark = temporary.resolve("seen");
        run("again", "[{type: python, value: \"__import__('os').path.exists('%s')\"}]".formatted(mark), "");
        assertThat(outcomes("again", "passed IS FALSE")).isEqualTo(1);

        Files.writeString(mark, "");
        engine.store.get(CampaignChanges.class).rerun("again", new Rerun(Only.GRADES, List.of(), List.of()));
        engine.startOrWake("again");
        engine.awaitEnd("again");

        assertThat(outcomes("again", "passed")).isEqualTo(1);
        assertThat(engine.store.count("SELECT count(*) FROM ledger WHERE campaign_id = 'again'"))
                .isEqualTo(1);
    }

    @Test
    void shouldSendTrialsToAWorkerThatMayRunTheirCode() throws Exception {
        try (Engine strict = new Engine()) {
            String yaml = """
                name: %s
                cases: [{id: a, prompt: x, checks: [{type: %s, value: "1"}]}]
                branches: [{id: b, kind: scripted, script: {answers: [x]}}]
                trials: 5
                """;
            strict.submit("nowhere", yaml.formatted("nowhere", "javascript"), Map.of());
            assertThat(strict.awaitEnd("nowhere").verdict()).isEqualTo(Verdict.INCONCLUSIVE);
            assertThat(strict.store.count(
                            "SELECT count(*) FROM outcome WHERE checks #>> '{0,reason}' LIKE '%may not run%'"))
                    .isEqualTo(5);

            strict.join(
                    Map.of(),
                    context -> context.registerSingleton(
                            Toolboxes.class, new Toolboxes(ALLOWED, Map.of(), context.getBean(ComputePool.class))));
            strict.submit("elsewhere", yaml.formatted("elsewhere", "python"), Map.of());
            assertThat(strict.awaitEnd("elsewhere").verdict()).isEqualTo(Verdict.PASS);
        }
    }
}
