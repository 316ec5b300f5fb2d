package dev.assay.activities.command;

import dev.assay.activities.agent.AgentTask;
import dev.assay.activities.proxy.ModelTotals;
import dev.assay.activities.proxy.ProxySession;
import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.agent.LoopSoFar;
import dev.assay.domain.agent.Provenance;
import dev.assay.domain.message.Message;
import dev.assay.domain.suite.Case;
import dev.assay.domain.text.StorableText;
import dev.assay.domain.trace.AgentOutput;
import dev.assay.domain.trace.Evidence;
import dev.assay.domain.trace.ModelUse;
import dev.assay.domain.trace.ProgramRun;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Reported;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns the output of a program into the messages of an agent.
 *
 * @param models that the program asks through the model proxy; null: it asks none there
 */
record Said(
        AgentCommand command,
        Case suiteCase,
        AgentTask task,
        @Nullable ProxySession models) {

    /** Cuts off what the program asks its models, and waits until that is settled. */
    void endModels() {
        if (models != null) {
            models.end();
        }
    }

    /** Whether the campaign's budget kept a request of the program from being sent. */
    boolean isOverBudget() {
        return models != null && models.totals().isOverBudget();
    }

    /** The messages of a program that ended by itself. */
    LoopSoFar all(ProcessGroup group, TrialDirectory directory, Duration took) {
        return said(group, directory, took, read(group), group.exitCode());
    }

    /** The messages of a program that was stopped. */
    LoopSoFar cutShort(ProcessGroup group, TrialDirectory directory, Duration took) {
        return said(group, directory, took, read(group), null);
    }

    private LoopSoFar said(
            ProcessGroup group,
            TrialDirectory directory,
            Duration took,
            AgentOutput output,
            @Nullable Integer exitCode) {
        byte[] stdout = group.stdout().bytes();
        Set<String> files = directory.existing(suiteCase.checks().filesAskedFor());
        List<Message> messages = new ArrayList<>(task.prompts());
        messages.add(Message.assistant(output.text()));
        Reported reported = new Reported(output.usage().ofAnswer(), output.costUsd());
        ModelTotals asked = models == null ? null : models.totals();
        List<String> warnings = warnings(group);
        warnings.addAll(asked == null ? List.of() : asked.warnings());
        return new LoopSoFar(
                messages,
                asked == null
                        ? new Measured(reported.usage(), reported.costUsd(), took)
                        : new Measured(asked.usage(), asked.costUsd(), took),
                null,
                warnings,
                Provenance.NONE,
                new ProgramRun(
                        stdout,
                        group.stderr().bytes(),
                        new Evidence(text(stdout), output.trace(), files, exitCode),
                        asked == null ? null : ModelUse.of(asked.turns(), reported),
                        group.isolation()));
    }

    /** Its time is proportional to what was printed, which is bounded. */
    private AgentOutput read(ProcessGroup group) {
        return AgentOutput.read(command.output(), text(group.stdout().bytes()));
    }

    /** The text of UTF-8 bytes; U+FFFD replaces invalid ones and U+0000. */
    private static String text(byte[] bytes) {
        return StorableText.of(new String(bytes, StandardCharsets.UTF_8));
    }

    private static List<String> warnings(ProcessGroup group) {
        List<String> warnings = new ArrayList<>();
        if (group.stdout().wasCut()) {
            warnings.add(cut("standard output"));
        }
        if (group.stderr().wasCut()) {
            warnings.add(cut("standard error"));
        }
        return warnings;
    }

    private static String cut(String stream) {
        return "The program's " + stream + " was cut after " + (ProgramRun.MAX_OUTPUT >> 20) + " MB.";
    }
}
