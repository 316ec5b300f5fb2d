package dev.assay.store.access;

import io.micronaut.core.annotation.Introspected;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One change.
 *
 * @param id grows
 * @param at when it was asked for
 * @param who a token's name; {@code local}: a user of the server's machine; else who ran a command
 * @param what method and address, or the command
 * @param from the client's address, or what was started
 * @param status of the answer; null: of a command, or the server was killed first
 */
@Introspected
public record AuditRow(
        long id,
        Instant at,
        String who,
        String what,
        String from,
        @Nullable Integer status) {}
