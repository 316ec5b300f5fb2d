package dev.assay.activities.isolation;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.work.confine.ConfinedStart;
import dev.assay.work.confine.OtherUser;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The users that attempts become, one for each attempt of this machine at a time. A lock on a file says that one is taken. */
final class AgentUsers {

    static final String VARIABLE = "ASSAY_AGENT_UID";

    private static final int FIRST = 64_000;
    private static final int COUNT = 1_000;

    /** The files of this process's locks. */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final int first;
    private final Path shared;
    private final Path locks;

    /**
     * @param directory of all workers of this machine, which only root can write
     * @throws AssayException INVALID_INPUT when the environment names no user
     */
    AgentUsers(Map<String, String> environment, Path directory) {
        this.first = first(environment.getOrDefault(VARIABLE, ""));
        this.shared = directory;
        this.locks = directory.resolve("users");
    }

    private static int first(String asked) {
        if (asked.isEmpty()) {
            return FIRST;
        }
        if (!asked.matches("[1-9][0-9]{0,9}") || Long.parseLong(asked) > Integer.MAX_VALUE - COUNT) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    VARIABLE + " must be the number of a user, at least 1, not \"" + asked + "\"");
        }
        return Integer.parseInt(asked);
    }

    /** A user that nobody else is, of which no process is left. */
    Taken take() throws IOException {
        open();
        for (int id = first; id < first + COUNT; id++) {
            OtherUser user = new OtherUser(id);
            Lock lock = ConfinedStart.isLeftBehind(user) ? null : lock(id);
            if (lock != null) {
                Taken taken = new Taken(user, real(), lock);
                taken.killAll();
                return taken;
            }
        }
        throw new IOException("cannot fork: all " + COUNT + " users from " + first
                + " on have an attempt on this machine; run fewer at once");
    }

    private void open() throws IOException {
        RootDirectory.open(shared);
        Files.createDirectories(
                locks, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /** The user behind all others, as which no attempt runs. */
    private OtherUser real() {
        return new OtherUser(first + COUNT);
    }

    /** Kills what the attempts of dead workers left. */
    void clear() throws IOException {
        open();
        for (int id : living()) {
            Lock lock = lock(id);
            if (lock != null) {
                new Taken(new OtherUser(id), real(), lock).free();
            }
        }
    }

    /** Those of which there are processes. */
    private Set<Integer> living() throws IOException {
        Set<Integer> found = new HashSet<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                int id = user(process);
                if (id >= first && id < first + COUNT) {
                    found.add(id);
                }
            }
        }
        return found;
    }

    /** The id of a process's user; root's when the process has ended. */
    private static int user(Path process) throws IOException {
        try {
            return (int) Files.getAttribute(process, "unix:uid");
        } catch (NoSuchFileException _) {
            return 0;
        }
    }

    /** The lock on a user; null: another attempt has it. */
    private @Nullable Lock lock(int id) throws IOException {
        Path file = locks.resolve(String.valueOf(id));
        // To open and close the file of a lock that this process holds would give the lock up.
        if (!HELD.add(file)) {
            return null;
        }
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            Lock lock = new Lock(file, channel);
            if (channel.tryLock() != null) {
                return lock;
            }
            lock.close();
            return null;
        } catch (IOException e) {
            HELD.remove(file);
            throw e;
        }
    }

    private record Lock(Path file, FileChannel channel) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            try {
                channel.close();
            } finally {
                HELD.remove(file);
            }
        }
    }

    /** A user until its attempt ends. */
    static final class Taken {

        private final OtherUser user;
        private final OtherUser real;
        private final Lock lock;

        private Taken(OtherUser user, OtherUser real, Lock lock) {
            this.user = user;
            this.real = real;
            this.lock = lock;
        }

        OtherUser user() {
            return user;
        }

        /** Kills all that runs as it. When that fails, it is kept: something may still be there. */
        void killAll() throws IOException {
            user.killAll(real);
        }

        /** Kills all that is left of it, and frees it. */
        void free() throws IOException {
            killAll();
            lock.close();
        }
    }
}
