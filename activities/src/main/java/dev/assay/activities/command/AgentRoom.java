package dev.assay.activities.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
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

    private final Path base;
    private final String name = UUID.randomUUID().toString();
    private final AtomicLong next = new AtomicLong();
    private @Nullable FileChannel channel;

    /** @param base a directory of the workers of one user on this machine; it may not exist */
    AgentRoom(Path base) {
        this.base = base;
    }

    /** A directory for an attempt. */
    TrialDirectory open() throws IOException {
        return new TrialDirectory(own().resolve(String.valueOf(next.incrementAndGet())));
    }

    /** The directory with copies of stored workspaces. */
    Path workspaces() throws IOException {
        own();
        return base.resolve("workspaces");
    }

    private synchronized Path own() throws IOException {
        Path own = base.resolve("trials").resolve(name);
        if (channel == null) {
            Files.createDirectories(base);
            Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx------"));
            Files.createDirectories(base.resolve("workspaces"));
            Files.createDirectories(own);
            FileChannel opened = FileChannel.open(
                    own.resolveSibling(name + LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            opened.lock();
            channel = opened;
        }
        return own;
    }

    /** Deletes the directories of workers that were killed. */
    void clear() {
        Path trials = base.resolve("trials");
        if (!Files.isDirectory(trials)) {
            return;
        }
        try (DirectoryStream<Path> locks = Files.newDirectoryStream(trials, "*" + LOCK)) {
            for (Path lock : locks) {
                clear(lock);
            }
        } catch (IOException e) {
            LOG.warn("What killed workers left in {} could not be deleted", trials, e);
        }
    }

    private void clear(Path lock) throws IOException {
        String owner = lock.getFileName().toString().replace(LOCK, "");
        if (owner.equals(name)) {
            return;
        }
        try (FileChannel other = FileChannel.open(lock, StandardOpenOption.WRITE);
                FileLock held = other.tryLock()) {
            if (held != null) {
                FileTree.delete(lock.resolveSibling(owner));
                Files.deleteIfExists(lock);
            }
        } catch (OverlappingFileLockException _) {
            LOG.debug("A worker of this process holds {}", lock);
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
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
