package dev.assay.domain.health;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The health of a campaign: whether it makes progress, and what holds it up.
 *
 * @param status the worst of its reasons; OK without any
 * @param reasons what holds cells up, the most urgent first
 */
public record CampaignHealth(Status status, List<Reason> reasons) {

    public CampaignHealth {
        reasons = List.copyOf(reasons);
    }

    /** From good to bad. */
    public enum Status {
        /** It goes on, or it has ended; reasons then only say what bounds its speed or what was left out. */
        OK,
        /** Hardly anything is in flight. It goes on by itself, or when the user who paused it resumes it. */
        WAITING,
        /** It does not go on without a person's action. */
        STALLED
    }

    /** The cause that holds cells up. The names are part of the API and never change. */
    public enum Code {
        /** It could not go on and has ended. */
        FAILED,
        /** An operator cancelled or terminated its workflow in Temporal. */
        ENDED_IN_TEMPORAL,
        /** Temporal does not answer. */
        ENGINE_UNREACHABLE,
        /** A task of the campaign's workflow fails again and again, for a defect of the workers' build. */
        WORKFLOW_BLOCKED,
        /** PostgreSQL refuses the campaign's rows; or, with the status OK, it refused answers that were paid. */
        STORE_REFUSES,
        /** PostgreSQL is read only. */
        STORE_READ_ONLY,
        /** No worker is alive. */
        NO_WORKER,
        /** Workers are alive, but none can ask a provider that the campaign names, or all of its judges. */
        NO_WORKER_FOR_PROVIDER,
        /** Cells are open, no call has begun for half a minute, and none of the other codes applies. */
        NOT_STARTING,
        /** The same for a minute: cells are open, no call is in flight, and none of the other codes applies. */
        NO_PROGRESS,
        /** Temporal knows no running workflow of the campaign. */
        WORKFLOW_MISSING,
        /** A user paused it. */
        PAUSED,
        /** A provider does not answer, or refuses its key: its cells wait, and it is probed. Beside PAUSED: Assay paused the campaign for it. */
        PROVIDER_DOWN,
        /** Some workers get no answer from a provider that answers others. */
        WORKER_CUT_OFF,
        /** Some workers have a key that a provider refuses, and others have another one. */
        WORKER_KEY,
        /** A key that the campaign could use is disabled, and another one goes on. */
        PROVIDER_KEY,
        /** A provider answered 429; its Retry-After is honoured. */
        RATE_LIMIT,
        /** Attempts failed otherwise and are made again after a back-off. */
        RETRY,
        /** The rest of the budget is reserved by calls in flight, or it is spent. */
        BUDGET,
        /** Calls wait for units of a limit of a provider. */
        PROVIDER_LIMIT,
        /** Cells are to go out in batches of a provider, and a worker of an earlier build runs that does not know these. */
        BATCH_WORKERS,
        /** Cells are out in a batch of a provider, which answers within a day. */
        BATCH_OUT,
        /** Nobody knows whether a provider accepted a batch: nothing is submitted until that is sure. */
        BATCH_UNCERTAIN,
        /** No key in use can see a batch that a provider accepted. */
        BATCH_UNREACHABLE,
        /** A batch has not ended an hour after its provider should have given up. */
        BATCH_LATE,
        /** All calls that a provider allows, over all campaigns, are in flight. */
        PROVIDER_PERMITS,
        /** All calls that the campaign's {@code maxConcurrent} allows are in flight. */
        CAMPAIGN_PERMITS,
        /** PostgreSQL went back to an earlier state; what the campaign spent in the lost time is unknown. */
        STORE_RESTORED,
        /** Computations of what users or models wrote took too much and were killed. */
        COMPUTE_KILLED
    }

    /**
     * One thing that holds cells up.
     *
     * @param message for people: what it is and, where a person must act, what to do
     * @param cells how many cells it holds up now; null where they cannot be counted
     * @param until when the first of them goes on; null: not known
     */
    public record Reason(
            Code code,
            String message,
            @Nullable Long cells,
            @Nullable Instant until) {}
}
