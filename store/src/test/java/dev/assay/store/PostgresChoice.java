package dev.assay.store;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The PostgreSQL that tests run on.
 *
 * @param container whether it runs in a container; else it is embedded
 * @param required whether its absence is an error; else the tests are skipped
 */
record PostgresChoice(boolean container, boolean required) {

    /** With {@code container}, every test that needs PostgreSQL runs on a container, or fails. */
    static final String VARIABLE = "ASSAY_TEST_POSTGRES";

    private static final String CONTAINER = "container";

    /**
     * The choice of a test run.
     *
     * @param property value of the system property {@code assay.test.database}, which one run of the build sets
     * @param variable value of {@link #VARIABLE}
     * @throws IllegalStateException when the variable holds another word
     */
    static PostgresChoice of(@Nullable String property, @Nullable String variable) {
        boolean required = variable != null && !variable.isBlank();
        if (required && !CONTAINER.equals(variable)) {
            throw new IllegalStateException(
                    VARIABLE + " must be " + CONTAINER + ", but is " + variable + "; unset it for embedded PostgreSQL");
        }
        return new PostgresChoice(required || "testcontainers".equals(property), required);
    }

    /**
     * Says why tests are skipped.
     *
     * @param absent why there is no container; empty: there is one, or none is needed
     * @throws IllegalStateException when they must not be skipped
     */
    Optional<String> skipped(Optional<String> absent) {
        if (required && absent.isPresent()) {
            throw new IllegalStateException(VARIABLE + "=" + CONTAINER + " asks for PostgreSQL in a container, but "
                    + absent.get() + ". Provide it, or unset " + VARIABLE + ".");
        }
        return absent;
    }
}
