package dev.assay.standalone.process;

import java.io.IOException;
import java.time.Duration;

/** A server that runs as a child process. */
public interface Child {

    /** Its name for people, as in "PostgreSQL". */
    String name();

    /** The time that it may take from its start until it is ready. */
    Duration startTimeout();

    /** Starts the process; called again when the last one has died. */
    Process start() throws IOException;

    /** Whether the started process answers; polled every few milliseconds. */
    boolean ready(Process process);

    /** Asks the process to end cleanly; may return before it has. */
    void requestStop(Process process);

    /** The time from then until it is ended by force. */
    Duration stopTimeout();

    /** The end of its log, for an error message. */
    String lastWords();
}
