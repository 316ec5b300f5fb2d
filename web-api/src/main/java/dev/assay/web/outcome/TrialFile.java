package dev.assay.web.outcome;

import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.error.Failure;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.trace.AgentOutput;
import dev.assay.domain.trace.Traces;
import dev.assay.store.result.ProgramOutput;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The files of a trial, under FastSkill's names. A model's answer stands for its output. */
public final class TrialFile {

    private TrialFile() {}

    /**
     * The content of a file; null: there is none of this name.
     *
     * @param program what the program printed that answered; null: none ran
     */
    public static byte @Nullable [] of(String name, Outcome outcome, Branch branch, @Nullable ProgramOutput program) {
        return switch (name) {
            case "stdout.txt" -> program == null ? bytes(outcome.response()) : program.stdout();
            case "stderr.txt" -> program == null ? new byte[0] : program.stderr();
            case "trace.jsonl" -> bytes(trace(outcome, branch, program));
            default -> null;
        };
    }

    private static String trace(Outcome outcome, Branch branch, @Nullable ProgramOutput program) {
        AgentCommand command = branch.agent().program().orElse(null);
        if (program == null || command == null) {
            return Traces.jsonLines(Traces.of(outcome.newMessages()));
        }
        Failure failure = outcome.failure();
        return Traces.jsonLines(AgentOutput.trace(
                command.output(),
                new String(program.stdout(), StandardCharsets.UTF_8),
                program.modelTurns(),
                failure == null ? null : failure.message(),
                outcome.status() == OutcomeStatus.TIMED_OUT));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
