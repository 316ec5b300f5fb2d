package dev.assay.activities.isolation;

import dev.assay.activities.container.Containers;
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
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The levels at which this worker starts programs. */
public final class ProgramIsolation {

    /** The version of Landlock that closes signals. */
    private static final int SIGNALS = 6;

    private final IsolationRules rules;
    private final ProgramLevels levels;
    private final @Nullable Machine machine;

    /**
     * The worker's place.
     *
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
        ProgramLevels asked = ProgramLevels.asked(rules, settings);
        if (place == null) {
            this.machine = null;
            this.levels = asked;
            return;
        }
        boolean wanted = asked.wants();
        OwnPorts ports = rules.portsOpen() ? OwnPorts.NONE : place.ports();
        Map<String, String> lackingImages = new HashMap<>();
        this.machine = new Machine(
                new ReadablePaths(place.environment(), wanted ? place.data() : null),
                new PortWall(ports),
                PortFilter.isPossible() ? new PortFilter() : null,
                OtherUser.isPossible() ? new AgentUsers(place.environment(), users()) : null,
                ControlGroups.find(Path.of("/proc/self")),
                containers(asked.images(), place.environment(), ports, lackingImages));
        String lacking = wanted ? lacking(asked, place) : "it was not asked for";
        tryImages(asked.images(), place, lackingImages);
        this.levels = asked.without(lacking, lackingImages);
    }

    /** Null: there are none, for a reason that is noted for each of {@code images}. */
    private @Nullable Containers containers(
            Set<String> images, Map<String, String> environment, OwnPorts ports, Map<String, String> lacking) {
        try {
            return images.isEmpty() ? null : Containers.of(rules.containers(), environment, ports::now);
        } catch (IOException e) {
            images.forEach(image -> lacking.put(image, String.valueOf(e.getMessage())));
            return null;
        }
    }

    /** Notes in which images a program cannot be started, and why. */
    private void tryImages(Set<String> images, Place place, Map<String, String> lacking) throws InterruptedException {
        for (String image : images) {
            String why = lacking.containsKey(image) ? null : lackingImage(machine(), image, place);
            if (why != null) {
                lacking.put(image, why);
            }
        }
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
        return untried(IsolationRules.NONE);
    }

