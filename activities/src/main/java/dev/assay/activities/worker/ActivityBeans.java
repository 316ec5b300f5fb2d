package dev.assay.activities.worker;

import dev.assay.activities.call.LimitedModels;
import dev.assay.activities.call.ModelResolver;
import dev.assay.activities.call.RunnableKinds;
import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.command.AgentPermission;
import dev.assay.activities.command.CodePermission;
import dev.assay.activities.command.FoundInterpreters;
import dev.assay.activities.command.OwnAgents;
import dev.assay.activities.isolation.IsolationSettings;
import dev.assay.activities.isolation.OwnPorts;
import dev.assay.activities.isolation.ProgramIsolation;
import dev.assay.activities.metrics.IsolationMetrics;
import dev.assay.activities.operator.OperatorFile;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.proxy.ModelProxy;
import dev.assay.activities.replay.CassetteSource;
import dev.assay.activities.selection.CustomStrategies;
import dev.assay.activities.system.Systems;
import dev.assay.activities.tool.Toolboxes;
import dev.assay.domain.replay.CassetteEntry;
import dev.assay.domain.tool.CodeAllowance;
import dev.assay.domain.tool.ToolsFile;
import dev.assay.store.cassette.CassetteRepository;
import dev.assay.work.compute.Computing;
import dev.assay.work.compute.pool.ComputePool;
import dev.assay.work.compute.pool.ComputeSettings;
import dev.assay.work.secret.SecretVariables;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
        return ProviderCatalog.load(settings.file(), SecretVariables.ofProcess());
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
    Toolboxes toolboxes(ToolsFile file, Computing computing) {
        return new Toolboxes(file.policy(), SecretVariables.ofProcess(), computing);
    }

    @Singleton
    ToolsFile toolsFile(OperatorSettings.Tools settings) {
        return OperatorFile.toolsFile(settings.file());
    }

    /** The levels of this machine, which are tried where this process may start any program. */
    @Singleton
    ProgramIsolation isolation(
            ToolsFile file,
            @Nullable OwnAgents own,
            @Nullable IsolationSettings settings,
            @Nullable OwnPorts ports,
            ModelProxy proxy,
            @Nullable @Value("${assay.data:}") String data) {
        ProgramIsolation.Place place = new ProgramIsolation.Place(
                System.getenv(),
                data == null || data.isEmpty() ? null : Path.of(data),
                ports == null ? OwnPorts.NONE : () -> withoutProxy(ports.now(), proxy));
        return own == null
                        && file.policy().agents().isEmpty()
                        && file.policy().code().equals(CodeAllowance.NONE)
                ? ProgramIsolation.none()
                : ProgramIsolation.of(file.isolation(), settings == null ? IsolationSettings.OWN : settings, place);
    }

    /** The systems under test that this process may ask. */
    @Singleton
    @Bean(preDestroy = "close")
    Systems systems(Toolboxes toolboxes, Computing computing) {
        return new Systems(toolboxes, computing);
    }

    /** Programs reach the model proxy, which asks for their token. */
    private static Set<Integer> withoutProxy(Set<Integer> ports, ModelProxy proxy) {
        Set<Integer> closed = new HashSet<>(ports);
        closed.removeAll(proxy.ports());
        return closed;
    }

    /** The programs that this process may start: those that the operator allows, and those of the command that runs it. */
    @Singleton
    AgentPermission agentPermission(
            Toolboxes toolboxes, @Nullable OwnAgents own, ProgramIsolation isolation, MeterRegistry registry) {
        AgentPermission permission = new AgentPermission(toolboxes.policy(), own, isolation);
        IsolationMetrics.show(registry, permission.offered().isolation());
        return permission;
    }

    /** The own code that this process may run. */
    @Singleton
    CodePermission codePermission(Toolboxes toolboxes, @Nullable OwnAgents own, ProgramIsolation isolation) {
        return new CodePermission(toolboxes.policy(), own, isolation, FoundInterpreters.here());
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
    ModelResolver models(RunnableKinds kinds, ProviderCatalog catalog, LimitedModels limits) {
        return new ModelResolver(kinds, catalog, limits);
    }

    /** The limits that calls of this process keep. */
    @Singleton
    LimitedModels limits(ProviderCatalog catalog, Toolboxes toolboxes) {
        return new LimitedModels(catalog, toolboxes.policy());
    }
}
