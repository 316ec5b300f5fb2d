package dev.assay.cli.testing;

import dev.assay.standalone.postgres.DatabaseAddress;
import dev.assay.standalone.postgres.PostgresHome;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;

/** Variables with which {@code assay server} and {@code assay worker} find stores that others run. */
public final class ExternalStores {

    private ExternalStores() {}

    /** The variables, to which a test may add. */
    public static Map<String, String> variables(DatabaseAddress database, String temporal) {
        return new HashMap<>(Map.of(
                "ASSAY_DATABASE_URL",
                "postgresql://" + database.user() + "@" + database.place(),
                "ASSAY_DATABASE_PASSWORD",
                database.password(),
                "TEMPORAL_ADDRESS",
                temporal));
    }

    /** The superuser of a PostgreSQL that Assay started, which may do what Assay's role may not: back up, make databases. */
    public static DatabaseAddress superuser(DatabaseAddress database, PostgresHome home) throws IOException {
        String password = Files.readString(home.superuserFile()).strip();
        return new DatabaseAddress(database.jdbcUrl(), "postgres", password);
    }
}
