package dev.assay.store.installation;

import dev.assay.store.sql.QueryRepository;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;

/** The installation that this database belongs to. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class InstallationRepository implements QueryRepository {

    /** Its id: made with the schema, and kept by backups. */
    @ReadOnly
    @Query("SELECT installation_id FROM installation")
    public abstract String id();
}
