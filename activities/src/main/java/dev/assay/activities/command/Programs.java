package dev.assay.activities.command;

import dev.assay.activities.call.CellAttempt;
import dev.assay.activities.call.LedgeredClient;
import dev.assay.activities.isolation.ProgramIsolation;
import dev.assay.activities.proxy.ModelProxy;
import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.suite.Case;
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
public class Programs {

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

    /** The runner of one attempt. */
    public CommandRunner runner(AgentCommand command, CellAttempt attempt, Case suiteCase, LedgeredClient client) {
        return new CommandRunner(this, command, attempt, suiteCase, client);
    }

    @PreDestroy
    void close() {
        room.close();
    }
}
