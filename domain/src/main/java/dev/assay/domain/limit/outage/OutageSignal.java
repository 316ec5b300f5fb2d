package dev.assay.domain.limit.outage;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An end of a call that says nothing of its model: the provider may be away. */
public enum OutageSignal {
    /** Nothing listens: no connection, no name, no TLS, or connecting took too long. */
    UNREACHABLE,
    /** The connection broke. */
    BROKEN,
    /** Nothing came in time, and the host has answered nothing since the request was sent. */
    SILENT,
    /** 500, 502, 503, 504 or 529. */
    SERVER_ERROR,
    /** An answer that is no JSON. */
    NO_JSON;

    private static final Set<Integer> STATUSES = Set.of(500, 502, 503, 504, 529);

    /** The signal of a status of HTTP; null: it is none. Of 408, 409, 425 and 429 the host is there. */
    public static @Nullable OutageSignal ofStatus(int status) {
        return STATUSES.contains(status) ? SERVER_ERROR : null;
    }

    /**
     * The signal of an answer that did not come in time; null: it is none, the model is slow.
     *
     * @param began whether a byte of it came
     * @param hostAnswered whether the host has answered any request since this one was sent
     */
    public static @Nullable OutageSignal ofTimeout(boolean began, boolean hostAnswered) {
        return began || hostAnswered ? null : SILENT;
    }
}
