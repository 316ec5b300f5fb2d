package dev.assay.activities.command;

import dev.assay.store.workspace.WorkspaceRepository;
import dev.assay.work.archive.RefusedArchiveException;
import dev.assay.work.archive.Unpacking;
import dev.assay.work.file.FileTree;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of stored workspaces on this machine, each unpacked once for all workers of a user. Beyond a limit the ones go that no attempt
 * of this worker uses, the least recently used first.
 */
final class WorkspaceCache {

    private static final Logger LOG = LoggerFactory.getLogger(WorkspaceCache.class);

    private static final Pattern ID = Pattern.compile("[0-9a-f]{64}");

    /** Another worker may remove a copy while it is read. */
    private static final int TRIES = 5;

    private final WorkspaceRepository stored;
    private final AgentRoom room;
    private final long limit;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Integer> uses = new ConcurrentHashMap<>();

    /** Stored by builds that looked at no archive. An archive never changes, so they are refused for good. */
    private final Map<String, RefusedArchiveException> refused = new ConcurrentHashMap<>();

    /** @param limit bytes that the copies may take on disk, those that are in use aside */
    WorkspaceCache(WorkspaceRepository stored, AgentRoom room, long limit) {
        this.stored = stored;
        this.room = room;
        this.limit = limit;
    }

    /** Begins to use a workspace; null for none. */
    @Nullable
    Use use(@Nullable String workspaceId) {
        return workspaceId == null ? null : new Use(workspaceId);
    }

    /** The use of a workspace by one attempt. */
    final class Use implements TrialDirectory.Source, AutoCloseable {

        private final String workspaceId;

        private Use(String workspaceId) {
            this.workspaceId = workspaceId;
            uses.merge(workspaceId, 1, Integer::sum);
        }

        @Override
        public void copyTo(Path target) throws IOException, RefusedArchiveException, InterruptedException {
            for (int left = TRIES; left > 0; left--) {
                KeptWorkspace kept = find(workspaceId);
                try {
                    FileTree.copy(kept.files(), target);
                } catch (NoSuchFileException e) {
                    if (kept.isThere()) {
                        throw e;
                    }
                }
                if (kept.isThere()) {
                    return;
                }
                FileTree.delete(target);
            }
            throw new IOException("Other workers remove the workspace " + workspaceId + " again and again; raise"
                    + " ASSAY_WORKSPACE_CACHE_GB");
        }

        @Override
        public void close() {
            uses.computeIfPresent(workspaceId, (_, count) -> count == 1 ? null : count - 1);
        }
    }

    /**
     * A copy of the workspace.
     *
     * @throws RefusedArchiveException when its archive is not accepted
     * @throws IOException when it is not stored or cannot be written
     */
    private KeptWorkspace find(String workspaceId) throws IOException, RefusedArchiveException, InterruptedException {
        KeptWorkspace kept = touched(workspaceId);
        if (kept != null) {
            return kept;
        }
        lock.lockInterruptibly();
        try {
            for (kept = touched(workspaceId); kept == null; kept = touched(workspaceId)) {
                unpack(workspaceId);
                tryToMakeRoom();
            }
            return kept;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable KeptWorkspace touched(String workspaceId) throws IOException {
        KeptWorkspace kept = KeptWorkspace.at(room.workspaces().resolve(workspaceId));
        try {
            if (kept != null) {
                kept.touch();
            }
            return kept;
        } catch (NoSuchFileException _) {
            return null;
        }
    }

    private void unpack(String workspaceId) throws IOException, RefusedArchiveException, InterruptedException {
        RefusedArchiveException known = refused.get(workspaceId);
        if (known != null) {
            throw known;
        }
        Path archive = room.besideWorkspaces();
        Path directory = room.besideWorkspaces();
        try {
            fetch(workspaceId, archive);
            KeptWorkspace.describe(directory, Unpacking.unpack(archive, directory));
            Path place = room.workspaces().resolve(workspaceId);
            if (KeptWorkspace.at(place) == null) {
                remove(place);
            }
            move(directory, place);
        } catch (RefusedArchiveException e) {
            refused.put(workspaceId, e);
            throw e;
        } finally {
            Files.deleteIfExists(archive);
            FileTree.delete(directory);
        }
    }

    private void fetch(String workspaceId, Path archive) throws IOException {
        try (OutputStream target = new BufferedOutputStream(Files.newOutputStream(archive))) {
            if (!stored.read(workspaceId, piece -> write(target, piece))) {
                throw new IOException("The workspace " + workspaceId + " is not stored");
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
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
        } catch (FileSystemException e) {
            // The JDK has no exception of its own for a directory that is not empty.
            if (KeptWorkspace.at(place) == null) {
                throw e;
            }
        }
    }

    private void tryToMakeRoom() {
        try {
            makeRoom();
        } catch (IOException e) {
            LOG.warn("Unpacked workspaces beyond the limit of {} bytes could not be deleted", limit, e);
        }
    }

    /** Deletes copies until they are within the limit. */
    private void makeRoom() throws IOException {
        List<KeptWorkspace> unused = new ArrayList<>();
        long bytes = 0;
        try (DirectoryStream<Path> places = Files.newDirectoryStream(room.workspaces(), WorkspaceCache::isInItsPlace)) {
            for (Path place : places) {
                KeptWorkspace kept = KeptWorkspace.at(place);
                bytes += kept == null ? 0 : kept.bytes();
                if (kept != null && !uses.containsKey(place.getFileName().toString())) {
                    unused.add(kept);
                }
            }
        }
        unused.sort(Comparator.comparing(KeptWorkspace::used));
        for (KeptWorkspace oldest : unused) {
            if (bytes > limit) {
                remove(oldest.place());
                bytes -= oldest.bytes();
            }
        }
    }

    /** What is on its way into its place or out of it has another name. */
    private static boolean isInItsPlace(Path path) {
        return ID.matcher(path.getFileName().toString()).matches();
    }

    /** A worker that reads it meanwhile finds that it is not in its place any more. */
    private void remove(Path place) throws IOException {
        Path removed = room.besideWorkspaces();
        try {
            Files.move(place, removed, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException _) {
            return;
        }
        FileTree.delete(removed);
    }
}
