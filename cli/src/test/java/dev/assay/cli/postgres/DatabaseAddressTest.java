package dev.assay.cli.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class DatabaseAddressTest {

    private static DatabaseAddress in(String url, String password) {
        return DatabaseAddress.in(Map.of("ASSAY_DATABASE_URL", url, "ASSAY_DATABASE_PASSWORD", password))
                .orElseThrow();
    }

    @Test
    void shouldTakeThePasswordOfTheVariableWhenTheUrlHasNone() {
        DatabaseAddress address = in("postgresql://assay@db:5432/assay?sslmode=require", "p@ss:w/rd%");
        assertThat(address.jdbcUrl()).isEqualTo("jdbc:postgresql://db:5432/assay?sslmode=require");
        assertThat(address.user()).isEqualTo("assay");
        assertThat(address.password()).isEqualTo("p@ss:w/rd%");
        assertThat(DatabaseAddress.parse(address.libpqUrl())).isEqualTo(address);
    }

    @Test
    void shouldKeepThePasswordOfTheUrlWhenItHasOne() {
        assertThat(in("postgresql://assay:of%20url@db/assay", "of variable").password())
                .isEqualTo("of url");
    }

    @Test
    void shouldShowNoLoginWhenTheUrlIsOneOfJdbc() {
        DatabaseAddress address = in("jdbc:postgresql://db/assay?user=me&password=s%26cret&sslmode=require", "");
        assertThat(address.jdbcUrl()).isEqualTo("jdbc:postgresql://db/assay?sslmode=require");
        assertThat(address.user()).isEqualTo("me");
        assertThat(address.password()).isEqualTo("s&cret");
        assertThat(address.place()).isEqualTo("db/assay");
        assertThat(address).hasToString("db/assay");
    }

    @Test
    void shouldNameNoDatabaseWhenTheVariableIsMissingOrEmpty() {
        assertThat(DatabaseAddress.in(Map.of())).isEmpty();
        assertThat(DatabaseAddress.in(Map.of("ASSAY_DATABASE_URL", ""))).isEmpty();
    }

    @Test
    void shouldSayHowAUrlLooksWhenItIsNone() {
        assertThatThrownBy(() -> in("mysql://root:secret@db/assay", ""))
                .hasMessageContaining("ASSAY_DATABASE_URL")
                .hasMessageContaining("postgresql://")
                .hasMessageNotContaining("secret");
    }
}
