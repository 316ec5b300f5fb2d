package dev.assay.store.campaign;

import dev.assay.domain.check.code.Interpreter;
import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.Sql;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import java.util.List;

/** The interpreters that ran own code of campaigns. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class InterpreterRepository implements QueryRepository {

    private final Sql sql;

    InterpreterRepository(Sql sql) {
        this.sql = sql;
    }

    /**
     * Records one, once. A campaign has a hundred at most.
     *
     * @param campaignId where there is no such campaign, nothing is recorded
     */
    public void add(String campaignId, Interpreter interpreter) {
        add(campaignId, interpreter.language(), interpreter.path(), interpreter.version());
    }

    @Query("""
        INSERT INTO campaign_interpreter (campaign_id, language, path, version)
        SELECT c.campaign_id, :language, :path, :version FROM campaign c
        WHERE c.campaign_id = :campaignId
            AND (SELECT count(*) FROM campaign_interpreter o WHERE o.campaign_id = c.campaign_id) < 100
        ON CONFLICT DO NOTHING\
        """)
    abstract void add(String campaignId, String language, String path, String version);

    /** Those of a campaign, by language, the first one first. */
    @ReadOnly
    public List<Interpreter> find(String campaignId) {
        return sql.list(
                """
                SELECT language, path, version FROM campaign_interpreter WHERE campaign_id = ?
                ORDER BY language, first_at, path, version\
                """,
                row -> new Interpreter(row.getString("language"), row.getString("path"), row.getString("version")),
                campaignId);
    }
}
