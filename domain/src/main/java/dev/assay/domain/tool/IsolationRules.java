package dev.assay.domain.tool;

import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.isolation.AttemptLimits;
import dev.assay.domain.isolation.ContainerRules;
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
public record IsolationRules(
        @Nullable IsolationLevel atLeast, boolean portsOpen, ContainerRules containers, List<Program> programs) {

    /** Nothing is asked. */
    public static final IsolationRules NONE = new IsolationRules(null, false, ContainerRules.NONE, List.of());

    public IsolationRules {
        programs = List.copyOf(programs);
    }

    /** The rules of the program of {@code command}; empty: none are written for it. */
    public Optional<Program> of(AgentCommand command) {
        return programs.stream().filter(rules -> rules.agent().covers(command)).findFirst();
    }

    /** The same, where no level is asked for. */
    public IsolationRules withoutLevels() {
        return new IsolationRules(
                null,
                portsOpen,
                containers,
                programs.stream()
                        .map(rules -> new Program(rules.agent(), null, rules.image(), rules.readable(), rules.limits()))
                        .toList());
    }

    /** The image for a program with {@code program}'s rules, or with none; null: no image is named for it. */
    public @Nullable String image(@Nullable Program program) {
        return program == null || program.image() == null ? containers.image() : program.image();
    }

    /**
     * The rules for one program.
     *
     * @param level how far it is kept apart; null: as others
     * @param image in which it runs at level container; null: that of all programs
     * @param readable paths that it may read beside those of the system
     * @param limits what an attempt may take
     */
    public record Program(
            ToolPolicy.AllowedAgent agent,
            @Nullable IsolationLevel level,
            @Nullable String image,
            List<String> readable,
            AttemptLimits limits) {

        public Program {
            readable = List.copyOf(readable);
        }
    }
}
