package dev.assay.activities.command;

import dev.assay.store.workspace.WorkspaceRepository;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/** Copies of stored workspaces on this machine, each unpacked once for all workers of a user. */
final class WorkspaceCache {

    private final WorkspaceRepository stored;
    private final AgentRoom room;
    private final ReentrantLock lock = new ReentrantLock();

    WorkspaceCache(WorkspaceRepository stored, AgentRoom room) {
        this.stored = stored;
        this.room = room;
    }

    /**
     * The directory that holds the workspace, not to be changed.
     *
     * @throws IOException when it is not stored or cannot be written
     */
    Path find(String workspaceId) throws IOException, InterruptedException {
        Path place = room.workspaces().resolve(workspaceId);
        if (Files.isDirectory(place)) {
            return place;
        }
        lock.lockInterruptibly();
        try {
            return Files.isDirectory(place) ? place : unpacked(workspaceId, place);
        } finally {
            lock.unlock();
        }
    }

    private Path unpacked(String workspaceId, Path place) throws IOException {
        Path archive = place.resolveSibling("new-" + UUID.randomUUID() + ".tar");
        Path directory = archive.resolveSibling(archive.getFileName() + ".d");
        try {
            try (OutputStream target = new BufferedOutputStream(Files.newOutputStream(archive))) {
                if (!stored.read(workspaceId, piece -> write(target, piece))) {
                    throw new IOException("The workspace " + workspaceId + " is not stored");
                }
            }
            try (var source = Files.newInputStream(archive)) {
                WorkspaceArchive.read(source, directory);
            }
            move(directory, place);
            return place;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            Files.deleteIfExists(archive);
            FileTree.delete(directory);
        }
    }

    private static void write(OutputStream target, byte[] piece) {
        try {
            target.write(piece);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Moves the unpacked directory to its place. Another worker may have been faster. */
    private static void move(Path directory, Path place) throws IOException {
        try {
            Files.move(directory, place, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException | DirectoryNotEmptyException | AtomicMoveNotSupportedException e) {
            if (!Files.isDirectory(place)) {
                throw e;
            }
        }
    }
}
