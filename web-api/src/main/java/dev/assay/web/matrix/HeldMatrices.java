package dev.assay.web.matrix;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.matrix.ResultMatrix;
import dev.assay.store.matrix.MatrixRepository;
import jakarta.inject.Singleton;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The matrices that were requested last: one byte for each cell, forty million at most beside the one that is requested. */
@Singleton
public final class HeldMatrices {

    private static final long MOST_BYTES = 40_000_000;
    private static final int MOST = 64;

    private final MatrixRepository store;

    /** The matrix with the oldest request stands first. */
    private final Map<String, LiveMatrix> held = new LinkedHashMap<>(MOST, 0.75f, true);

    HeldMatrices(MatrixRepository store) {
        this.store = store;
    }

    /**
     * The current matrix of a campaign, or its changes since a version.
     *
     * @param since the version that the client has; null, or one that is not known any more: the whole matrix
     * @throws AssayException NOT_FOUND; INVALID_INPUT when the campaign is too large for a matrix
     */
    public MatrixReading read(String campaignId, @Nullable String since) {
        return of(campaignId, matrix -> matrix.read(since));
    }

    /**
     * As {@link #read}, with every result that is recorded by now: what is read for pages may be a second old.
     *
     * @throws AssayException as {@link #read}
     */
    public MatrixReading readAll(String campaignId, @Nullable String since) {
        return of(campaignId, matrix -> matrix.readAll(since));
    }

    /**
     * The current matrix of a campaign, which goes on changing: read its cells, and change none.
     *
     * @throws AssayException as {@link #read}
     */
    public ResultMatrix now(String campaignId) {
        return of(campaignId, LiveMatrix::current);
    }

    private <T> T of(String campaignId, Function<LiveMatrix, T> reading) {
        LiveMatrix matrix = of(campaignId);
        try {
            return reading.apply(matrix);
        } catch (AssayException e) {
            forget(campaignId);
            throw e;
        }
    }

    private LiveMatrix of(String campaignId) {
        synchronized (held) {
            LiveMatrix matrix = held.computeIfAbsent(campaignId, id -> new LiveMatrix(store, id));
            long bytes = held.values().stream().mapToLong(LiveMatrix::size).sum();
            Iterator<LiveMatrix> eldest = held.values().iterator();
            while (held.size() > 1 && (bytes > MOST_BYTES || held.size() > MOST)) {
                bytes -= eldest.next().size();
                eldest.remove();
            }
            return matrix;
        }
    }

    private void forget(String campaignId) {
        synchronized (held) {
            held.remove(campaignId);
        }
    }
}
