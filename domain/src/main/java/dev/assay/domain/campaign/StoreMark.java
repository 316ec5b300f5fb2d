package dev.assay.domain.campaign;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A mark in the life of the store. A process that remembers one can tell later whether the store went back behind it.
 *
 * @param token never the same twice, at most 36 characters
 * @param atMicros when it was made by the store's clock, in microseconds since 1970
 */
public record StoreMark(long number, String token, long atMicros) {

    /** When it was made. */
    public Instant at() {
        return Instant.EPOCH.plus(atMicros, ChronoUnit.MICROS);
    }
}
