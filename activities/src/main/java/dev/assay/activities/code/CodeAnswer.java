package dev.assay.activities.code;

import dev.assay.domain.check.code.CodeReply;
import dev.assay.domain.check.code.Interpreter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What came of a request to a process.
 *
 * @param took from when the process could read the request until it ended
 * @param interpreter whose process it was; null: that of a program, or none
 */
record CodeAnswer(
        CodeReply reply, End end, Duration took, @Nullable Interpreter interpreter) {

    /** How a request ended. */
    enum End {
        /** The process gave a reply, be it one that is of no use. */
        REPLIED,
        /** The process ended under it. */
        DIED,
        /** The process was killed, since it took too long. */
        OUT_OF_TIME,
        /** No code ran. */
        NOT_STARTED
    }

    /** The process gave it. */
    CodeAnswer(CodeReply reply) {
        this(reply, End.REPLIED, Duration.ZERO, null);
    }

    /** It gave none that counts, and asking again would not help. */
    static CodeAnswer useless(String why) {
        return new CodeAnswer(new CodeReply.NotRun(why));
    }

    static CodeAnswer ended(End end, String why) {
        return new CodeAnswer(new CodeReply.NotRun(why), end, Duration.ZERO, null);
    }

    CodeAnswer within(Duration time) {
        return new CodeAnswer(reply, end, time, interpreter);
    }

    CodeAnswer of(@Nullable Interpreter other) {
        return new CodeAnswer(reply, end, took, other);
    }
}
