package dev.assay.store.access;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One change, or requests that were refused.
 *
 * @param who a token's name; {@code local}: a user of the server's machine; {@code unknown}: without a valid token; else who ran a
 *     command
 * @param what method and address, or the command
 * @param from the client's address, or what was started
 * @param status of the answer; null: of a command, or the server was killed first
 * @param object the id that was made or that the request names; null: none
 * @param refused whether the answer was 401, 403 or 429
 * @param repeated how many more refused requests of this address are counted here
 */
public record AuditRow(
        long id,
        Instant at,
        String who,
        String what,
        String from,
        @Nullable Integer status,
        @Nullable String object,
        boolean refused,
        long repeated) {}
