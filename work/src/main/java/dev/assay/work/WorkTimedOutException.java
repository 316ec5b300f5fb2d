package dev.assay.work;

import java.time.Duration;

/** Work took longer than its limit and was given up. The message names the work and the limit. */
public final class WorkTimedOutException extends Exception {

    public WorkTimedOutException(String what, Duration limit) {
        super(sentence(what, limit));
    }

    static String sentence(String what, Duration limit) {
        return "%s took more than %s s".formatted(what, seconds(limit));
    }

    private static String seconds(Duration limit) {
        long millis = limit.toMillis();
        return millis % 1000 == 0 ? Long.toString(millis / 1000) : Double.toString(millis / 1000.0);
    }
}
