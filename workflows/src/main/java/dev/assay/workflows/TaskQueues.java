package dev.assay.workflows;

/** Names of the task queues. They are persisted in Temporal, there with the {@link NamePrefix}, and never change. */
public final class TaskQueues {

    /** Workflows, planning, and selections by rules of Assay itself. */
    public static final String ORCHESTRATION = "assay";

    /** The same for evaluations: it has workers' slots of its own, which no campaigns fill. */
    public static final String EVALUATIONS = "assay-evaluations";

    private static final String PROVIDER_PREFIX = "assay-provider-";
    private static final String EVALUATION_PREFIX = "assay-evaluation-";
    private static final String STRATEGY_PREFIX = "assay-strategy-";

    private static final String CODE_PREFIX = "assay-code-";

    private TaskQueues() {}

    /** The queue of the selections that need own code in {@code language}: workers that may run it poll it. */
    public static String code(String language) {
        return CODE_PREFIX + language;
    }

    /** Whether workflows run on {@code queue}. */
    public static boolean isOfWorkflows(String queue) {
        return queue.equals(ORCHESTRATION) || queue.equals(EVALUATIONS);
    }

    /** The queue of the activities that ask {@code provider}. */
    public static String provider(String provider) {
        return PROVIDER_PREFIX + provider;
    }

    /** The queue of the activities that ask {@code provider} for an evaluation: it has workers' slots of its own. */
    public static String evaluation(String provider) {
        return EVALUATION_PREFIX + provider;
    }

    /** The queue of the selections by the custom strategy {@code name}: workers that have its plugin poll it. */
    public static String strategy(String name) {
        return STRATEGY_PREFIX + name;
    }

    /** Whether activities on {@code queue} ask a model. */
    public static boolean asksModel(String queue) {
        return queue.startsWith(PROVIDER_PREFIX) || queue.startsWith(EVALUATION_PREFIX);
    }
}
