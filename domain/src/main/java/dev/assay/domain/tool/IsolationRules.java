package dev.assay.domain.tool;

import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.isolation.AttemptLimits;
import dev.assay.domain.isolation.IsolationLevel;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The operator's rules for keeping programs apart.
 *
 * @param atLeast the level below which no program starts; null: that of the command which runs the worker
 * @param portsOpen whether programs may connect to Assay's own ports
 * @param programs what holds for single programs, the first that covers a command for it
 */
public record IsolationRules(@Nullable IsolationLevel atLeast, boolean portsOpen, List<Program> programs) {

    /** Nothing is asked. */
    public static final IsolationRules NONE = new IsolationRules(null, false, List.of());

    public IsolationRules {
        programs = List.copyOf(programs);
    }

    /** The rules of the program of {@code command}; empty: none are written for it. */
    public Optional<Program> of(AgentCommand command) {
        return programs.stream().filter(rules -> rules.agent().covers(command)).findFirst();
    }

    /**
     * The rules for one program.
     *
     * @param agent the program
     * @param level how far it is kept apart; null: as others
     * @param readable paths that it may read beside those of the system
     * @param limits what an attempt may take
     */
    public record Program(
            ToolPolicy.AllowedAgent agent,
            @Nullable IsolationLevel level,
            List<String> readable,
            AttemptLimits limits) {

        public Program {
            readable = List.copyOf(readable);
        }
    }
}
