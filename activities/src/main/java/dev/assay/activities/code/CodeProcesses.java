package dev.assay.activities.code;

import dev.assay.activities.command.CodePermission;
import dev.assay.activities.command.LiveProgram;
import dev.assay.activities.command.LivePrograms;
import dev.assay.domain.campaign.CodeFiles;
import dev.assay.domain.check.code.CodeLanguage;
import dev.assay.domain.check.code.CodeReply;
import dev.assay.domain.check.code.CodeRun;
import dev.assay.domain.check.code.Interpreter;
import dev.assay.domain.grading.CodeRequest;
import dev.assay.work.archive.RefusedArchiveException;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** This worker's processes that run own code. Each belongs to one campaign. They are begun when needed, and shared fairly. */
@Singleton
public class CodeProcesses {

    private static final int MOST_STALLED = 64;
    private static final Duration STALLED_AFTER = Duration.ofSeconds(1);
    private static final Duration IDLE = Duration.ofSeconds(60);

    private final LivePrograms programs;
    private final CodePermission permission;
    private final InterpreterRecord record;
    private final ProcessSlots<CodePlace, CodeProcess> slots;
    private final Map<CodeLanguage, Interpreter> greeted = new ConcurrentHashMap<>();
    private final Set<CodeProcess> alive = ConcurrentHashMap.newKeySet();
    private final ExecutorService ends = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("code-clock").factory());

    CodeProcesses(LivePrograms programs, CodePermission permission, InterpreterRecord record) {
        this.permission = permission;
        this.record = record;
        this.programs = programs;
        this.slots = new ProcessSlots<>(
                2 * Runtime.getRuntime().availableProcessors(),
                MOST_STALLED,
                CodePlace::campaignId,
                this::end,
                System::nanoTime);
        var _ = clock.scheduleWithFixedDelay(() -> slots.sweep(IDLE), 5, 5, TimeUnit.SECONDS);
    }

    /**
     * Has own code answer {@code request}. A process that dies under the request is replaced once.
     *
     * @throws InterruptedException when the calling thread is interrupted; the code is killed then
     */
    public CodeRun run(String campaignId, CodeFiles files, CodeRequest request) throws InterruptedException {
        CodeAnswer answer = answer(campaignId, files, request);
        return new CodeRun(answer.reply(), answer.interpreter());
    }

    /** The interpreter of a language that greeted last; empty: none has, or the language is a program's. */
    public Optional<Interpreter> interpreter(CodeLanguage language) {
        return Optional.ofNullable(greeted.get(language));
    }

    /** The same with how it ended. A request that may have been paid is never asked again. */
    CodeAnswer answer(String campaignId, CodeFiles files, CodeRequest request) throws InterruptedException {
        String refusal = permission.refusal(campaignId, files, request.need());
        if (refusal != null) {
            return CodeAnswer.ended(CodeAnswer.End.NOT_STARTED, refusal);
        }
        CodePlace place = CodePlace.of(
                campaignId,
                request.isInterpreted() ? CodeWorkers.command(request.need().language()) : request.command(),
                files,
                request.stays());
        CodeAnswer answer = ask(place, request);
        boolean isRepeated = answer.end() == CodeAnswer.End.DIED && request.form() != CodeRequest.Form.PAID;
        return isRepeated ? ask(place, request) : answer;
    }

    private CodeAnswer ask(CodePlace place, CodeRequest request) throws InterruptedException {
        ProcessSlots.Slot<CodePlace, CodeProcess> slot = slots.take(place);
        CodeProcess process = null;
        ScheduledFuture<?> stall =
                clock.schedule(() -> slots.stall(slot), STALLED_AFTER.toMillis(), TimeUnit.MILLISECONDS);
        try {
            process = slot.process().isPresent() ? slot.process().get() : start(place, request);
            return asked(process, request).of(process.interpreter());
        } catch (IOException e) {
            return CodeAnswer.ended(
                    CodeAnswer.End.NOT_STARTED, place.name() + " could not be started: " + e.getMessage());
        } catch (RefusedArchiveException e) {
            return CodeAnswer.ended(
                    CodeAnswer.End.NOT_STARTED, "The code directory cannot be unpacked: " + e.getMessage());
        } finally {
            stall.cancel(false);
            giveBack(slot, process);
        }
    }

    private static CodeAnswer asked(CodeProcess process, CodeRequest request) throws InterruptedException {
        Duration time = Duration.ofSeconds(request.timeoutSeconds());
        return switch (request.form()) {
            case KEPT, PAID -> process.ask(request.json(), time);
            case JSON -> process.askOnce(request.json(), CodeReply::ofPrinted, time);
            case TEXT -> process.askOnce(request.json(), CodeReply::ofText, time);
        };
    }

    private void giveBack(ProcessSlots.Slot<CodePlace, CodeProcess> slot, @Nullable CodeProcess process) {
        if (process != null && process.isUsable()) {
            slots.give(slot, process);
            return;
        }
        if (process != null) {
            end(process);
        }
        slots.free(slot);
    }

    /** Starts a process; one of a language is there when it has said so. */
    private CodeProcess start(CodePlace place, CodeRequest request)
            throws IOException, RefusedArchiveException, InterruptedException {
        LiveProgram program = programs.start(place.line());
        CodeProcess process = new CodeProcess(place, program);
        alive.add(process);
        if (request.isInterpreted()) {
            boolean isThere = false;
            try {
                Interpreter interpreter = process.greet(request.need().language());
                greeted.put(request.need().language(), interpreter);
                record.used(place.campaignId(), interpreter);
                isThere = true;
            } finally {
                if (!isThere) {
                    end(process);
                }
            }
        }
        return process;
    }

    private void end(CodeProcess process) {
        ends.execute(() -> {
            process.close();
            alive.remove(process);
        });
    }

    /** Ends all. */
    @PreDestroy
    void close() {
        clock.shutdownNow();
        alive.forEach(this::end);
        ends.close();
    }
}
