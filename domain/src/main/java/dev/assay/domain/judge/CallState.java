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

    /** A call whose plain reply names no single response, and that is made once more for a JSON object. */
    record Undecided(JudgeAnswer answer) implements CallState {}

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
            return plain(policy, first, reply, repair);
        }
        return switch (StructuredReply.read(reply, first.shown().size())) {
            case StructuredReply.Valid valid -> new Done(structured(first, ParsedReply.Path.STRUCTURED, valid));
            case StructuredReply.Invalid(String problem) ->
                repair == null
                        ? new Invalid(first, new JudgeQuestion.Repair(reply, problem))
                        : new Done(repaired(policy, first, reply, repair));
        };
    }

    private static CallState plain(JudgePolicy policy, JudgeAnswer first, String reply, @Nullable JudgeAnswer again) {
        ParsedReply reading = plain(policy, first, List.of(reply));
        boolean asksAgain = policy.format().asksAgain()
                && reading.path() == ParsedReply.Path.FALLBACK
                && policy.judgeOf(first.slot()).canReplyInJson();
        if (!asksAgain) {
            return new Done(reading);
        }
        return again == null ? new Undecided(first) : new Done(repaired(policy, first, reply, again));
    }

    private static ParsedReply repaired(JudgePolicy policy, JudgeAnswer first, String reply, JudgeAnswer repair) {
        String again = repair.reply();
        if (again == null) {
            return plain(policy, first, List.of(reply));
        }
        return StructuredReply.read(again, first.shown().size()) instanceof StructuredReply.Valid valid
                ? structured(first, ParsedReply.Path.REPAIRED, valid)
                : plain(policy, first, isRead(policy, again) ? List.of(again, reply) : List.of(reply));
    }

    /** The numbers of a broken object, or of its schema, name no response of a plain judge that was undecided. */
    private static boolean isRead(JudgePolicy policy, String again) {
        return policy.format().isStructured() || again.indexOf('{') < 0;
    }

    /** The first of the replies that chooses a response. */
    private static ParsedReply plain(JudgePolicy policy, JudgeAnswer first, List<String> replies) {
        List<Integer> shown = first.shown();
        String why = null;
        for (String reply : replies) {
            switch (JudgeReply.read(policy.format().reading(), reply, shown.size())) {
                case JudgeReply.Choice.Of(int index) -> {
                    return new ParsedReply(
                            first.slot(), shown, ParsedReply.Path.PLAIN, shown.get(index), List.of(), null);
                }
                case JudgeReply.Choice.None(String problem) -> why = why == null ? problem : why;
            }
        }
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
