package dev.assay.activities.isolation;

import dev.assay.activities.container.Container;
import dev.assay.activities.container.Launch;
import dev.assay.domain.isolation.AttemptLimits;
import dev.assay.domain.isolation.IsolationLevel;
import dev.assay.work.confine.ConfinedStart;
import dev.assay.work.confine.Landlock;
import dev.assay.work.confine.Restriction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The isolation of one attempt: what its program is started in, may take, and leaves behind. */
public final class Attempt implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Attempt.class);

    private final String id;
    private final Walls walls;
    private final AttemptLimits limits;
    private final ControlGroups.@Nullable Group group;
    private final DiskUse disk;

    /** Whether the processes were looked for, and none is left: to look at all of a machine's takes a while. */
    private boolean gone;

    /** Whether its container was removed, or is in the hands of {@link Containers}, which tries again. */
    private boolean removed;

    /**
     * The walls of an attempt.
     *
     * @param restrictions of the thread that starts the program, in this order
     * @param files the one that belongs to this attempt alone; null: none does
     * @param user that the program becomes; null: it stays the worker's
     * @param container in which the program runs; null: in none
     */
    record Walls(
            IsolationLevel level,
            List<Restriction> restrictions,
            @Nullable Landlock files,
            AgentUsers.@Nullable Taken user,
            @Nullable Container container) {

        static final Walls NONE = new Walls(IsolationLevel.NONE, List.of(), null, null, null);

        /** Gives back what an attempt had; kills what is left of its user. */
        void giveBack() throws IOException {
            if (files != null) {
                files.close();
            }
            if (user != null) {
                user.free();
            }
        }
    }

    Attempt(String id, Path directory, Walls walls, AttemptLimits limits, ControlGroups.@Nullable Group group)
            throws IOException {
        this.id = id;
        this.walls = walls;
        this.limits = limits;
        this.group = group;
        if (walls.user() != null) {
            give(directory, walls.user().user().id());
        }
        this.disk = DiskUse.watch(directory, limits.diskMb());
    }

    /** Gives a tree to a user and to nobody else. */
    private static void give(Path directory, int user) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path below, BasicFileAttributes attributes) throws IOException {
                return visitFile(below, attributes);
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.setAttribute(file, "unix:gid", user, LinkOption.NOFOLLOW_LINKS);
                Files.setAttribute(file, "unix:uid", user, LinkOption.NOFOLLOW_LINKS);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** The name that its processes have in {@link Container#ATTEMPT}. */
    public String id() {
        return id;
    }

    public IsolationLevel level() {
        return walls.level();
    }

    /**
     * What is to be started for {@code program}.
     *
     * @throws IOException when the owner of its files cannot be read
     */
    public Launch launch(Launch.Program program) throws IOException {
        return walls.container() == null
                ? new Launch(program.line(), program.environment(), null)
                : walls.container().launch(program);
    }

    /** Whether the end of what was started means that the program never was. */
    public boolean isRefusal(int exitCode, byte[] stderr) {
        return walls.container() != null && Container.isRefusal(exitCode, new String(stderr, StandardCharsets.UTF_8));
    }

    /**
     * Starts the program, which must wait for a word.
     *
     * @throws IOException when the system starts no process, or not in the walls of this attempt
     */
    public Process start(ProcessBuilder builder) throws IOException, InterruptedException {
        Process process =
                walls.restrictions().isEmpty() ? builder.start() : ConfinedStart.start(walls.restrictions(), builder);
        try {
            if (group != null) {
                group.admit(process.pid());
            }
            return process;
        } catch (IOException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    /** MiB that its directory may take. */
    public int diskMb() {
        return limits.diskMb();
    }

    /** Whether its directory has been seen to take more than it may. */
    public boolean isOverDisk() {
        return disk.isOver();
    }

    /** Kills what the program left behind, wherever it went. */
    public void killLeft() {
        try {
            if (group != null) {
                group.kill();
            }
            if (walls.user() != null) {
                walls.user().killAll();
            } else if (group == null && !gone) {
                gone = Leftovers.kill(id);
            }
        } catch (IOException e) {
            LOG.warn("What attempt {} left running may not be killed", id, e);
        }
        // It comes last: a frozen daemon would let the program go on meanwhile.
        if (walls.container() != null && !removed) {
            removed = true;
            walls.container().remove();
        }
    }

    /** Kills what is left, and gives back what the attempt had. It handles an interrupt only then. */
    @Override
    public void close() {
        boolean interrupted = Thread.interrupted();
        disk.close();
        killLeft();
        try {
            try {
                walls.giveBack();
            } finally {
                if (group != null) {
                    group.close();
                }
            }
        } catch (IOException e) {
            LOG.warn("What attempt {} had could not be given back", id, e);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
