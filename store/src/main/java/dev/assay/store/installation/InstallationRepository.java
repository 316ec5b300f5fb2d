package dev.assay.store.installation;

import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;

/** The installation that this database belongs to. */
@Singleton
public class InstallationRepository {

    private final Sql sql;

    InstallationRepository(Sql sql) {
        this.sql = sql;
    }

    /** Its id: made with the schema, and kept by backups. */
    @ReadOnly
    public String id() {
        return sql.first("SELECT installation_id FROM installation", row -> row.getString(1))
                .orElseThrow(() -> new IllegalStateException("The table installation is empty"));
    }
}
