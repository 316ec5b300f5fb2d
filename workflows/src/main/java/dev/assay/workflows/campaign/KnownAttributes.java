package dev.assay.workflows.campaign;

import dev.assay.workflows.NamePrefix;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.common.SearchAttributeUpdate;
import io.temporal.common.SearchAttributes;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.List;

/**
 * Sets the search attributes that the namespace knows. Temporal refuses the workflow task that sets one which its namespace lacks,
 * and tries that task again for ever. So the run asks first which there are, in the same task: a task that was refused asks again.
 */
final class KnownAttributes {

    /** Less than a workflow task may take. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Visibility visibility;
    private final Changes changes;
    private final NamePrefix prefix = NamePrefix.ofThisWorkflow();
    private final NamespaceActivities namespace = Workflow.newLocalActivityStub(
            NamespaceActivities.class,
            LocalActivityOptions.newBuilder()
                    .setScheduleToCloseTimeout(PATIENCE)
                    .setRetryOptions(
                            RetryOptions.newBuilder().setMaximumAttempts(1).build())
                    .build());

    private boolean begun;

    KnownAttributes(Visibility visibility, Changes changes) {
        this.visibility = visibility;
        this.changes = changes;
    }

    /** Sets the attributes of the run, once; for runs that do not ask, the process that started them did. */
    void begin(String campaignId, PlanActivities.Plan first) {
        begun = begun || !changes.letsGo() || set(CampaignAttributes.atStart(campaignId, first));
    }

    /** Sets {@code attributes}, as far as the namespace knows them. True when it knows any. */
    boolean set(List<SearchAttributeUpdate<?>> attributes) {
        if (visibility != Visibility.SEARCHABLE) {
            return false;
        }
        List<String> known = changes.letsGo() ? known() : CampaignAttributes.OF_EARLIER_RUNS;
        SearchAttributeUpdate<?>[] updates = attributes.stream()
                .filter(update -> known.contains(update.getKey().getName()))
                .toArray(SearchAttributeUpdate<?>[]::new);
        if (updates.length > 0) {
            Workflow.upsertTypedSearchAttributes(prefix.on(updates));
        }
        return updates.length > 0;
    }

    /** Those of {@code attributes} that the namespace knows, for a workflow that this one starts. */
    SearchAttributes ofChild(List<SearchAttributeUpdate<?>> attributes) {
        SearchAttributes.Builder builder = SearchAttributes.newBuilder();
        if (visibility != Visibility.SEARCHABLE) {
            return builder.build();
        }
        List<String> known = known();
        attributes.stream()
                .filter(update -> known.contains(update.getKey().getName()))
                .forEach(update -> set(builder, prefix.on(new SearchAttributeUpdate<?>[] {update})[0]));
        return builder.build();
    }

    private static <T> void set(SearchAttributes.Builder builder, SearchAttributeUpdate<T> update) {
        update.getValue().ifPresent(value -> builder.set(update.getKey(), value));
    }

    private List<String> known() {
        try {
            return namespace.searchAttributes(prefix);
        } catch (ActivityFailure unanswered) {
            // The history records it; Temporal keeps showing the last values.
            return List.of();
        }
    }
}
