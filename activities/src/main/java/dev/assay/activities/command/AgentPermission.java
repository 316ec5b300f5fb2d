package dev.assay.activities.command;

import dev.assay.activities.isolation.ProgramIsolation;
import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.isolation.IsolationOffer;
import dev.assay.domain.tool.ToolPolicy;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The programs that this worker may start and that are installed. */
public final class AgentPermission {

    private final ToolPolicy policy;
    private final @Nullable OwnAgents own;
    private final ProgramIsolation isolation;

    /**
     * @param own programs that the command which runs this worker allows; null: none
     * @param isolation how far programs are kept apart, and which do not start for want of it
     */
    public AgentPermission(ToolPolicy policy, @Nullable OwnAgents own, ProgramIsolation isolation) {
        this.isolation = isolation;
        this.policy = policy;
        this.own = own;
    }

    /** The worker's offer to campaigns: of the programs those that are installed. */
    public ToolPolicy offered() {
        List<ToolPolicy.AllowedAgent> agents = new ArrayList<>();
        policy.agents().stream()
                .filter(agent -> isolation.isInImage(agent) || isFound(agent.program()))
                .filter(agent -> isolation.refusal(agent) == null)
                .forEach(agents::add);
        if (own != null) {
            own.commands().stream()
                    .filter(command -> isolation.isInImage(command) || isFound(command.program()))
                    .filter(command -> isolation.refusal(command) == null)
                    .map(command -> new ToolPolicy.AllowedAgent(
                            command.program(), Set.copyOf(command.env()), Set.copyOf(command.homeFiles())))
                    .forEach(agents::add);
        }
        return new ToolPolicy(
                policy.addresses(),
                policy.commands(),
                agents,
                offer(agents),
                new CodePermission(policy, own, isolation).offered());
    }

    /** Null: the worker is to start no program anyway. */
    private @Nullable IsolationOffer offer(List<ToolPolicy.AllowedAgent> offered) {
        Optional<String> refusal = Stream.concat(
                        policy.agents().stream().map(isolation::refusal),
                        own == null ? Stream.of() : own.commands().stream().map(isolation::refusal))
                .filter(Objects::nonNull)
                .findFirst();
        return offered.isEmpty() && own == null && refusal.isEmpty()
                ? null
                : new IsolationOffer(
                        isolation.level(), refusal.orElse(null), isolation.lowered(), isolation.holdsLimits());
    }

    /** Whether there is any program that the worker starts. */
    public boolean startsAny() {
        return own != null || !offered().agents().isEmpty();
    }

    /** Whether it is of a command, whose worker runs the command's own programs and code. */
    public boolean isOfCommand() {
        return own != null;
    }

    /** Whether the worker starts {@code command} for {@code campaignId}. */
    boolean allows(String campaignId, AgentCommand command) throws InterruptedException {
        return isolation.refusal(command) == null
                && (policy.allows(command) || (own != null && own.allow(campaignId, command)));
    }

    /**
     * Whether another worker may be allowed to start a program that this one may not. A command's worker runs the command's own
     * programs only.
     */
    boolean leavesToOthers() {
        return own == null;
    }

    /** Whether the system finds {@code program}; a path in the workspace is looked for by each attempt. */
    public static boolean isFound(String program) {
        return isFound(program, System.getenv());
    }

    static boolean isFound(String program, Map<String, String> environment) {
        if (program.startsWith("/")) {
            return Files.isExecutable(Path.of(program));
        }
        if (program.contains("/")) {
            return true;
        }
        String path = environment.getOrDefault("PATH", "/usr/bin:/bin");
        for (String directory : path.split(Pattern.quote(File.pathSeparator), -1)) {
            Path file = Path.of(directory.isEmpty() ? "." : directory).resolve(program);
            if (Files.isExecutable(file) && !Files.isDirectory(file)) {
                return true;
            }
        }
        return false;
    }
}
