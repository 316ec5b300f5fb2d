package dev.assay.cli.engine;

import io.temporal.serviceclient.WorkflowServiceStubs;
import org.jspecify.annotations.Nullable;

/** A Temporal service that campaigns run on. */
public sealed interface TemporalEngine extends AutoCloseable permits InProcessEngine, DevServerEngine, ExternalEngine {

    /** Connected stubs; the engine closes them. */
    WorkflowServiceStubs stubs();

    /** The namespace in which campaigns run. */
    String namespace();

    /** One line for people: what runs and what it promises. */
    String banner();

    /** {@code host:port}; null when no other process can reach it. */
    @Nullable
    String address();

    /** Base URL of its pages; null when it has none. */
    @Nullable
    String ui();

    /** Id of its process; null when it is this process or somebody else's. */
    @Nullable
    Long pid();

    @Override
    void close();
}
