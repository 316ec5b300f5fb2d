package dev.assay.store.cassette;

import dev.assay.domain.json.Json;
import dev.assay.domain.replay.Cassette;
import dev.assay.domain.replay.CassetteEntry;
import dev.assay.store.sql.Sql;
import dev.assay.store.suite.ContentLock;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** Recorded answers: stored once, by the hash of all of them, and looked up. */
@Singleton
public class CassetteRepository {

    private final Sql sql;

    CassetteRepository(Sql sql) {
        this.sql = sql;
    }

    /** Stores the answers of {@code cassette}, unless they are stored. */
    @Transactional
    public void store(Cassette cassette) {
        ContentLock.use(sql, cassette.id());
        if (!sql.exists("SELECT 1 FROM cassette_entry WHERE cassette_id = ? LIMIT 1", cassette.id())) {
            sql.batch(
                    """
                    INSERT INTO cassette_entry (cassette_id, request_key, trial, entry)
                    VALUES (?, ?, ?, ?::jsonb) ON CONFLICT DO NOTHING\
                    """,
                    cassette.entries(),
                    entry -> Sql.row(cassette.id(), entry.key(), entry.trial(), Json.write(entry)));
        }
    }

    /** The answer that was recorded for {@code key} in {@code trial}. */
    @ReadOnly
    public Optional<CassetteEntry> find(String cassetteId, String key, int trial) {
        return sql.first(
                "SELECT entry FROM cassette_entry WHERE cassette_id = ? AND request_key = ? AND trial = ?",
                row -> Json.read(row.getString(1), CassetteEntry.class),
                cassetteId,
                key,
                trial);
    }

    /** The trials for which {@code key} has a recorded answer, ascending. */
    @ReadOnly
    public List<Integer> recordedTrials(String cassetteId, String key) {
        return sql.list(
                "SELECT trial FROM cassette_entry WHERE cassette_id = ? AND request_key = ? ORDER BY trial",
                row -> row.getInt(1),
                cassetteId,
                key);
    }
}
