package dev.assay.cli.testing;

import dev.assay.cli.postgres.DatabaseAddress;
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
}
