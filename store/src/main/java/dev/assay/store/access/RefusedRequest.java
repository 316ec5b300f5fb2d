package dev.assay.store.access;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request that was refused.
 *
 * @param by whose it was, and from which address
 * @param what method and address, without the query
 * @param object the id that its path names; null: none
 */
public record RefusedRequest(
        Instant at, Actor by, String what, @Nullable String object, int status) {

    public RefusedRequest {
        by = new Actor(AuditText.of(by.who()), AuditText.of(by.from()));
        what = AuditText.of(what);
        object = AuditText.orNull(object);
    }

    /** As it stands for requests of many addresses. */
    public RefusedRequest ofManyAddresses() {
        return new RefusedRequest(at, new Actor(by.who(), "other addresses"), what, object, status);
    }
}
