package dev.assay.activities.delivery;

import dev.assay.activities.call.DeliveredCell;
import dev.assay.activities.delivery.DeliveredCells.Attempt;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.provider.delivery.BatchWire;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.delivery.BatchRepository;
import dev.assay.store.delivery.ProviderBatch;
import dev.assay.store.journal.JournalEntry.EndItem.OutItem;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The lines of batches: the requests of live calls, one to a line. */
@Singleton
public class BatchLines {

    /** Cells whose cases are in memory together. */
    static final int AT_ONCE = 500;

    private final DeliveredCells cells;
    private final BatchRepository batches;
    private final ProviderCatalog catalog;
    private final Path directory;

    BatchLines(
            DeliveredCells cells,
            BatchRepository batches,
            ProviderCatalog catalog,
            @Nullable @Value("${assay.data:}") String data) {
        this.cells = cells;
        this.batches = batches;
        this.catalog = catalog;
        this.directory = data == null || data.isEmpty()
                ? Path.of(System.getProperty("java.io.tmpdir"), "assay-batches")
                : Path.of(data, "batches");
    }

    /** The name of a request in its batch. */
    static String customId(String batchId, long requestId) {
        return batchId + "-" + requestId;
    }

    /** The request that a name of {@link #customId} names in its batch; null: none of this batch. */
    static @Nullable Long requestId(String batchId, String customId) {
        String begin = batchId + "-";
        if (!customId.startsWith(begin) || !customId.substring(begin.length()).matches("[0-9]{1,18}")) {
            return null;
        }
        return Long.valueOf(customId.substring(begin.length()));
    }

    /** The line of a request, as the provider's batches want it, with its line feed. */
    byte[] line(BatchWire wire, String customId, DeliveredCell cell, ModelRequest request) {
        return wire.line(customId, catalog.batchBody(cell.choice(), request));
    }

    /**
     * Writes the file of a batch anew. Nobody else may read it.
     *
     * @return empty: one of its lines is not needed any more, so that it is no batch that could be found again by its lines
     */
    Optional<Path> write(StoredCampaign campaign, ProviderBatch batch, BatchWire wire) throws InterruptedException {
        Path file = file(batch.id());
        try {
            Files.createDirectories(directory);
            Files.deleteIfExists(file);
            Files.createFile(file);
            Files.setPosixFilePermissions(
                    file, EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
            try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE)) {
                if (!writeLines(campaign, batch, wire, out)) {
                    return Optional.empty();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The file of batch " + batch.id() + " cannot be written", e);
        }
        return Optional.of(file);
    }

    /** Writes the lines of a batch; false: one is not needed any more. */
    private boolean writeLines(StoredCampaign campaign, ProviderBatch batch, BatchWire wire, OutputStream out)
            throws IOException, InterruptedException {
        List<OutItem> items = batches.itemsAfter(batch.id(), -1, AT_ONCE);
        AtomicBoolean missing = new AtomicBoolean();
        while (!items.isEmpty() && !missing.get()) {
            List<OutItem> some = items;
            cells.each(campaign, batch.of().epoch(), attempts(items), (_, found) -> {
                for (OutItem item : some) {
                    DeliveredCell cell = found.get(item.cell());
                    if (cell == null) {
                        missing.set(true);
                        return;
                    }
                    out.write(line(wire, customId(batch.id(), item.requestId()), cell, cell.request()));
                }
            });
            items = batches.itemsAfter(batch.id(), items.getLast().requestId(), AT_ONCE);
        }
        return !missing.get();
    }

    /** The attempts at cells whose requests are out. */
    static List<Attempt> attempts(List<OutItem> items) {
        return items.stream()
                .map(item -> new Attempt(item.cell(), item.attempt()))
                .toList();
    }

    /** The file of a batch, which is written where it is not here: another worker may have uploaded it. Empty as for {@link #write}. */
    Optional<Path> file(StoredCampaign campaign, ProviderBatch batch, BatchWire wire) throws InterruptedException {
        Path file = file(batch.id());
        return batch.provided().fileId() != null || Files.exists(file)
                ? Optional.of(file)
                : write(campaign, batch, wire);
    }

    /** Removes the file of a batch, if it is there. */
    void remove(String batchId) {
        try {
            Files.deleteIfExists(file(batchId));
        } catch (IOException e) {
            throw new UncheckedIOException("The file of batch " + batchId + " cannot be removed", e);
        }
    }

    private Path file(String batchId) {
        return directory.resolve(batchId + ".jsonl");
    }
}
