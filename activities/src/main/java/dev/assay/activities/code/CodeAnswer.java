package dev.assay.activities.code;

import dev.assay.domain.check.code.CodeReply;
import java.time.Duration;

/**
 * What came of a request to a process.
 *
 * @param took from when the process could read the request until it ended
 */
record CodeAnswer(CodeReply reply, End end, Duration took) {

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
        this(reply, End.REPLIED, Duration.ZERO);
    }

    /** It gave none that counts, and asking again would not help. */
    static CodeAnswer useless(String why) {
        return new CodeAnswer(new CodeReply.NotRun(why));
    }

    static CodeAnswer ended(End end, String why) {
        return new CodeAnswer(new CodeReply.NotRun(why), end, Duration.ZERO);
    }

    CodeAnswer within(Duration time) {
        return new CodeAnswer(reply, end, time);
    }
}
