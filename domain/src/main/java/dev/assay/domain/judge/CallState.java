package dev.assay.domain.judge;

import dev.assay.domain.error.Failure;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The state of one call. */
sealed interface CallState {

    /** A call that was not made yet. */
    record Unasked() implements CallState {}

    /** A call whose reply must be asked for again. */
    record Invalid(JudgeAnswer answer, JudgeQuestion.Repair wrong) implements CallState {}

    /** A call that is over. */
    record Done(ParsedReply reading) implements CallState {}

    /**
     * The state of a call.
     *
     * @param first the call; null: not made yet
     * @param repair the call that asked again; null: not made
     */
    static CallState of(JudgePolicy policy, @Nullable JudgeAnswer first, @Nullable JudgeAnswer repair) {
        if (first == null) {
            return new Unasked();
        }
        String reply = first.reply();
        if (reply == null) {
            return new Done(failed(first, why(Objects.requireNonNull(first.failure()))));
        }
        if (!policy.format().isStructured()) {
            return new Done(plain(first, List.of(reply)));
        }
        return switch (StructuredReply.read(reply, first.shown().size())) {
            case StructuredReply.Valid valid -> new Done(structured(first, ParsedReply.Path.STRUCTURED, valid));
            case StructuredReply.Invalid(String problem) ->
                repair == null
                        ? new Invalid(first, new JudgeQuestion.Repair(reply, problem))
                        : new Done(repaired(first, reply, repair));
        };
    }

    private static ParsedReply repaired(JudgeAnswer first, String reply, JudgeAnswer repair) {
        String again = repair.reply();
        if (again == null) {
            return plain(first, List.of(reply));
        }
        return StructuredReply.read(again, first.shown().size()) instanceof StructuredReply.Valid valid
                ? structured(first, ParsedReply.Path.REPAIRED, valid)
                : plain(first, List.of(again, reply));
    }

    /** The first of the replies that names a response. */
    private static ParsedReply plain(JudgeAnswer first, List<String> replies) {
        List<Integer> shown = first.shown();
        for (String reply : replies) {
            JudgeReply read = JudgeReply.parseSelection(reply, shown.size());
            if (!read.fallback()) {
                return new ParsedReply(
                        first.slot(), shown, ParsedReply.Path.PLAIN, shown.get(read.index()), List.of(), null);
            }
        }
        String why = "The reply names no response from 1 to " + shown.size() + ".";
        return new ParsedReply(first.slot(), shown, ParsedReply.Path.FALLBACK, null, List.of(), why);
    }

    private static ParsedReply structured(JudgeAnswer first, ParsedReply.Path path, StructuredReply.Valid valid) {
        Integer choice = first.shown().get(valid.index());
        return new ParsedReply(first.slot(), first.shown(), path, choice, valid.scores(), valid.reason());
    }

    private static ParsedReply failed(JudgeAnswer first, String why) {
        return new ParsedReply(first.slot(), first.shown(), ParsedReply.Path.FAILED, null, List.of(), why);
    }

    private static String why(Failure failure) {
        return failure.code() + ": " + failure.message();
    }
}
