package dev.assay.activities.isolation;

import dev.assay.domain.isolation.AttemptLimits;
import dev.assay.work.child.ChildProcess;
import dev.assay.work.confine.ConfinedStart;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The control groups of attempts, of version 2. They lie below this process's own group or beside it, where the system lets this
 * process make them. Memory, processes and processors are bounded there.
 */
final class ControlGroups {

    private static final Logger LOG = LoggerFactory.getLogger(ControlGroups.class);
    private static final Set<String> CONTROLLERS = Set.of("memory", "pids", "cpu");
    private static final String PREFIX = "assay-";
    private static final List<String> WAIT = List.of("/bin/sh", "-c", "read -r word");
    private static final int MEBIBYTE = 20;
    private static final int PERIOD_US = 100_000;
    private static final long LEAST_QUOTA_US = 1_000;
    private static final long PATIENCE_S = 5;

    /** The name of systemd's mark, without {@code user.}. */
    private static final String DELEGATED = "delegate";

    private static final int DELETE_TRIES = 40;
    private static final long DELETE_PAUSE_MS = 25;

    private final Path parent;

    private ControlGroups(Path parent) {
        this.parent = parent;
    }

    /**
     * Those of this process; null: the system lets it make none.
     *
     * @param self what {@code /proc/self} has
     */
    static @Nullable ControlGroups find(Path self) {
        for (ControlGroups groups : handedOver(self)) {
            try {
                groups.prove();
                return groups;
            } catch (IOException e) {
                LOG.debug("No control groups can be made in {}", groups.parent, e);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return null;
            }
        }
        return null;
    }

    /** Those that look as if attempts could have groups there. */
    static List<ControlGroups> handedOver(Path self) {
        return candidates(self).stream()
                .filter(ControlGroups::bounds)
                .map(ControlGroups::new)
                .toList();
    }

    private static boolean bounds(Path group) {
        try {
            String held = Files.readString(group.resolve("cgroup.subtree_control"));
            return Arrays.asList(held.strip().split("\\s+", -1)).containsAll(CONTROLLERS);
        } catch (IOException e) {
            LOG.debug("The control group {} tells nothing", group, e);
            return false;
        }
    }

    /** The group of this process, and the one above, which a supervisor may have handed over. */
    private static List<Path> candidates(Path self) {
        List<Path> found = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(self.resolve("mountinfo"))) {
                List<String> fields = List.of(line.split(" ", -1));
                int dash = fields.indexOf("-");
                if (dash > 5 && fields.get(dash + 1).equals("cgroup2")) {
                    found.addAll(below(Path.of(fields.get(4)), Path.of(fields.get(3)), self));
                }
            }
        } catch (IOException e) {
            LOG.debug("This system shows no control groups", e);
        }
        return found;
    }

    private static List<Path> below(Path mount, Path root, Path self) throws IOException {
        for (String line : Files.readAllLines(self.resolve("cgroup"))) {
            Path group = line.startsWith("0::/") ? Path.of(line.substring("0::".length())) : null;
            if (group != null && group.startsWith(root)) {
                Path own = mount.resolve(root.relativize(group)).normalize();
                Path above = own.resolveSibling("");
                return own.equals(mount) || !isHandedOver(above) ? List.of(own) : List.of(own, above);
            }
        }
        return List.of();
    }

    /** Whether a supervisor has left a group to this process. Root may write everywhere: there systemd's mark tells. */
    private static boolean isHandedOver(Path group) throws IOException {
        UserDefinedFileAttributeView marks = Files.getFileAttributeView(group, UserDefinedFileAttributeView.class);
        return !Files.getAttribute(group, "unix:uid").equals(0)
                || (marks != null && marks.list().contains(DELEGATED));
    }

    /** Bounds, admits and kills a process of ours. */
    private void prove() throws IOException, InterruptedException {
        try (Group group = make("try-" + UUID.randomUUID(), AttemptLimits.DEFAULT)) {
            Process waiting = ConfinedStart.startFree(ChildProcess.seeingOnly(WAIT));
            try {
                group.admit(waiting.pid());
                group.kill();
                if (!waiting.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
                    throw new IOException("The control group " + group.path() + " was not killed");
                }
            } finally {
                waiting.destroyForcibly();
            }
        }
    }

    /** Kills what the attempts of a worker that has died left. */
    void clear(String worker) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(parent, PREFIX + worker + "-*")) {
            for (Path group : left) {
                new Group(group).close();
            }
        }
    }

    /** A group of its own for an attempt. */
    Group make(String attempt, AttemptLimits limits) throws IOException {
        Group group = new Group(Files.createDirectory(parent.resolve(PREFIX + attempt)));
        try {
            group.bound(limits);
            return group;
        } catch (IOException e) {
            group.close();
            throw e;
        }
    }

    /** The group of one attempt. */
    record Group(Path path) implements AutoCloseable {

        private void bound(AttemptLimits limits) throws IOException {
            Files.writeString(path.resolve("memory.max"), String.valueOf((long) limits.memoryMb() << MEBIBYTE));
            Path swap = path.resolve("memory.swap.max");
            if (Files.exists(swap)) {
                Files.writeString(swap, "0");
            }
            Files.writeString(path.resolve("pids.max"), String.valueOf(limits.processes()));
            BigDecimal cpus = limits.cpus();
            if (cpus != null) {
                long quota = cpus.multiply(BigDecimal.valueOf(PERIOD_US)).longValue();
                Files.writeString(path.resolve("cpu.max"), Math.max(LEAST_QUOTA_US, quota) + " " + PERIOD_US);
            }
        }

        /** Takes a process in, with what it will start. */
        void admit(long pid) throws IOException {
            Files.writeString(path.resolve("cgroup.procs"), String.valueOf(pid));
        }

        /** Kills all that is in it. */
        void kill() throws IOException {
            Files.writeString(path.resolve("cgroup.kill"), "1");
        }

        /** Removes it once its processes have gone. */
        @Override
        public void close() throws IOException {
            kill();
            for (int left = DELETE_TRIES; left > 0; left--) {
                try {
                    Files.delete(path);
                    return;
                } catch (NoSuchFileException _) {
                    return;
                } catch (IOException e) {
                    if (left == 1) {
                        throw e;
                    }
                    pause();
                }
            }
        }

        private static void pause() {
            try {
                Thread.sleep(DELETE_PAUSE_MS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
