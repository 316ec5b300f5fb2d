package dev.assay.standalone.engine;

import dev.assay.domain.error.AssayException;
import dev.assay.workflows.NamePrefix;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A Temporal service that campaigns run on. */
public sealed interface TemporalEngine extends AutoCloseable permits InProcessEngine, DevServerEngine, ExternalEngine {

    /**
     * The prefix of this installation's names there: {@code ASSAY_TEMPORAL_PREFIX}, else nothing.
     *
     * @throws AssayException INVALID_INPUT when it is no prefix
     */
    static NamePrefix prefix(Map<String, String> environment) {
        return new NamePrefix(environment.getOrDefault("ASSAY_TEMPORAL_PREFIX", ""));
    }

    /** Connected stubs; the engine closes them. */
    WorkflowServiceStubs stubs();

    /** The namespace in which campaigns run. */
    String namespace();

    /** One line for people: the engine and its guarantees. */
    String banner();

    /** {@code host:port}; null when no other process can reach it. */
    @Nullable
    String address();

    /** Base URL of its pages; null when it has none. */
    @Nullable
    String ui();

    /** Id of its process; null when it is this process or external. */
    @Nullable
    Long pid();

    @Override
    void close();
}
