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
import dev.assay.activities.proxy.ProxySession;
import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.agent.LoopSoFar;
import dev.assay.domain.agent.ModelAccess;
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
import java.nio.file.Path;
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
        return failed(
                ErrorCode.EVAL_AGENT_UNAVAILABLE,
                "No worker may start " + command.program() + ", or none has it.",
                LoopSoFar.NOTHING,
                null);
    }

    private LoopSoFar attempt(AgentTask task, @Nullable ModelAccess access) throws InterruptedException {
        try (TrialDirectory directory = with.room.open();
                @Nullable
                        ProxySession models =
                                access == null ? null : with.proxy.open(access, attempt, command.maxCostUsd());
                WorkspaceCache.@Nullable Use workspace = with.workspaces.use(command.workspaceId())) {
            String prompt = StorableText.of(prompt(task));
            directory.fill(workspace, suiteCase.workspaceSubdir(), command.readsPrompt() ? prompt : "");
            directory.let(with.environment, command.env());
            directory.put(models == null ? Map.of() : models.variables());
            directory.copyToHome(Path.of(System.getProperty("user.home")), command.homeFiles());
            try (ProcessGroup group = ProcessGroup.start(command.line(prompt), directory)) {
                return watched(group, directory, new Said(command, suiteCase, task, models));
            }
        } catch (RefusedArchiveException e) {
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

    private LoopSoFar watched(ProcessGroup group, TrialDirectory directory, Said said) throws InterruptedException {
        long start = System.nanoTime();
        boolean inTime;
        try {
            inTime = group.await(said.task().timeout());
        } catch (InterruptedException e) {
            said.endModels();
            group.stop();
            throw new InterruptedLoopException(e, said.cutShort(group, directory, since(start)));
        }
        if (!inTime) {
            said.endModels();
            group.stop();
            group.end();
            throw failed(
                    ErrorCode.EVAL_CASE_TIMEOUT,
                    "%s did not end within %s s and was stopped; raise limits.timeoutSeconds (timeout_seconds of a FastSkill folder), or ask for less."
                            .formatted(command.name(), said.task().timeout().toMillis() / 1e3),
                    said.cutShort(group, directory, since(start)),
                    null);
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

    private LoopSoFar ended(ProcessGroup group, LoopSoFar said) {
        int code = group.exitCode();
        if (!group.hasStarted()) {
            String why = new String(group.stderr().bytes(), StandardCharsets.UTF_8).strip();
            boolean atLimit = SystemLimit.isReached(why);
            throw failed(
                    atLimit ? ErrorCode.EVAL_PARALLEL_EXHAUSTION : ErrorCode.AGENT_FAILED,
                    command.name() + " could not be started: " + Excerpt.of(StorableText.of(why)),
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
