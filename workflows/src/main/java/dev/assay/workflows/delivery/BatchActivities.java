package dev.assay.workflows.delivery;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The activities by which cells go out in provider batches and come back. Ids and counters only. Runs on queues of providers. */
@ActivityInterface
public interface BatchActivities {

    /** Puts open cells of a campaign into new batches. */
    @ActivityMethod(name = "enlist")
    Enlisted enlist(EnlistRequest request);

    /** Takes the next step of a batch, by its state in PostgreSQL. */
    @ActivityMethod(name = "advanceBatch")
    Step advance(String batchId);

    /**
     * The cells that are wanted.
     *
     * @param provider whom they ask
     * @param model which they ask
     * @param kind the word of their kind; null in requests that are older than the field: branches
     */
    record EnlistRequest(
            String campaignId,
            int epoch,
            String provider,
            String model,
            String queue,
            @Nullable String kind) {}

    /**
     * What was enlisted.
     *
     * @param batches ids of the new batches
     * @param planAgain whether cells may be asked live now that could not before
     * @param retryAfterMs when to try again; 0: when a batch has ended
     */
    record Enlisted(List<String> batches, boolean planAgain, long retryAfterMs) {

        public Enlisted {
            batches = List.copyOf(batches);
        }
    }

    /**
     * The state of a batch after a step.
     *
     * @param done whether nothing is out in it any more
     * @param waitMs before the next step
     * @param text what it is at, for people
     */
    record Step(boolean done, long waitMs, String text) {}
}
