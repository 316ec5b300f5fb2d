package dev.assay.activities.code;

import dev.assay.domain.check.code.CodeReply;

/**
 * What came of a request to a process.
 *
 * @param died whether the process ended under the request, which another one may answer
 */
record CodeAnswer(CodeReply reply, boolean died) {

    /** The process gave it. */
    CodeAnswer(CodeReply reply) {
        this(reply, false);
    }

    /** It gave none that counts, and asking again would not help. */
    static CodeAnswer useless(String why) {
        return new CodeAnswer(new CodeReply.NotRun(why));
    }
}
