package dev.assay.store.cassette;

import dev.assay.domain.json.Json;
import dev.assay.domain.replay.Cassette;
import dev.assay.domain.replay.CassetteEntry;
import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.Sql;
import dev.assay.store.suite.ContentLock;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import java.util.List;
import java.util.Optional;

/** Recorded answers: stored once, by the hash of all of them, and looked up. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class CassetteRepository implements QueryRepository {

    private final Sql sql;

    CassetteRepository(Sql sql) {
        this.sql = sql;
    }

    /** Stores the answers of {@code cassette}, unless they are stored. */
    @Transactional
    public void store(Cassette cassette) {
        ContentLock.use(sql, cassette.id());
        if (!isStored(cassette.id())) {
            sql.batch(
                    """
                    INSERT INTO cassette_entry (cassette_id, request_key, trial, entry)
                    VALUES (?, ?, ?, ?::jsonb) ON CONFLICT DO NOTHING\
                    """,
                    cassette.entries(),
                    entry -> Sql.row(cassette.id(), entry.key(), entry.trial(), Json.write(entry)));
        }
    }

    @Query("SELECT EXISTS (SELECT FROM cassette_entry WHERE cassette_id = :cassetteId)")
    abstract boolean isStored(String cassetteId);

    /** The answer that was recorded for {@code key} in {@code trial}. */
    @ReadOnly
    public Optional<CassetteEntry> find(String cassetteId, String key, int trial) {
        return entry(cassetteId, key, trial).map(json -> Json.read(json, CassetteEntry.class));
    }

    @Query("SELECT entry FROM cassette_entry WHERE cassette_id = :cassetteId AND request_key = :key AND trial = :trial")
    abstract Optional<String> entry(String cassetteId, String key, int trial);

    /** The trials for which {@code key} has a recorded answer, ascending. */
    @ReadOnly
    @Query("SELECT trial FROM cassette_entry WHERE cassette_id = :cassetteId AND request_key = :key ORDER BY trial")
    public abstract List<Integer> recordedTrials(String cassetteId, String key);
}
