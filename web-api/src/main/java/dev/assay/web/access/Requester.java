package dev.assay.web.access;

import dev.assay.domain.error.AssayException;
import dev.assay.store.campaign.SubmissionOrigin;
import dev.assay.web.IdempotencyKey;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** Says who sends a request: the owner of its token, else what the server calls clients that need none. */
@Singleton
public final class Requester {

    private final String nobody;

    Requester(AccessSettings settings) {
        this.nobody = settings.nobody();
    }

    /**
     * The sender of a submission.
     *
     * @param idempotencyKey as it was sent; null: none
     * @throws AssayException INVALID_INPUT when the key is none
     */
    public SubmissionOrigin origin(HttpRequest<?> request, @Nullable String idempotencyKey) {
        return new SubmissionOrigin(name(request), IdempotencyKey.checked(idempotencyKey));
    }

    /** The sender of a request. */
    public String name(HttpRequest<?> request) {
        return request.getUserPrincipal().map(Principal::getName).orElse(nobody);
    }
}
