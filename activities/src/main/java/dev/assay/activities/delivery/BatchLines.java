package dev.assay.activities.delivery;

import dev.assay.activities.branch.DeliveredBranch;
import dev.assay.activities.branch.DeliveredBranches;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.provider.delivery.BatchWire;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.suite.Case;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.cell.CellKey;
import dev.assay.store.delivery.BatchRepository;
import dev.assay.store.delivery.ProviderBatch;
import dev.assay.store.journal.JournalEntry.EndItem.OutItem;
import dev.assay.store.suite.CaseRepository;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The lines of batches: the requests of live calls, one to a line. */
@Singleton
public class BatchLines {

    /** Cells whose cases are in memory together. */
    static final int AT_ONCE = 500;

    private final DeliveredBranches branches;
    private final CaseRepository cases;
    private final BatchRepository batches;
    private final ProviderCatalog catalog;
    private final Path directory;

    BatchLines(
            DeliveredBranches branches,
            CaseRepository cases,
            BatchRepository batches,
            ProviderCatalog catalog,
            @Nullable @Value("${assay.data:}") String data) {
        this.branches = branches;
        this.cases = cases;
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

    /** The cases of the given trials, by their indexes. */
    Map<Integer, Case> cases(StoredCampaign campaign, Collection<Integer> ordinals) {
        TrialGrid grid = campaign.grid();
        return cases.find(
                campaign.suiteId(), ordinals.stream().map(grid::caseIndex).collect(Collectors.toSet()));
    }

    /** A cell of a branch with its case. */
    DeliveredBranch cell(StoredCampaign campaign, int epoch, CellKey key, int attempt, Map<Integer, Case> cases) {
        Case suiteCase = Objects.requireNonNull(cases.get(campaign.grid().caseIndex(key.ordinal())));
        return branches.of(campaign, epoch, key, attempt, suiteCase);
    }

    /** The line of a request, as the provider's batches want it, with its line feed. */
    byte[] line(BatchWire wire, String customId, DeliveredBranch cell, ModelRequest request) {
        return wire.line(customId, catalog.batchBody(cell.choice(), request));
    }

    /**
     * Writes the file of a batch anew. Nobody else may read it.
     */
    Path write(StoredCampaign campaign, ProviderBatch batch, BatchWire wire) throws InterruptedException {
        Path file = file(batch.id());
        try {
            Files.createDirectories(directory);
            Files.deleteIfExists(file);
            Files.createFile(file);
            Files.setPosixFilePermissions(
                    file, EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
            try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE)) {
                writeLines(campaign, batch, wire, out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The file of batch " + batch.id() + " cannot be written", e);
        }
        return file;
    }

    private void writeLines(StoredCampaign campaign, ProviderBatch batch, BatchWire wire, OutputStream out)
            throws IOException, InterruptedException {
        List<OutItem> items = batches.itemsAfter(batch.id(), -1, AT_ONCE);
        while (!items.isEmpty()) {
            Map<Integer, Case> byIndex = cases(
                    campaign, items.stream().map(item -> item.cell().ordinal()).toList());
            for (OutItem item : items) {
                DeliveredBranch cell = cell(campaign, batch.of().epoch(), item.cell(), item.attempt(), byIndex);
                out.write(line(wire, customId(batch.id(), item.requestId()), cell, cell.request()));
            }
            items = batches.itemsAfter(batch.id(), items.getLast().requestId(), AT_ONCE);
        }
    }

    /** The file of a batch, which is written where it is not here: another worker may have uploaded it. */
    Path file(StoredCampaign campaign, ProviderBatch batch, BatchWire wire) throws InterruptedException {
        Path file = file(batch.id());
        return batch.provided().fileId() != null || Files.exists(file) ? file : write(campaign, batch, wire);
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
