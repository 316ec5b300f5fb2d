package dev.assay.domain.delivery;

/** What became of one request of a provider batch. */
public enum LineEnd {
    /** The model answered. */
    ANSWERED,
    /** The request is refused for good. */
    REFUSED,
    /** The key is refused, or may not do this; {@link DeliveredLine#refusesKey} tells the two apart. */
    AUTH,
    /** It failed, and another try may not. */
    RETRY,
    /** The provider's time ran out before it was asked. */
    EXPIRED,
    /** The batch was cancelled before it was asked. */
    CANCELED,
    /** Its line cannot be read, and is as none. */
    UNREADABLE,
    /** Complete result files have no line of it. */
    MISSING;

    /** The end of a request that was answered with an HTTP status. */
    static LineEnd ofStatus(int status) {
        return switch (status) {
            case 400, 404, 413, 422 -> REFUSED;
            case 401, 403 -> AUTH;
            default -> status >= 200 && status < 300 ? ANSWERED : RETRY;
        };
    }

    /** The end of a request that Anthropic answered with an error of this type. */
    static LineEnd ofWord(String word) {
        return switch (word) {
            case "invalid_request_error", "not_found_error", "request_too_large" -> REFUSED;
            case "authentication_error", "permission_error", "billing_error" -> AUTH;
            default -> RETRY;
        };
    }
}
