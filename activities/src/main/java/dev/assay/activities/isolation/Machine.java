package dev.assay.activities.isolation;

import dev.assay.activities.container.Container;
import dev.assay.activities.container.Containers;
import dev.assay.domain.isolation.AttemptLimits;
import dev.assay.domain.isolation.IsolationLevel;
import dev.assay.work.confine.Landlock;
import dev.assay.work.confine.OtherUser;
import dev.assay.work.confine.PortFilter;
import dev.assay.work.confine.Restriction;
import dev.assay.work.confine.Wall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The means of this machine to keep programs apart.
 *
 * @param readable the paths that programs may read
 * @param ports the wall before this installation's own ports
 * @param filter of the ways around that wall; null: the system has none
 * @param users that programs may become; null: this process is not root
 * @param groups that bound attempts; null: the system hands over none
 * @param containers of programs; null: no image is named, or nothing runs containers here
 */
record Machine(
        ReadablePaths readable,
        PortWall ports,
        @Nullable PortFilter filter,
        @Nullable AgentUsers users,
        @Nullable ControlGroups groups,
        @Nullable Containers containers) {

    private static final List<Path> DEVICES = Stream.of("null", "zero", "full", "random", "urandom", "tty")
            .map(name -> Path.of("/dev", name))
            .filter(Files::exists)
            .toList();

    /**
     * Begins an attempt.
     *
     * @param level none, confined or user
     * @param read the paths that its program may read
     * @throws IOException when its walls cannot be made
     */
    Attempt begin(IsolationLevel level, String id, Path directory, List<Path> read, AttemptLimits limits)
            throws IOException {
        Attempt.Walls walls = walls(level, directory, read);
        ControlGroups.@Nullable Group group = null;
        try {
            group = groups == null ? null : groups.make(id, limits);
            return new Attempt(id, directory, walls, limits, group);
        } catch (IOException | RuntimeException e) {
            if (group != null) {
                group.close();
            }
            walls.giveBack();
            throw e;
        }
    }

    /**
     * Begins an attempt at level container.
     *
     * @param asksModels whether its program must reach the model proxy
     * @throws IOException when it must not start
     */
    Attempt beginContainer(String id, Path directory, String image, AttemptLimits limits, boolean asksModels)
            throws IOException {
        if (containers == null) {
            throw new IOException("Nothing runs containers here");
        }
        Container container = containers.of(id, image, limits, asksModels);
        // Root is root in a container, too, and owns what it writes.
        AgentUsers.Taken user = OtherUser.isRoot() ? take() : null;
        Attempt.Walls walls = new Attempt.Walls(IsolationLevel.CONTAINER, List.of(), null, user, container);
        try {
            return new Attempt(id, directory, walls, limits, null);
        } catch (IOException | RuntimeException e) {
            walls.giveBack();
            throw e;
        }
    }

    private Attempt.Walls walls(IsolationLevel level, Path directory, List<Path> read) throws IOException {
        if (level == IsolationLevel.NONE) {
            return Attempt.Walls.NONE;
        }
        Landlock files = Landlock.version() == 0 && level == IsolationLevel.USER ? null : files(directory, read);
        try {
            List<Restriction> all = restrictions(files);
            AgentUsers.Taken user = level == IsolationLevel.USER ? take() : null;
            if (user != null) {
                all.addFirst(user.user());
            }
            return new Attempt.Walls(level, all, files, user, null);
        } catch (IOException e) {
            if (files != null) {
                files.close();
            }
            throw e;
        }
    }

    private AgentUsers.Taken take() throws IOException {
        if (users == null) {
            throw new IOException("This worker cannot start programs as other users");
        }
        return users.take();
    }

    private static Landlock files(Path directory, List<Path> read) throws IOException {
        List<Path> own = new ArrayList<>(DEVICES);
        own.add(directory);
        Landlock files = Landlock.closing(EnumSet.of(Wall.FILES, Wall.PROCESSES));
        try {
            return files.readExecute(read).readWrite(own);
        } catch (IOException e) {
            files.close();
            throw e;
        }
    }

    /** Kills what the attempts of a worker that has died left. */
    void clear(String worker, boolean hadUsers) throws IOException {
        Leftovers.killAllOf(worker);
        if (groups != null) {
            groups.clear(worker);
        }
        if (containers != null) {
            containers.clear(worker);
        }
        if (users != null && hadUsers) {
            users.clear();
        }
    }

    /** The ports come last: what comes after them copies all their rules. */
    private List<Restriction> restrictions(@Nullable Landlock files) throws IOException {
        List<Restriction> all = new ArrayList<>();
        if (files != null) {
            all.add(files);
            Landlock wall = Landlock.version() < PortWall.VERSION ? null : ports.now();
            if (wall != null) {
                all.add(wall);
                if (filter != null) {
                    all.add(filter);
                }
            }
        }
        return all;
    }
}
