package dev.assay.activities.isolation;

import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.isolation.AttemptLimits;
import dev.assay.domain.isolation.IsolationLevel;
import dev.assay.domain.tool.IsolationRules;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.work.confine.Landlock;
import dev.assay.work.confine.OtherUser;
import dev.assay.work.confine.PortFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The levels at which this worker starts programs. */
public final class ProgramIsolation {

    /** The version of Landlock that closes signals. */
    private static final int SIGNALS = 6;

    private final IsolationRules rules;
    private final IsolationSettings settings;
    private final IsolationLevel best = OtherUser.isRoot() ? IsolationLevel.USER : IsolationLevel.CONFINED;
    private final @Nullable Machine machine;

    /** Why {@link #best} cannot be had; null: it can. */
    private final @Nullable String lacking;

    /**
     * The worker's place.
     *
     * @param environment of this process
     * @param data the directory that stays closed; null: there is none
     * @param ports that stay closed
     */
    public record Place(
            Map<String, String> environment, @Nullable Path data, OwnPorts ports) {}

    /** The beginning of an attempt. */
    @FunctionalInterface
    interface Starter {
        Attempt begin(String id, Path directory) throws IOException;
    }

    private ProgramIsolation(IsolationRules rules, IsolationSettings settings, @Nullable Place place)
            throws IOException, InterruptedException {
        this.rules = rules;
        this.settings = settings;
        if (place == null) {
            this.machine = null;
            this.lacking = "nothing was tried";
            return;
        }
        boolean wanted = wants();
        this.machine = new Machine(
                wanted
                        ? new ReadablePaths(place.environment(), place.data())
                        : new ReadablePaths(place.environment(), null),
                new PortWall(rules.portsOpen() ? OwnPorts.NONE : place.ports()),
                PortFilter.isPossible() ? new PortFilter() : null,
                OtherUser.isPossible() ? new AgentUsers(place.environment(), users()) : null,
                ControlGroups.find(Path.of("/proc/self")));
        this.lacking = wanted ? lacking(place) : "it was not asked for";
    }

