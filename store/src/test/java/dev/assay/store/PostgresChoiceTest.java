package dev.assay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The PostgreSQL that tests run on, and that none is another than was asked for. */
@StoreTest
final class PostgresChoiceTest {

    @ParameterizedTest
    @CsvSource({
        // property, variable, container, required
        ",               ,          false, false",
        ",               '',        false, false",
        "testcontainers, ,          true,  false",
        ",               container, true,  true",
        "testcontainers, container, true,  true"
    })
    void shouldTakeAContainerWhenThePropertyOrTheVariableSaysSo(
            @Nullable String property, @Nullable String variable, boolean container, boolean required) {
        assertThat(PostgresChoice.of(property, variable)).isEqualTo(new PostgresChoice(container, required));
    }

    @Test
    void shouldSkipTestsWithoutAContainerUnlessItIsRequired() {
        Optional<String> absent = Optional.of("no Docker engine answers");

        assertThat(new PostgresChoice(true, false).skipped(absent)).isEqualTo(absent);
        assertThat(new PostgresChoice(true, true).skipped(Optional.empty())).isEmpty();
        assertThatThrownBy(() -> new PostgresChoice(true, true).skipped(absent))
                .hasMessage("ASSAY_TEST_POSTGRES=container asks for PostgreSQL in a container, but no Docker engine"
                        + " answers. Provide it, or unset ASSAY_TEST_POSTGRES.");
    }

    @Test
    void shouldRefuseAnotherWord() {
        assertThatThrownBy(() -> PostgresChoice.of(null, "docker"))
                .hasMessage("ASSAY_TEST_POSTGRES must be container, but is docker; unset it for embedded PostgreSQL");
    }

    /** Inside its container a server listens on PostgreSQL's own port; the address of tests is another one. */
    @Test
    void shouldRunOnTheServerThatWasAskedFor(StoreFixture store) {
        Object port =
                store.query("SELECT inet_server_port() AS port").getFirst().get("port");

        assertThat(store.jdbcUrl().contains(":" + port + "/")).isNotEqualTo(PostgresServer.isContainer());
        assertThat(port.equals(5432)).isEqualTo(PostgresServer.isContainer());
    }
}
