package dev.assay.activities.worker;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;

/**
 * The amount of Temporal's work that a worker takes on at once. Permits, not this, bound the calls to models.
 *
 * @param activities batches in flight of each task queue, at least 1
 * @param workflowTasks workflow tasks in flight, at least 2: one for the workflows in the cache, one for others
 * @param activityPollers requests for batches that wait at each task queue, at least 1
 * @param workflowPollers requests for workflow tasks that wait, at least 2 for the same reason
 * @param cachedWorkflows workflows in memory, at least 1; any other is replayed from its history when it goes on
 */
@ConfigurationProperties("assay.worker")
public record WorkerCapacity(
        @Bindable(defaultValue = "1000") int activities,
        @Bindable(defaultValue = "200") int workflowTasks,
        @Bindable(defaultValue = "5") int activityPollers,
        @Bindable(defaultValue = "5") int workflowPollers,
        @Bindable(defaultValue = "600") int cachedWorkflows) {}
