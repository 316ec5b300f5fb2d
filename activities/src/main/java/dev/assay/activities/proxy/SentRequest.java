package dev.assay.activities.proxy;

/**
 * A program's request as it is sent on.
 *
 * @param answers which it may be billed for, at least 1
 * @param maxTokens output tokens of each answer, at least 0
 * @param body its JSON
 */
@SuppressWarnings("ArrayRecordComponent") // up to 32 MiB, never compared and never changed
record SentRequest(String model, int answers, int maxTokens, byte[] body) {

    /** The most output tokens that it can be billed for. */
    long outputTokens() {
        return (long) answers * maxTokens;
    }
}
