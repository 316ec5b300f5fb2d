package dev.assay.activities.command;

import dev.assay.activities.isolation.ProgramIsolation;
import dev.assay.activities.isolation.RootDirectory;
import dev.assay.work.file.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directories of one worker's attempts: {@code trials/<worker>/<n>} below a directory that workers share. Each worker holds a
 * lock on a file beside its own. The next start deletes the directories of workers without a lock. Made at first use.
 */
final class AgentRoom implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AgentRoom.class);
    private static final String LOCK = ".lock";
    private static final String UNPACKED = "unpacked";
    private static final String NEW = "new-";

    /** Names of the rooms of this process. To open and close the lock of one would give it up, and others would clear it. */
    private static final Set<String> HELD = ConcurrentHashMap.newKeySet();

    /** The directory of workspaces in earlier builds, which looked at no archive. */
    private static final String UNCHECKED = "workspaces";

    private final Path base;
    private final ProgramIsolation isolation;
    private final String name = UUID.randomUUID().toString();
    private final AtomicLong next = new AtomicLong();
    private @Nullable FileChannel channel;

    /**
     * @param base a directory of the workers of one user on this machine; it may not exist
     * @param isolation of programs; those that are other users go through it to their own directory
     */
    AgentRoom(Path base, ProgramIsolation isolation) {
        this.base = base;
        this.isolation = isolation;
    }

    /** A directory for an attempt. */
    TrialDirectory open() throws IOException {
        long number = next.incrementAndGet();
        return new TrialDirectory(own().resolve(String.valueOf(number)), name + "-" + number);
    }

    /** The directory with copies of stored workspaces. */
    Path workspaces() throws IOException {
        own();
        return base.resolve(UNPACKED);
    }

    /** A path among these copies where there is nothing. What lies there goes when this worker has died. */
    Path besideWorkspaces() throws IOException {
        return workspaces().resolve(NEW + name + "-" + next.incrementAndGet());
    }

    private synchronized Path own() throws IOException {
        Path own = base.resolve("trials").resolve(name);
        if (channel == null) {
            make(base);
            Files.createDirectories(base.resolve(UNPACKED));
            Files.setPosixFilePermissions(base.resolve(UNPACKED), PosixFilePermissions.fromString("rwx------"));
            make(base.resolve("trials"));
            make(own);
            channel = locked(own.resolveSibling(name + LOCK));
        }
        return own;
    }

    /** A file that has its name when it is locked: nobody finds it before. */
    private FileChannel locked(Path file) throws IOException {
        HELD.add(name);
        Path unnamed = file.resolveSibling(name + ".unlocked");
        FileChannel opened = FileChannel.open(unnamed, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        opened.lock();
        Files.move(unnamed, file, StandardCopyOption.ATOMIC_MOVE);
        return opened;
    }

    private void make(Path directory) throws IOException {
        if (isolation.usesOtherUsers()) {
            RootDirectory.open(directory);
        } else {
            Files.createDirectories(directory);
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        }
    }

    /** Deletes what workers left that were killed, and what earlier builds unpacked once none of their workers can be there. */
    void clear() {
        Path trials = base.resolve("trials");
        if (!Files.isDirectory(trials)) {
            return;
        }
        boolean isAlone = true;
        try (DirectoryStream<Path> locks = Files.newDirectoryStream(trials, "*" + LOCK)) {
            for (Path lock : locks) {
                isAlone &= isCleared(lock);
            }
            if (isAlone) {
                FileTree.delete(base.resolve(UNCHECKED));
            }
        } catch (IOException e) {
            LOG.warn("What killed workers left in {} could not be deleted", base, e);
        }
    }

    /** As {@link #clear(Path)}. What cannot be cleared now stays, with its lock, for the next start. */
    private boolean isCleared(Path lock) {
        try {
            return clear(lock);
        } catch (IOException e) {
            LOG.warn(
                    "What the worker of {} left could not be cleared; the next start of a worker tries again", lock, e);
            return false;
        }
    }

    /** Whether the owner of {@code lock} is dead, or this worker. */
    private boolean clear(Path lock) throws IOException {
        String owner = lock.getFileName().toString().replace(LOCK, "");
        if (HELD.contains(owner)) {
            return owner.equals(name);
        }
        try (FileChannel other = FileChannel.open(lock, StandardOpenOption.WRITE);
                FileLock held = other.tryLock()) {
            if (held != null) {
                isolation.clear(owner);
                FileTree.delete(lock.resolveSibling(owner));
                clearBesideWorkspaces(owner);
                Files.deleteIfExists(lock);
            }
            return held != null;
        }
    }

    private void clearBesideWorkspaces(String owner) throws IOException {
        Path unpacked = base.resolve(UNPACKED);
        if (Files.isDirectory(unpacked)) {
            try (DirectoryStream<Path> left = Files.newDirectoryStream(unpacked, NEW + owner + "-*")) {
                for (Path one : left) {
                    FileTree.delete(one);
                }
            }
        }
    }

    /** Deletes the worker's own. */
    @Override
    public synchronized void close() {
        try {
            if (channel != null) {
                Path own = base.resolve("trials").resolve(name);
                FileTree.delete(own);
                Files.deleteIfExists(own.resolveSibling(name + LOCK));
                channel.close();
                channel = null;
                HELD.remove(name);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
