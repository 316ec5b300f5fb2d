package dev.assay.domain.error;

/**
 * The codes of all errors, classified once.
 *
 * <p>The constant's name is the stable {@code code} of problem documents, outcomes, ledger rows, failure types and metric
 * tags; it never changes once released.
 */
public enum ErrorCode {
    /** Input that a user can correct: a campaign file, a request body, a parameter. */
    INVALID_INPUT(Kind.USER, false, 422),
    /** A body that is not JSON or YAML at all. */
    MALFORMED_INPUT(Kind.USER, false, 400),
    /** No such campaign, suite, case, outcome … */
    NOT_FOUND(Kind.USER, false, 404),
    /** The request needs a token, and has none that is valid. */
    UNAUTHENTICATED(Kind.USER, false, 401),
    /** The token does not allow it, or the request comes from a page of another site. */
    FORBIDDEN(Kind.USER, false, 403),
    /** The campaign's state does not allow the request. */
    CONFLICT(Kind.USER, false, 409),
    /** A media type that the endpoint does not read. */
    UNSUPPORTED_MEDIA_TYPE(Kind.USER, false, 415),
    /** No media type that the client accepts is one that the endpoint writes. */
    NOT_ACCEPTABLE(Kind.USER, false, 406),
    /** A method that the address does not know. */
    METHOD_NOT_ALLOWED(Kind.USER, false, 405),
    /** A body larger than the server takes. */
    BODY_TOO_LARGE(Kind.USER, false, 413),
    /** More streams of events than one address may have open. */
    TOO_MANY_STREAMS(Kind.USER, true, 429),

    /** The provider refused the request as malformed (400, 404, 422). */
    PROVIDER_REJECTED(Kind.MODEL, false, 502),
    /** The provider refused the key (401, 403). */
    PROVIDER_AUTH(Kind.MODEL, false, 502),
    /** The request is larger than the model's context window. */
    CONTEXT_TOO_LONG(Kind.MODEL, false, 502),
    /** Too many requests (429); a Retry-After is honoured. */
    PROVIDER_RATE_LIMITED(Kind.MODEL, true, 503),
    /** The provider failed or is overloaded (408, 409, 425, 5xx, 529). */
    PROVIDER_UNAVAILABLE(Kind.MODEL, true, 503),
    /** The connection failed, was dropped or gave an answer that cannot be read. */
    PROVIDER_CONNECTION(Kind.MODEL, true, 503),
    /** The provider did not answer in time. */
    PROVIDER_TIMEOUT(Kind.MODEL, true, 504),
    /** The batches of the provider ended before it reached the request. */
    BATCH_EXPIRED(Kind.MODEL, true, 504),
    /** The provider refused the batch that the request was in. */
    BATCH_REFUSED(Kind.MODEL, false, 502),
    /** The system under test answered, and its answer does not have the form that the branch states. */
    ANSWER_UNUSABLE(Kind.MODEL, true, 502),
    /** A replay has no recorded answer to what was asked. */
    NO_RECORDED_ANSWER(Kind.MODEL, false, 502),

    /** An input filter of the branch refused the user's input; nothing was sent. */
    INPUT_REJECTED(Kind.USER, false, 422),
    /** The worker does not allow a tool of the branch. */
    TOOL_NOT_ALLOWED(Kind.USER, false, 422),
    /** A server of tools (MCP) does not answer, or its tools cannot be used. */
    TOOL_UNAVAILABLE(Kind.RESOURCE, true, 503),

    /** No worker may start the program of a branch, or has it. */
    EVAL_AGENT_UNAVAILABLE(Kind.USER, false, 422),
    /** No worker may run the own code of a campaign, or can. */
    EVAL_CODE_UNAVAILABLE(Kind.USER, false, 422),
    /** The system starts no further process. */
    EVAL_PARALLEL_EXHAUSTION(Kind.RESOURCE, true, 503),
    /** Another tool, whose results were imported, had an error. */
    IMPORTED_ERROR(Kind.MODEL, false, 502),
    /** The program of a branch could not start, or a signal ended it. */
    AGENT_FAILED(Kind.MODEL, false, 502),
    /** Own code that says what a branch is asked raised, did not run, or returned what cannot be sent. */
    CODE_FAILED(Kind.MODEL, false, 502),
    /** The time of the program of a branch ran out. */
    EVAL_CASE_TIMEOUT(Kind.LIMIT, false, 504),

    /** Workers died while they ran the cell, again when it ran alone: it is not given to another one. */
    WORKER_LOST(Kind.RESOURCE, false, 503),
    /** The cell's own {@code timeoutSeconds} ran out. */
    CELL_TIMED_OUT(Kind.LIMIT, false, 504),
    /** A limit of the branch (turns, tokens, time, cost) ended the loop. */
    BRANCH_LIMIT(Kind.LIMIT, false, 500),
    /** The campaign's budget does not cover the call. */
    BUDGET_EXCEEDED(Kind.LIMIT, false, 409),
    /** No branch of an evaluation completed. */
    ALL_BRANCHES_FAILED(Kind.MODEL, false, 502),
    /** The campaign was cancelled, paused or restarted while the call ran. */
    CANCELLED(Kind.LIMIT, false, 409),

    /** PostgreSQL or Temporal does not answer. */
    STORE_UNAVAILABLE(Kind.RESOURCE, true, 503),
    /** The bodies that are being read take all the memory there is for them. */
    SERVER_BUSY(Kind.RESOURCE, true, 503),
    /** No worker is alive that could run a campaign. */
    NO_WORKER(Kind.RESOURCE, true, 503),
    /** A defect of Assay itself. */
    INTERNAL(Kind.INTERNAL, false, 500);

    /** The party that an error concerns. */
    public enum Kind {
        /** The user can correct the input. */
        USER,
        /** A model or its provider. */
        MODEL,
        /** A limit that the user set. */
        LIMIT,
        /** A resource of the installation. */
        RESOURCE,
        /** A defect of Assay. */
        INTERNAL
    }

    private final Kind kind;
    private final boolean retryable;
    private final int httpStatus;

    ErrorCode(Kind kind, boolean retryable, int httpStatus) {
        this.kind = kind;
        this.retryable = retryable;
        this.httpStatus = httpStatus;
    }

    public Kind kind() {
        return kind;
    }

    /**
     * Whether the provider gave no answer: it limits the rate of requests, is not available or cannot be reached. A cell that ends
     * so says nothing of the model.
     */
    public boolean isOfProvider() {
        return switch (this) {
            case PROVIDER_RATE_LIMITED, PROVIDER_UNAVAILABLE, PROVIDER_CONNECTION, PROVIDER_TIMEOUT, BATCH_EXPIRED ->
                true;
            default -> false;
        };
    }

    /** Whether the same request may succeed later. */
    public boolean retryable() {
        return retryable;
    }

    /** The status of a problem document with this code. */
    public int httpStatus() {
        return httpStatus;
    }
}
