package dev.assay.activities.command;

import static java.util.Objects.requireNonNull;

import dev.assay.activities.agent.AgentContext;
import dev.assay.activities.agent.AgentLoopException;
import dev.assay.activities.agent.AgentResult;
import dev.assay.activities.agent.AgentRunner;
import dev.assay.activities.agent.AgentTask;
import dev.assay.activities.agent.InterruptedLoopException;
import dev.assay.activities.call.CellAttempt;
import dev.assay.activities.call.LedgeredClient;
import dev.assay.activities.cell.StopReason;
import dev.assay.activities.isolation.Attempt;
import dev.assay.activities.operator.UserHome;
import dev.assay.activities.proxy.ProxySession;
import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.agent.LoopSoFar;
import dev.assay.domain.agent.ModelAccess;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.judge.Transcript;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.suite.Case;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.text.StorableText;
import dev.assay.work.archive.RefusedArchiveException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The runner of one attempt by a program. It is one paid call, however many requests the program sends. */
public final class CommandRunner implements AgentRunner {

    /** Exit codes above this stand for a signal: 128 + n for signal n, 1–64. */
    private static final int SIGNALS = 128;

    private static final int MAX_SIGNAL = 64;

    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    private final Programs with;
    private final AgentCommand command;
    private final CellAttempt attempt;
    private final Case suiteCase;
    private final LedgeredClient client;

    CommandRunner(Programs with, AgentCommand command, CellAttempt attempt, Case suiteCase, LedgeredClient client) {
        this.with = with;
        this.command = command;
        this.attempt = attempt;
        this.suiteCase = suiteCase;
        this.client = client;
    }

    @Override
    public AgentResult run(AgentTask task, AgentContext context) throws InterruptedException {
        if (!with.permission.allows(attempt.campaign().id(), command)) {
            throw refused();
        }
        ModelAccess models = command.models();
        if (models != null && !with.proxy.canAsk(models) && isAskedElsewhere(models)) {
            throw leave("This worker has no key of " + models.provider());
        }
        LoopSoFar said = models == null
                ? client.pay(command.maxCostUsd(), () -> attempt(task, null))
                : client.payNothing(() -> attempt(task, models));
        return new AgentResult(OutcomeStatus.COMPLETED, null, said);
    }

    private boolean isAskedElsewhere(ModelAccess models) {
        ProviderInfo provider = with.workers.required().get(models.provider());
        return with.permission.leavesToOthers() && provider != null && provider.hasKey();
    }

    /** Leaves the cell to another worker. */
    private InterruptedException leave(String why) {
        attempt.cell().stop(StopReason.NO_PERMIT);
        return new InterruptedException(why);
    }

    /** The failure of a program that this worker may not start; another worker may. */
    private AgentLoopException refused() throws InterruptedException {
        if (with.permission.leavesToOthers() && with.workers.tools().allows(command)) {
            throw leave("This worker may not start " + command.program());
        }
        String refusal = with.isolation.refusal(command);
        return failed(
                ErrorCode.EVAL_AGENT_UNAVAILABLE,
                refusal == null ? "No worker may start " + command.program() + ", or none has it." : refusal,
                LoopSoFar.NOTHING,
                null);
    }

    private LoopSoFar attempt(AgentTask task, @Nullable ModelAccess access) throws InterruptedException {
        try (TrialDirectory directory = with.room.open();
                @Nullable
                        ProxySession models = access == null
                                ? null
                                : with.proxy.open(
                                        access, attempt, command.maxCostUsd(), with.isolation.gateway(command));
                WorkspaceCache.@Nullable Use workspace = with.workspaces.use(command.workspaceId())) {
            String prompt = StorableText.of(prompt(task));
            directory.fill(workspace, suiteCase.workspaceSubdir(), command.readsPrompt() ? prompt : "");
            directory.let(with.variables.environmentWith(command.env()), command.env());
            directory.put(models == null ? Map.of() : models.variables());
            directory.copyToHome(UserHome.directory(), command.homeFiles());
            try (Attempt walls = with.isolation.begin(command, directory.id(), directory.root());
                    ProcessGroup group = ProcessGroup.start(command.line(prompt), directory, walls)) {
                return watched(group, directory, new Said(command, suiteCase, task, models), walls);
            }
        } catch (RefusedArchiveException | AssayException e) {
            throw failed(ErrorCode.AGENT_FAILED, requireNonNull(e.getMessage()), LoopSoFar.NOTHING, e);
        } catch (IOException e) {
            boolean atLimit = SystemLimit.isReached(String.valueOf(e.getMessage()));
            throw failed(
                    atLimit ? ErrorCode.EVAL_PARALLEL_EXHAUSTION : ErrorCode.AGENT_FAILED,
                    command.name() + " could not be started: " + e.getMessage() + ".",
                    LoopSoFar.NOTHING,
                    e);
        }
    }

