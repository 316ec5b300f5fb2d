package dev.assay.store.cassette;

import dev.assay.domain.json.Json;
import dev.assay.domain.replay.CassetteEntry;
import dev.assay.store.Database;
import jakarta.inject.Singleton;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks up recorded answers. */
@Singleton
public class CassetteRepository {

    private static final String FIND =
            "SELECT entry FROM cassette_entry WHERE cassette_id = ? AND request_key = ? AND trial = ?";

    private static final String TRIALS =
            "SELECT trial FROM cassette_entry WHERE cassette_id = ? AND request_key = ? ORDER BY trial";

    private final Database database;

    public CassetteRepository(Database database) {
        this.database = database;
    }

    /** The answer that was recorded for {@code key} in {@code trial}. */
    public Optional<CassetteEntry> find(String cassetteId, String key, int trial) {
        return database.read(connection -> {
            try (PreparedStatement find = connection.prepareStatement(FIND)) {
                find.setString(1, cassetteId);
                find.setString(2, key);
                find.setInt(3, trial);
                try (ResultSet row = find.executeQuery()) {
                    return row.next()
                            ? Optional.of(Json.read(row.getString(1), CassetteEntry.class))
                            : Optional.empty();
                }
            }
        });
    }

    /** The trials for which {@code key} has a recorded answer, ascending. */
    public List<Integer> recordedTrials(String cassetteId, String key) {
        return database.read(connection -> {
            try (PreparedStatement select = connection.prepareStatement(TRIALS)) {
                select.setString(1, cassetteId);
                select.setString(2, key);
                try (ResultSet rows = select.executeQuery()) {
                    List<Integer> trials = new ArrayList<>();
                    while (rows.next()) {
                        trials.add(rows.getInt(1));
                    }
                    return trials;
                }
            }
        });
    }
}
