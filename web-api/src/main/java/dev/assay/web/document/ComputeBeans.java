package dev.assay.web.document;

import dev.assay.work.compute.Computing;
import dev.assay.work.compute.pool.ComputePool;
import dev.assay.work.compute.pool.ComputeSettings;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;

/** The compute processes of a server, unless its process brings some. */
@Factory
class ComputeBeans {

    @Singleton
    @Bean(
            preDestroy = "close",
            typed = {Computing.class, ComputePool.class})
    @Requires(property = "assay.compute.own", notEquals = "false")
    ComputePool computing() {
        return new ComputePool(ComputeSettings.of(System.getenv()));
    }
}
