package dev.assay.web.matrix;

import dev.assay.domain.matrix.ResultMatrix;
import dev.assay.store.matrix.MatrixCounts;
import dev.assay.store.matrix.MatrixRepository;
import dev.assay.store.matrix.MatrixSeen;
import dev.assay.store.matrix.MatrixUpdate;
import dev.assay.store.matrix.StoredMatrix;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One matrix in memory, which follows the store while it is requested, and remembers its latest changes. */
final class LiveMatrix {

    private static final Logger LOG = LoggerFactory.getLogger(LiveMatrix.class);

    /** An earlier request gets the matrix as it is in memory. */
    private static final Duration FRESH = Duration.ofMillis(900);

    /** The least time between readings of the results, where the counters say that changes are missing. */
    private static final Duration REBUILD = Duration.ofSeconds(30);

    /** This many rows of changes become chunks. */
    private static final int MANY_ROWS = 2_000;

    /** The most changes that are remembered; a client with an older version gets the whole matrix. */
    private static final int MOST_CHANGED = 200_000;

    /** Bytes of a changed cell: its place and its new byte. */
    static final int CHANGE = 5;

    private final MatrixRepository store;
    private final String campaignId;

    /** Part of the names of versions: other processes, and this one after it dropped the matrix, use other names. */
    private final String instance = UUID.randomUUID().toString().substring(0, 8);

    private final Deque<Changes> latest = new ArrayDeque<>();
    private int remembered;
    private long version = 1;
    private @Nullable ResultMatrix matrix;
    private MatrixSeen seen = new MatrixSeen(0, "0", Set.of());
    private long readNanos;
    private @Nullable Long rebuiltNanos;
    private int rows;
    private volatile boolean compacting;
    private volatile long size;

    LiveMatrix(MatrixRepository store, String campaignId) {
        this.store = store;
        this.campaignId = campaignId;
    }

    /** The places that changed in the step to a version. */
    @SuppressWarnings("ArrayRecordComponent") // never compared and never changed
    private record Changes(long version, int[] places) {}

    /** Bytes of the cells. Does not wait for readers. */
    long size() {
        return size;
    }

    /**
     * The current matrix, or its changes since a version.
     *
     * @param since the version that the client has; null, or one that is not known any more: the whole matrix
     */
    synchronized MatrixReading read(@Nullable String since) {
        return read(since, current());
    }

    /** As {@link #read}, with every result that is recorded by now. */
    synchronized MatrixReading readAll(@Nullable String since) {
        return read(since, look());
    }

    private MatrixReading read(@Nullable String since, ResultMatrix now) {
        long from = since == null ? 0 : known(since);
        return from == 0 ? reading(now, false, now.cells()) : reading(now, true, changesAfter(from, now));
    }

    private MatrixReading reading(ResultMatrix now, boolean isChanges, byte[] body) {
        return new MatrixReading(instance + "-" + version, now.trials(), now.cases(), now.branches(), isChanges, body);
    }

    /** The number of a version of which every change since is remembered; 0: it is not. */
    private long known(String since) {
        for (long number = version; number > version - latest.size() - 1; number--) {
            if (since.equals(instance + "-" + number)) {
                return number;
            }
        }
        return 0;
    }

    private byte[] changesAfter(long from, ResultMatrix now) {
        int[] places = latest.stream()
                .filter(changes -> changes.version() > from)
                .flatMapToInt(changes -> IntStream.of(changes.places()))
                .sorted()
                .distinct()
                .toArray();
        ByteBuffer bytes = ByteBuffer.allocate(places.length * CHANGE);
        for (int place : places) {
            bytes.putInt(place).put(now.cells()[place]);
        }
        return bytes.array();
    }

    /** The matrix as it is now. */
    synchronized ResultMatrix current() {
        ResultMatrix before = matrix;
        return before != null && System.nanoTime() - readNanos < FRESH.toNanos() ? before : look();
    }

    private ResultMatrix look() {
        ResultMatrix before = matrix;
        IntStream.Builder places = IntStream.builder();
        ResultMatrix now = before == null ? reload() : follow(before, places::add);
        readNanos = System.nanoTime();
        matrix = now;
        size = now.cells().length;
        remember(places.build().toArray());
        compactIfMany();
        return now;
    }

    /** The matrix with the changes of the store; another one when it has to be loaded again. */
    private ResultMatrix follow(ResultMatrix before, IntConsumer changed) {
        MatrixUpdate update = store.since(campaignId, seen);
        if (update.seen().generation() == seen.generation()) {
            update.entries().forEach(entries -> before.apply(entries, changed));
            rows += update.entries().size();
            seen = update.seen();
            if (update.expected().match(before)) {
                return before;
            }
        }
        ResultMatrix now = reload();
        now.differences(before, changed);
        return now;
    }

    /** Loads the matrix, from the results where an earlier build recorded some without noting them. */
    private ResultMatrix reload() {
        StoredMatrix stored = load();
        if (!stored.expected().match(stored.matrix()) && mayRebuild()) {
            rebuiltNanos = System.nanoTime();
            MatrixCounts expected = stored.expected();
            LOG.info("Campaign {}: {} results make its matrix anew", campaignId, expected.finalCells());
            store.rebuild(campaignId);
            stored = load();
        }
        return stored.matrix();
    }

    private StoredMatrix load() {
        StoredMatrix stored = store.load(campaignId);
        seen = stored.seen();
        rows = stored.changes();
        return stored;
    }

    private boolean mayRebuild() {
        Long last = rebuiltNanos;
        return last == null || System.nanoTime() - last > REBUILD.toNanos();
    }

    private void remember(int[] places) {
        if (places.length == 0) {
            return;
        }
        version++;
        latest.add(new Changes(version, places));
        remembered += places.length;
        while (remembered > MOST_CHANGED && !latest.isEmpty()) {
            remembered -= latest.remove().places().length;
        }
    }

    /** Compacts many changes. Meanwhile requests get the matrix as it is; afterwards it is loaded again. */
    private void compactIfMany() {
        if (rows > MANY_ROWS && !compacting) {
            compacting = true;
            Thread.startVirtualThread(() -> {
                try {
                    while (store.compact(campaignId)) {
                        LOG.debug("Campaign {} has more changes to make chunks of", campaignId);
                    }
                } finally {
                    compacting = false;
                }
            });
        }
    }
}
