package dev.assay.activities.worker;

import dev.assay.workflows.NamePrefix;

/**
 * The build of a worker and its treatment by Temporal.
 *
 * @param prefix of the installation's names in Temporal
 * @param id the same for the same workflow code, and another one for any other
 * @param versioned whether Temporal binds runs to builds; where it cannot, any build goes on with any run
 */
public record WorkerBuild(NamePrefix prefix, String id, boolean versioned) {

    /** For workers that nothing tells apart. */
    static final WorkerBuild UNNAMED = new WorkerBuild(NamePrefix.NONE, "development", false);

    private static final String DEPLOYMENT = "assay";

    /** Temporal's name of the workers of all builds of an installation together. */
    public static String deployment(NamePrefix prefix) {
        return prefix.on(DEPLOYMENT);
    }
}