    /**
     * Finds out which levels this machine has, by starting a program at the highest one.
     *
     * @throws AssayException INVALID_INPUT when what programs may read opens the data directory
     */
    public static ProgramIsolation of(IsolationRules rules, IsolationSettings settings, Place place) {
        try {
            return new ProgramIsolation(rules, settings, place);
        } catch (IOException e) {
            throw new AssayException(ErrorCode.INVALID_INPUT, String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssayException(ErrorCode.CANCELLED, "Interrupted while levels of isolation were tried", e);
        }
    }

    /** Every program at level none, as the user's own. */
    public static ProgramIsolation none() {
        try {
            return new ProgramIsolation(IsolationRules.NONE, IsolationSettings.OWN, null);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("Nothing was started", e);
        }
    }

    /** The directory of all workers of this user on this machine, where they have none of their own. */
    public static Path shared() {
        return Path.of(System.getProperty("java.io.tmpdir"), "assay-agents-" + System.getProperty("user.name"));
    }

    /** Where workers of root agree on users: one place for all of a machine, also where each has a /tmp of its own. */
    private static Path users() {
        Path run = Path.of("/run");
        return Files.isWritable(run) ? run.resolve("assay-agents") : shared();
    }

    /** Whether some program is to start at another level than none: one that the file names, or one that only the command knows. */
    private boolean wants() {
        boolean usual = settings.asked() != null
                || !settings.highest()
                || rules.programs().isEmpty()
                || rules.programs().stream().anyMatch(program -> program.level() == null);
        return (usual && wanted(null) != IsolationLevel.NONE)
                || rules.programs().stream().anyMatch(program -> wanted(program) != IsolationLevel.NONE);
    }

    /** Why the best level cannot be had; null: it can. */
    private @Nullable String lacking(Place place) throws IOException, InterruptedException {
        boolean isRoot = OtherUser.isRoot();
        if (isRoot && !OtherUser.isPossible()) {
            return "a worker that is root starts programs as other users on x86-64 and AArch64 only";
        }
        if (!isRoot && Landlock.version() == 0) {
            return "Landlock is missing (Linux 5.13 or newer has it)";
        }
        for (IsolationRules.Program program : rules.programs()) {
            if (wanted(program) != IsolationLevel.NONE) {
                machine().readable().of(program.agent().program(), program.readable());
            }
        }
        return IsolationProbe.failure(
                (id, directory) -> machine()
                        .begin(
                                best,
                                id,
                                directory,
                                machine().readable().of("/bin/sh", List.of()),
                                AttemptLimits.DEFAULT),
                Path.of(System.getProperty("java.io.tmpdir")),
                place.data(),
                isRoot || Landlock.version() >= SIGNALS);
    }

    private Machine machine() {
        if (machine == null) {
            throw new IllegalStateException("This isolation starts nothing");
        }
        return machine;
    }

    private IsolationLevel atLeast() {
        return rules.atLeast() == null ? settings.atLeast() : rules.atLeast();
    }

    /** The level that is to be had for a program with {@code program}'s rules; null: for one without. */
    private IsolationLevel wanted(IsolationRules.@Nullable Program program) {
        if (program != null && program.level() != null) {
            return program.level();
        }
        if (settings.asked() != null) {
            return settings.asked();
        }
        if (!settings.highest()) {
            return rules.atLeast() == null ? IsolationLevel.NONE : rules.atLeast();
        }
        return best;
    }

    /** The level below which a program does not start. */
    private IsolationLevel required(IsolationRules.@Nullable Program program) {
        IsolationLevel own = program == null ? null : program.level();
        IsolationLevel asked = own == null ? settings.asked() : own;
        return asked == null || atLeast().isAtLeast(asked) ? atLeast() : asked;
    }

    private IsolationLevel level(IsolationRules.@Nullable Program program) {
        return wanted(program) == IsolationLevel.NONE || lacking != null ? IsolationLevel.NONE : best;
    }

    /** The level of programs without rules of their own. */
    public IsolationLevel level() {
        return level(null);
    }

    /** Whether limits of memory, processes and processors are held. */
    public boolean holdsLimits() {
        return machine != null && machine.groups() != null;
    }

    /** Whether some program becomes another user, who must reach its directory. */
    public boolean usesOtherUsers() {
        return best == IsolationLevel.USER && lacking == null;
    }

    /** Why no program with {@code agent}'s rules starts, as a sentence; null: it may. */
    public @Nullable String refusal(ToolPolicy.AllowedAgent agent) {
        return refusal(rules.programs().stream()
                .filter(program -> program.agent().equals(agent))
                .findFirst());
    }

    /** Why {@code command} does not start, as a sentence; null: it may. */
    public @Nullable String refusal(AgentCommand command) {
        return refusal(rules.of(command));
    }

    private @Nullable String refusal(Optional<IsolationRules.Program> found) {
        IsolationRules.Program program = found.orElse(null);
        IsolationLevel level = level(program);
        IsolationLevel required = required(program);
        if (level.isAtLeast(required)) {
            return null;
        }
        boolean written = rules.atLeast() != null
                || settings.asked() != null
                || found.map(IsolationRules.Program::level).isPresent();
        return "Programs run at level " + level.word() + " here, and "
                + (written ? "the operator asks for " : "whoever lets others submit needs ") + required.word() + ": "
                + (wanted(program) == IsolationLevel.NONE ? "none was asked for, too" : why())
                + (written ? "." : "; `isolation: {atLeast: none}` in tools.yaml allows it.");
    }

    private String why() {
        return lacking == null ? "only a worker that is root starts programs as other users" : lacking;
    }

    /** Kills what the attempts of a worker that has died left, which had this name. */
    public void clear(String worker) throws IOException {
        if (machine == null) {
            Leftovers.killAllOf(worker);
        } else {
            machine.clear(worker, usesOtherUsers());
        }
    }

    /**
     * Begins an attempt of {@code command}.
     *
     * @param id unique on this machine
     * @param directory its own, with all that it begins with
     * @throws IOException when its walls cannot be made, or it must not start
     */
    public Attempt begin(AgentCommand command, String id, Path directory) throws IOException {
        String refusal = refusal(command);
        if (refusal != null) {
            throw new IOException(refusal);
        }
        IsolationRules.Program program = rules.of(command).orElse(null);
        IsolationLevel level = level(program);
        AttemptLimits limits = program == null ? AttemptLimits.DEFAULT : program.limits();
        if (machine == null) {
            return new Attempt(id, directory, Attempt.Walls.NONE, limits, null);
        }
        List<Path> readable = level == IsolationLevel.NONE
                ? List.of()
                : machine.readable().of(command.program(), program == null ? List.of() : program.readable());
        return machine.begin(level, id, directory, readable, limits);
    }
}
