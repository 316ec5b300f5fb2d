package dev.assay.activities.command;

import static java.util.Objects.requireNonNull;

import dev.assay.activities.isolation.Attempt;
import dev.assay.activities.isolation.ProgramIsolation;
import dev.assay.work.archive.RefusedArchiveException;
import dev.assay.work.secret.SecretVariables;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Starts programs that stay, at the level at which this worker starts programs without rules of their own. */
@Singleton
public final class LivePrograms implements AutoCloseable {

    private final AgentRoom room;
    private final ProgramIsolation isolation;
    private final @Nullable WorkspaceCache workspaces;
    private final SecretVariables variables;

    @Inject
    LivePrograms(Programs with) {
        this(with.room, with.isolation, with.workspaces, with.variables);
    }

    /** @param workspaces null: no program has stored files */
    LivePrograms(
            AgentRoom room,
            ProgramIsolation isolation,
            @Nullable WorkspaceCache workspaces,
            SecretVariables variables) {
        this.room = room;
        this.isolation = isolation;
        this.workspaces = workspaces;
        this.variables = variables;
    }

    /**
     * A program that is to be started.
     *
     * @param words of its command, the first one the program
     * @param workspaceId of the stored files among which it works, which it may read only; null: none
     * @param env names of the worker's variables that it may see
     * @param variables that it has besides
     */
    public record Line(
            List<String> words, @Nullable String workspaceId, List<String> env, Map<String, String> variables) {

        public Line {
            words = List.copyOf(words);
            env = List.copyOf(env);
            variables = Map.copyOf(variables);
        }
    }

    /** Programs of a command that has no store: each works in a directory of the user's own, with the variables of this process. */
    public static LivePrograms ofUser(Path base) {
        ProgramIsolation none = ProgramIsolation.none();
        return new LivePrograms(new AgentRoom(base, none), none, null, SecretVariables.ofProcess());
    }

    /**
     * Starts a program; whoever has it closes it.
     *
     * @throws IOException when it cannot be started, or its files are not stored
     * @throws RefusedArchiveException when the archive of its files is not accepted
     */
    public LiveProgram start(Line line) throws IOException, RefusedArchiveException, InterruptedException {
        String workspaceId = line.workspaceId();
        if (workspaceId == null) {
            return start(line, null);
        }
        try (WorkspaceCache.@Nullable Use files = requireNonNull(workspaces).use(workspaceId)) {
            return start(line, files);
        }
    }

    /** Starts a program in {@code directory} itself; else as {@link #start(Line)}. */
    public LiveProgram startIn(Path directory, Line line)
            throws IOException, RefusedArchiveException, InterruptedException {
        return start(line, target -> Files.createSymbolicLink(target, directory.toAbsolutePath()));
    }

    private LiveProgram start(Line line, TrialDirectory.@Nullable Source files)
            throws IOException, RefusedArchiveException, InterruptedException {
        TrialDirectory directory = room.open();
        Attempt walls = null;
        try {
            directory.fill(files, null, "");
            directory.lockWork();
            directory.let(variables.environmentWith(line.env()), line.env());
            directory.put(line.variables());
            walls = isolation.begin(line.words().getFirst(), directory.id(), directory.root());
            Attempt begun = walls;
            return LiveProgram.start(walls.launch(directory.program(line.words())), directory, walls, () -> {
                begun.close();
                directory.close();
            });
        } catch (IOException | RefusedArchiveException | InterruptedException | RuntimeException e) {
            if (walls != null) {
                walls.close();
            }
            directory.close();
            throw e;
        }
    }

    /** Deletes the directories of its programs, which have ended. */
    @Override
    public void close() {
        room.close();
    }
}