    /** For checks that start nothing: every program is let through, and may be in an image that {@code rules} name for it. */
    public static ProgramIsolation untried(IsolationRules rules) {
        try {
            return new ProgramIsolation(rules.withoutLevels(), IsolationSettings.OWN, null);
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

    /** Why the best level without an image cannot be had; null: it can. */
    private @Nullable String lacking(ProgramLevels asked, Place place) throws IOException, InterruptedException {
        boolean isRoot = OtherUser.isRoot();
        if (isRoot && !OtherUser.isPossible()) {
            return "a worker that is root starts programs as other users on x86-64 and AArch64 only";
        }
        if (!isRoot && Landlock.version() == 0) {
            return "Landlock is missing (Linux 5.13 or newer has it)";
        }
        for (IsolationRules.Program program : rules.programs()) {
            if (asked.wanted(program) != IsolationLevel.NONE) {
                machine().readable().of(program.agent().program(), program.readable());
            }
        }
        return IsolationProbe.failure(
                (id, directory) -> machine()
                        .begin(
                                asked.best(),
                                id,
                                directory,
                                machine().readable().of("/bin/sh", List.of()),
                                AttemptLimits.DEFAULT),
                Path.of(System.getProperty("java.io.tmpdir")),
                place.data(),
                isRoot || Landlock.version() >= SIGNALS);
    }

    /** Why no program can run in {@code image}; null: it can. */
    private static @Nullable String lackingImage(Machine machine, String image, Place place)
            throws InterruptedException {
        Containers containers = machine.containers();
        try {
            if (containers != null) {
                containers.require(image);
            }
        } catch (IOException e) {
            return e.getMessage();
        }
        // Where attempts lie: a daemon may have another view of the files than this worker.
        Path data = place.data();
        return IsolationProbe.failureInContainer(
                (id, directory) -> machine.beginContainer(id, directory, image, AttemptLimits.DEFAULT, true),
                OtherUser.isRoot() || data == null || !Files.isDirectory(data)
                        ? Path.of(System.getProperty("java.io.tmpdir"))
                        : data,
                data);
    }

    private Machine machine() {
        if (machine == null) {
            throw new IllegalStateException("This isolation starts nothing");
        }
        return machine;
    }

    /** The level of programs without rules of their own. */
    public IsolationLevel level() {
        return levels.level(null);
    }

    /** Why some program runs in no container though an image is named for it; null: there is none such. */
    public @Nullable String lowered() {
        return levels.lowered();
    }

    /** Whether limits of memory, processes and processors are held. */
    public boolean holdsLimits() {
        return level() == IsolationLevel.CONTAINER || (machine != null && machine.groups() != null);
    }

    /** Whether some program becomes another user, who must reach its directory. */
    public boolean usesOtherUsers() {
        return OtherUser.isRoot() && (levels.hasBest() || (machine != null && machine.containers() != null));
    }

    /** Whether programs with {@code agent}'s rules come from an image, not from this machine. */
    public boolean isInImage(ToolPolicy.AllowedAgent agent) {
        return isInImage(rulesOf(agent));
    }

    /** Whether {@code command} comes from an image, not from this machine. */
    public boolean isInImage(AgentCommand command) {
        return isInImage(rulesOf(command));
    }

    private boolean isInImage(IsolationRules.@Nullable Program program) {
        return machine == null ? rules.image(program) != null : levels.level(program) == IsolationLevel.CONTAINER;
    }

    /** This machine's address at which {@code command} reaches it; null: loopback. */
    public @Nullable InetAddress gateway(AgentCommand command) {
        Containers containers = machine == null ? null : machine.containers();
        return containers == null || !isInImage(command) ? null : containers.gateway();
    }

    /** Why no program with {@code agent}'s rules starts, as a sentence; null: it may. */
    public @Nullable String refusal(ToolPolicy.AllowedAgent agent) {
        return levels.refusal(rulesOf(agent));
    }

    /** Why {@code command} does not start, as a sentence; null: it may. */
    public @Nullable String refusal(AgentCommand command) {
        return levels.refusal(rulesOf(command));
    }

    private IsolationRules.@Nullable Program rulesOf(ToolPolicy.AllowedAgent agent) {
        return rules.programs().stream()
                .filter(program -> program.agent().equals(agent))
                .findFirst()
                .orElse(null);
    }

    private IsolationRules.@Nullable Program rulesOf(AgentCommand command) {
        return rules.of(command).orElse(null);
    }

    /** Kills what the attempts of a worker that has died left, which had this name. */
    public void clear(String worker) throws IOException {
        if (machine == null) {
            Leftovers.killAllOf(worker);
        } else {
            machine.clear(worker, usesOtherUsers());
            if (machine.containers() == null && !levels.images().isEmpty()) {
                throw new IOException("the containers that it may have left could not be looked for");
            }
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
        return begin(new Beginning(command.program(), rulesOf(command), command.models() != null), id, directory);
    }

    /** Why no program without rules of its own starts, as a sentence; null: it may. */
    public @Nullable String refusal() {
        return levels.refusal(null);
    }

    /**
     * Begins an attempt of a program without rules of its own, as {@link #begin(AgentCommand, String, Path)}.
     *
     * @param program its first word
     */
    public Attempt begin(String program, String id, Path directory) throws IOException {
        String refusal = refusal();
        if (refusal != null) {
            throw new IOException(refusal);
        }
        return begin(new Beginning(program, null, false), id, directory);
    }

    /**
     * A program that is to begin.
     *
     * @param rules its own; null: none
     * @param asksModels whether it must reach the model proxy
     */
    private record Beginning(String program, IsolationRules.@Nullable Program rules, boolean asksModels) {}

    private Attempt begin(Beginning beginning, String id, Path directory) throws IOException {
        IsolationRules.Program program = beginning.rules();
        IsolationLevel level = levels.level(program);
        AttemptLimits limits = program == null ? AttemptLimits.DEFAULT : program.limits();
        if (machine == null) {
            return new Attempt(id, directory, Attempt.Walls.NONE, limits, null);
        }
        String image = rules.image(program);
        if (level == IsolationLevel.CONTAINER && image != null) {
            return machine.beginContainer(id, directory, image, limits, beginning.asksModels());
        }
        List<Path> readable = level == IsolationLevel.NONE
                ? List.of()
                : machine.readable().of(beginning.program(), program == null ? List.of() : program.readable());
        return machine.begin(level, id, directory, readable, limits);
    }
}