    private LoopSoFar watched(ProcessGroup group, TrialDirectory directory, Said said, Attempt walls)
            throws InterruptedException {
        long start = System.nanoTime();
        Ending ending;
        try {
            ending = await(group, said.task().timeout(), walls);
        } catch (InterruptedException e) {
            said.endModels();
            group.stop();
            throw new InterruptedLoopException(e, said.cutShort(group, directory, since(start)));
        }
        if (ending != Ending.BY_ITSELF) {
            said.endModels();
            group.stop();
            group.end();
            throw stopped(ending, said.task(), walls, said.cutShort(group, directory, since(start)));
        }
        Duration took = since(start);
        group.end();
        said.endModels();
        LoopSoFar all = said.all(group, directory, took);
        if (said.isOverBudget()) {
            throw failed(
                    ErrorCode.BUDGET_EXCEEDED,
                    "The campaign's budget did not cover a request of " + command.name()
                            + " to its models, so what it did says nothing of it.",
                    all,
                    null);
        }
        return ended(group, all);
    }

    /** The reason why a program is no longer waited for. */
    private enum Ending {
        BY_ITSELF,
        OUT_OF_TIME,
        OUT_OF_DISK
    }

    /** Waits, and asks meanwhile whether the disk is full. */
    private static Ending await(ProcessGroup group, Duration timeout, Attempt walls) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        for (long left = timeout.toNanos(); left > 0; left = deadline - System.nanoTime()) {
            if (group.await(Duration.ofNanos(Math.min(left, LOOK_EVERY.toNanos())))) {
                return Ending.BY_ITSELF;
            }
            if (walls.isOverDisk()) {
                return Ending.OUT_OF_DISK;
            }
        }
        return Ending.OUT_OF_TIME;
    }

    private AgentLoopException stopped(Ending ending, AgentTask task, Attempt walls, LoopSoFar said) {
        return ending == Ending.OUT_OF_DISK
                ? failed(
                        ErrorCode.AGENT_FAILED,
                        "%s wrote more than %d MiB into its directory and was stopped; `diskMb` in tools.yaml allows more."
                                .formatted(command.name(), walls.diskMb()),
                        said,
                        null)
                : failed(
                        ErrorCode.EVAL_CASE_TIMEOUT,
                        "%s did not end within %s s and was stopped; raise limits.timeoutSeconds (timeout_seconds of a FastSkill folder), or ask for less."
                                .formatted(command.name(), task.timeout().toMillis() / 1e3),
                        said,
                        null);
    }

    private LoopSoFar ended(ProcessGroup group, LoopSoFar said) {
        int code = group.exitCode();
        if (!group.hasStarted()) {
            String why = new String(group.stderr().bytes(), StandardCharsets.UTF_8).strip();
            boolean atLimit = SystemLimit.isReached(why);
            throw failed(
                    atLimit ? ErrorCode.EVAL_PARALLEL_EXHAUSTION : ErrorCode.AGENT_FAILED,
                    command.name() + " could not be started: " + Excerpt.of(StorableText.of(why)) + advice(group),
                    LoopSoFar.NOTHING,
                    null);
        }
        int signal = code - SIGNALS;
        if (signal >= 1 && signal <= MAX_SIGNAL) {
            throw failed(
                    ErrorCode.AGENT_FAILED,
                    "%s was ended by signal %d (exit code %d).".formatted(command.name(), signal, code),
                    said,
                    null);
        }
        return said;
    }

    private static String advice(ProcessGroup group) {
        return switch (group.isolation()) {
            case NONE -> "";
            case CONFINED, USER ->
                " It runs at level " + group.isolation().word()
                        + ": `readable` of its entry in tools.yaml opens the paths that it needs.";
            case CONTAINER -> " It runs at level container: what it needs must be in the image.";
        };
    }

    private static Duration since(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private static AgentLoopException failed(
            ErrorCode code, String message, LoopSoFar said, @Nullable Throwable cause) {
        return new AgentLoopException(new Failure(code, message), said, cause);
    }

    /** The user's prompt; with a conversation before it, all of it, each message with its speaker. */
    private static String prompt(AgentTask task) {
        boolean plain =
                task.context().isEmpty() && task.prompts().stream().allMatch(message -> message.role() == Role.USER);
        List<Message> all =
                Stream.concat(task.context().stream(), task.prompts().stream()).toList();
        return plain
                ? task.prompts().stream().map(Message::text).collect(Collectors.joining("\n"))
                : Transcript.format(all);
    }
}
