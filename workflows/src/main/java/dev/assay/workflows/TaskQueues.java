package dev.assay.workflows;

/** Names of the task queues. They are persisted in Temporal, there with the {@link NamePrefix}, and never change. */
public final class TaskQueues {

    /** Workflows, planning, and selections that ask no model. */
    public static final String ORCHESTRATION = "assay";

    private static final String PROVIDER_PREFIX = "assay-provider-";

    private TaskQueues() {}

    /** The queue of the activities that ask {@code provider}. */
    public static String provider(String provider) {
        return PROVIDER_PREFIX + provider;
    }
}
