package dev.assay.activities.command;

import dev.assay.activities.agent.AgentRunner;
import dev.assay.activities.call.RunnableKind;
import dev.assay.activities.isolation.ProgramIsolation;
import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.proxy.ModelProxy;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.error.ErrorCode;
import dev.assay.store.provider.ProviderQueries;
import dev.assay.store.workspace.WorkspaceRepository;
import dev.assay.work.secret.SecretVariables;
import io.micronaut.context.annotation.Value;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The programs of branches, with their dependencies. */
@Singleton
public class Programs implements RunnableKind<Agent.Command> {

    final AgentPermission permission;
    final ProgramIsolation isolation;
    final AgentRoom room;
    final WorkspaceCache workspaces;
    final ProviderQueries workers;
    final ModelProxy proxy;
    final SecretVariables variables = SecretVariables.ofProcess();

    private static final int GIBIBYTE = 30;

    /**
     * @param data the directory of this installation on this machine; null: temporary files lie elsewhere
     * @param cacheGb GiB that unpacked workspaces may take, at least 1
     */
    public Programs(
            AgentPermission permission,
            ProgramIsolation isolation,
            WorkspaceRepository workspaces,
            ProviderQueries workers,
            ModelProxy proxy,
            @Nullable @Value("${assay.data:}") String data,
            @Value("${assay.workspaces.cache-gb:10}") long cacheGb) {
        this.permission = permission;
        this.isolation = isolation;
        // The data directory lets no other user through.
        this.room = new AgentRoom(isolation.usesOtherUsers() ? ProgramIsolation.shared() : base(data), isolation);
        this.workspaces = new WorkspaceCache(workspaces, room, cacheGb << GIBIBYTE);
        this.workers = workers;
        this.proxy = proxy;
    }

    private static Path base(@Nullable String data) {
        return data == null || data.isEmpty()
                ? ProgramIsolation.shared()
                : Path.of(data).resolve("agents");
    }

    /** Deletes the files of workers that were killed. */
    @PostConstruct
    void clear() {
        room.clear();
    }

    @Override
    public Class<Agent.Command> type() {
        return Agent.Command.class;
    }

    /** A program asks its models itself. */
    @Override
    public ModelClient client(Agent.Command agent, Asking asking) {
        return _ -> {
            throw new ModelException(ErrorCode.INTERNAL, "A program is run, not asked.", null, null);
        };
    }

    @Override
    public AgentRunner runner(Agent.Command agent, Running running, AgentRunner loop) {
        return new CommandRunner(this, agent.command(), running.attempt(), running.suiteCase(), running.client());
    }

    @PreDestroy
    void close() {
        room.close();
    }
}
