package dev.assay.activities.command;

import java.util.Locale;
import java.util.stream.Stream;

/** The limit at which the system starts no further process, for now. */
final class SystemLimit {

    /** The message for a thread that could not be started. */
    static final String NO_THREAD = "cannot fork: no thread";

    private SystemLimit() {}

    /** @param message of the JDK (errno 11 EAGAIN, 12 ENOMEM, 23 ENFILE, 24 EMFILE) or of a shell */
    static boolean isReached(String message) {
        String said = message.toLowerCase(Locale.ROOT);
        return Stream.of(
                        "error=11",
                        "error=12",
                        "error=23",
                        "error=24",
                        "too many open files",
                        "cannot fork",
                        "resource temporarily unavailable",
                        "cannot allocate memory",
                        // Another start still holds the descriptor by which the program was just written.
                        "text file busy")
                .anyMatch(said::contains);
    }
}
