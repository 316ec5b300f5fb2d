package dev.assay.store.reuse;

import dev.assay.store.journal.GroupCommit;
import dev.assay.store.reuse.ReuseRepository.Wanted;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/** The lookups of all cells of a process. Those that look at the same time share two statements, as the writes of cells do. */
@Singleton
public class ReuseLookups {

    private final GroupCommit<Wanted, Optional<ReusableAnswer>> lookups;

    ReuseLookups(ReuseRepository answers) {
        this.lookups =
                new GroupCommit<>("reuse-lookups", wanted -> wanted.campaign().id(), answers::find);
    }

    /**
     * The stored answer that a cell takes; empty: there is none, and it is asked. While PostgreSQL does not answer, the cell waits.
     *
     * @throws InterruptedException when the cell was stopped
     */
    public Optional<ReusableAnswer> find(Wanted cell) throws InterruptedException {
        try {
            return lookups.submit(cell).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        }
    }

    @PreDestroy
    void close() throws InterruptedException {
        lookups.close();
    }
}
