package dev.assay.web.workspace;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.store.workspace.UploadEnd;
import dev.assay.store.workspace.WorkspaceRepository;
import dev.assay.work.archive.ArchiveReader;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The ends of uploads, on threads of their own. An archive takes seconds of a processor, which on a virtual thread would hold up other
 * requests, and some memory for its names. So few are checked at a time.
 */
@Singleton
final class ArchiveChecks {

    private static final int AT_ONCE = 2;

    /** As many as there may be uploads. */
    private static final int WAITING = 64;

    private static final Duration BUSY = Duration.ofMinutes(1);

    private final WorkspaceRepository workspaces;
    private final ThreadPoolExecutor threads;

    ArchiveChecks(WorkspaceRepository workspaces) {
        this.workspaces = workspaces;
        this.threads = new ThreadPoolExecutor(
                AT_ONCE,
                AT_ONCE,
                1,
                TimeUnit.MINUTES,
                new ArrayBlockingQueue<>(WAITING),
                Thread.ofPlatform().daemon().name("archive-", 1).factory());
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Makes a workspace usable if its archive is accepted.
     *
     * @param pieces how many it has
     * @throws AssayException SERVER_BUSY when too many wait for that
     */
    UploadEnd complete(String workspaceId, int pieces) {
        try {
            Future<UploadEnd> end =
                    threads.submit(() -> workspaces.complete(workspaceId, pieces, ArchiveReader::refusal));
            return result(end);
        } catch (RejectedExecutionException _) {
            throw AssayException.busy("Many archives wait to be checked: complete this one in a minute", BUSY);
        }
    }

    private static UploadEnd result(Future<UploadEnd> end) {
        try {
            return end.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            end.cancel(true);
            Thread.currentThread().interrupt();
            throw new AssayException(ErrorCode.STORE_UNAVAILABLE, "The server stops: try again later", e);
        }
    }

    @PreDestroy
    void close() {
        threads.shutdownNow();
    }
}
