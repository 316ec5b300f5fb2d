package dev.assay.standalone.engine;

import dev.assay.workflows.NamePrefix;
import dev.assay.workflows.campaign.Visibility;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import jakarta.inject.Singleton;

/** Makes Temporal's clients from the engine that the server started. */
@Factory
@Requires(beans = TemporalEngine.class)
class TemporalBeans {

    @Singleton
    NamePrefix prefix() {
        return TemporalEngine.prefix(System.getenv());
    }

    /** The engine closes them, after everything that uses them. */
    @Singleton
    WorkflowServiceStubs stubs(TemporalEngine engine) {
        return engine.stubs();
    }

    /** The attributes that campaigns show in the engine's namespace; looked up when the first campaign is started. */
    @Singleton
    Visibility visibility(TemporalEngine engine, NamePrefix prefix) {
        return SearchAttributeSetup.ensure(engine.stubs(), engine.namespace(), prefix);
    }

    /** The one client, in the engine's namespace. */
    @Singleton
    WorkflowClient client(TemporalEngine engine) {
        return WorkflowClient.newInstance(
                engine.stubs(),
                WorkflowClientOptions.newBuilder()
                        .setNamespace(engine.namespace())
                        .build());
    }
}
