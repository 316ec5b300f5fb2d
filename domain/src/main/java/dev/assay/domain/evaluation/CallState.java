package dev.assay.domain.evaluation;

import dev.assay.domain.campaign.JudgeRule;
import dev.assay.domain.error.Failure;
import dev.assay.domain.judge.JudgeReply;
import dev.assay.domain.judge.StructuredReply;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How far one call has come. */
sealed interface CallState {

    /** It was not made yet. */
    record Unasked() implements CallState {}

    /** Its reply must be asked for again. */
    record Invalid(JudgeAnswer answer, JudgeQuestion.Repair wrong) implements CallState {}

    /** It is over. */
    record Done(JudgeReading reading) implements CallState {}

    /**
     * What is known of a call.
     *
     * @param first the call; null: not made yet
     * @param repair the call that asked again; null: not made
     */
    static CallState of(JudgeRule rule, @Nullable JudgeAnswer first, @Nullable JudgeAnswer repair) {
        if (first == null) {
            return new Unasked();
        }
        String reply = first.reply();
        if (reply == null) {
            return new Done(failed(first, why(Objects.requireNonNull(first.failure()))));
        }
        if (!rule.form().isStructured()) {
            return new Done(plain(first, List.of(reply)));
        }
        return switch (StructuredReply.read(reply, first.shown().size())) {
            case StructuredReply.Valid valid -> new Done(structured(first, JudgeReading.Path.STRUCTURED, valid));
            case StructuredReply.Invalid(String problem) ->
                repair == null
                        ? new Invalid(first, new JudgeQuestion.Repair(reply, problem))
                        : new Done(repaired(first, reply, repair));
        };
    }

    private static JudgeReading repaired(JudgeAnswer first, String reply, JudgeAnswer repair) {
        String again = repair.reply();
        if (again == null) {
            return plain(first, List.of(reply));
        }
        return StructuredReply.read(again, first.shown().size()) instanceof StructuredReply.Valid valid
                ? structured(first, JudgeReading.Path.REPAIRED, valid)
                : plain(first, List.of(again, reply));
    }

    /** The first of the replies that names a response. */
    private static JudgeReading plain(JudgeAnswer first, List<String> replies) {
        List<Integer> shown = first.shown();
        for (String reply : replies) {
            JudgeReply read = JudgeReply.parseSelection(reply, shown.size());
            if (!read.fallback()) {
                return new JudgeReading(
                        first.member(), shown, JudgeReading.Path.PLAIN, shown.get(read.index()), List.of(), null);
            }
        }
        String why = "The reply names no response from 1 to " + shown.size() + ".";
        return new JudgeReading(first.member(), shown, JudgeReading.Path.FALLBACK, null, List.of(), why);
    }

    private static JudgeReading structured(JudgeAnswer first, JudgeReading.Path path, StructuredReply.Valid valid) {
        Integer choice = first.shown().get(valid.index());
        return new JudgeReading(first.member(), first.shown(), path, choice, valid.scores(), valid.reason());
    }

    private static JudgeReading failed(JudgeAnswer first, String why) {
        return new JudgeReading(first.member(), first.shown(), JudgeReading.Path.FAILED, null, List.of(), why);
    }

    private static String why(Failure failure) {
        return failure.code() + ": " + failure.message();
    }
}
