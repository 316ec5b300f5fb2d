package dev.assay.workflows.campaign;

import dev.assay.workflows.Inbox;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.TimerOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the campaign in PostgreSQL from time to time and shows its progress in Temporal. An observation costs about a dozen
 * events of history, so the looks become rarer: after 2 s, 4 s, 8 s …, then once a minute. While nothing changes Temporal repeats a
 * look and adds nothing to the history. An observation that fails never holds the campaign up.
 */
final class Observer {

    static final Duration FIRST = Duration.ofSeconds(2);
    static final Duration SLOWEST = Duration.ofMinutes(1);

    private static final TimerOptions NEXT_LOOK =
            TimerOptions.newBuilder().setSummary("next look at the progress").build();

    private final String campaignId;
    private final Visibility visibility;
    private final Inbox inbox;
    private final Runnable changed;
    private final PlanActivities activities = Workflow.newActivityStub(PlanActivities.class, PlanOptions.observation());
    private final PlanActivities changes = Workflow.newActivityStub(PlanActivities.class, PlanOptions.change(SLOWEST));
    private final KnownAttributes attributes;

    private Duration next = FIRST;
    private boolean watching;
    private @Nullable Observation latest;
    private CampaignAttributes.@Nullable Counters shown;

    /**
     * Sees nothing yet.
     *
     * @param attributes set by what it sees
     * @param changed told of each, by the inbox
     */
    Observer(CampaignRun run, KnownAttributes attributes, Inbox inbox, Runnable changed) {
        this.campaignId = run.campaignId();
        this.visibility = run.visibility();
        this.attributes = attributes;
        this.inbox = inbox;
        this.changed = changed;
    }

    /** The latest observation; null before the first. */
    @Nullable
    Observation latest() {
        return latest;
    }

    /** Looks from time to time for as long as the inbox is emptied. */
    void watch() {
        if (visibility == Visibility.PLAIN || watching) {
            return;
        }
        watching = true;
        // Left to fire, whatever happens meanwhile: see WakeUps.
        Workflow.newDetachedCancellationScope(
                        () -> Workflow.newTimer(next, NEXT_LOOK).thenApply(fired -> {
                            inbox.post(this::look);
                            return true;
                        }))
                .run();
    }

    private void look() {
        Promise<Observation> answer =
                Async.function(changes::observe, campaignId, latest == null ? null : latest.mark());
        answer.handle((value, failure) -> {
            inbox.post(() -> {
                if (failure == null) {
                    note(answer.get());
                }
                Duration doubled = next.multipliedBy(2);
                next = doubled.compareTo(SLOWEST) < 0 ? doubled : SLOWEST;
                watching = false;
                watch();
            });
            return value;
        });
    }

    /** Looks now and waits for the answer: the campaign is about to wait or to end. */
    void lookNow() {
        if (visibility == Visibility.PLAIN) {
            return;
        }
        try {
            note(activities.observe(campaignId, null));
        } catch (ActivityFailure unanswered) {
            // The history records it; Temporal keeps showing the last observation.
            return;
        }
    }

    private void note(Observation observation) {
        latest = observation;
        CampaignAttributes.Counters counters = CampaignAttributes.Counters.of(observation);
        if (!counters.equals(shown) && attributes.set(counters.updates())) {
            shown = counters;
        }
        changed.run();
    }
}
