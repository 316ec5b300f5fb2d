package dev.assay.activities.provider.delivery;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.delivery.DeliveredFile;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The batch API of one provider, asked with one key. Nothing here is tried again. All methods block, end in a bounded time, and end at
 * once when their thread is interrupted; that closes the connection.
 */
public interface BatchWire {

    /**
     * One line of the file, in UTF-8 with its line feed.
     *
     * @param customId 1–64 letters, digits, {@code -} or {@code _}
     * @param body as it would be sent live, which is written as the live path writes it
     */
    byte[] line(String customId, ObjectNode body);

    /**
     * Gives the provider the file of lines. Doing it again costs nothing.
     *
     * @return the provider's id of the file; null: this API takes the lines with the submission
     * @throws java.io.UncheckedIOException when the file cannot be read
     */
    @Nullable
    String upload(Path file) throws BatchCallException, InterruptedException;

    /**
     * Submits a batch: once, on a connection of its own. No answer, and no lack of one, throws.
     *
     * @param batchId Assay's own id, by which {@link #candidates} finds it again where the API keeps it
     * @param fileId what {@link #upload} returned
     * @param file the lines, for APIs that take them now
     * @throws InterruptedException when the thread is interrupted: it may have been accepted
     */
    Submission submit(String batchId, @Nullable String fileId, Path file) throws InterruptedException;

    /** How far a batch is. */
    BatchStatus status(String providerId) throws BatchCallException, InterruptedException;

    /**
     * Reads the result lines of a batch that ended. They come in any order, on the calling thread, and no faster than {@code sink} takes
     * them. A line of more than 32 MiB is unreadable, as a live answer is.
     *
     * @return whether every file came whole; where false, a connection broke off or stalled, and what came is right
     */
    boolean results(BatchStatus ended, DeliveredFile.Sink sink) throws BatchCallException, InterruptedException;

    /** Asks for the end of a batch; one that has ended stays as it is. Lines that were answered are kept. */
    void cancel(String providerId) throws BatchCallException, InterruptedException;

    /**
     * The batches of the key's account that may be one whose submission was not answered. The list is complete, or an exception says
     * that it is not.
     *
     * @param since when it was submitted, by this machine's clock; minutes before it are looked at, too
     * @param fileId what {@link #upload} returned
     * @param lines of the batch
     */
    Listing candidates(Instant since, String batchId, @Nullable String fileId, int lines)
            throws BatchCallException, InterruptedException;

    /** Deletes a file that was uploaded, or a result file. One that is gone is no error. */
    void deleteFile(String fileId) throws BatchCallException, InterruptedException;
}
