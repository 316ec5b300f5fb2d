package dev.assay.activities.worker;

import dev.assay.activities.call.AgentClients;
import dev.assay.activities.call.ModelResolver;
import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.command.AgentPermission;
import dev.assay.activities.command.OwnAgents;
import dev.assay.activities.operator.OperatorFile;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.replay.CassetteSource;
import dev.assay.activities.selection.CustomStrategies;
import dev.assay.activities.system.Systems;
import dev.assay.activities.tool.Toolboxes;
import dev.assay.domain.replay.CassetteEntry;
import dev.assay.store.cassette.CassetteRepository;
import dev.assay.work.compute.Computing;
import dev.assay.work.compute.pool.ComputePool;
import dev.assay.work.compute.pool.ComputeSettings;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Beans of classes that know nothing of Micronaut. */
@Factory
class ActivityBeans {

    /** The worker's compute processes. Nothing is started before something is to be computed. */
    @Singleton
    @Bean(preDestroy = "close")
    @Requires(property = "assay.compute.own", notEquals = "false")
    ComputePool computing() {
        return new ComputePool(ComputeSettings.of(System.getenv()));
    }

    @Singleton
    WorkerIdentity workerIdentity() {
        return WorkerIdentity.create();
    }

    /** The providers of this process: built-in defaults, the environment, and the file that the command names. */
    @Singleton
    @Bean(preDestroy = "close")
    ProviderCatalog providerCatalog(OperatorSettings.Providers settings) {
        return ProviderCatalog.load(settings.file(), System.getenv());
    }

    /** The custom strategies of this process. */
    @Singleton
    @Bean(preDestroy = "close")
    CustomStrategies customStrategies(OperatorSettings.Plugins settings) {
        return CustomStrategies.load(settings.directory());
    }

    /** The limits of tools, from the file that the command names; without one, tools reach nothing beyond this process. */
    @Singleton
    @Bean(preDestroy = "close")
    Toolboxes toolboxes(OperatorSettings.Tools settings, Computing computing) {
        return new Toolboxes(OperatorFile.toolPolicy(settings.file()), System.getenv(), computing);
    }

    /** The systems under test that this process may ask. */
    @Singleton
    @Bean(preDestroy = "close")
    Systems systems(Toolboxes toolboxes, Computing computing) {
        return new Systems(toolboxes, computing);
    }

    /** The programs that this process may start: those that the operator allows, and those of the command that runs it. */
    @Singleton
    AgentPermission agentPermission(Toolboxes toolboxes, @Nullable OwnAgents own) {
        return new AgentPermission(toolboxes.policy(), own);
    }

    @Singleton
    CassetteSource cassetteSource(CassetteRepository cassettes) {
        return new CassetteSource() {
            @Override
            public Optional<CassetteEntry> find(String cassetteId, String key, int trial) {
                return cassettes.find(cassetteId, key, trial);
            }

            @Override
            public List<Integer> recordedTrials(String cassetteId, String key) {
                return cassettes.recordedTrials(cassetteId, key);
            }
        };
    }

    @Singleton
    ModelResolver models(ProviderCatalog catalog, CassetteSource cassettes, Systems systems) {
        return new ModelResolver(new AgentClients(catalog, cassettes, systems), catalog);
    }
}
