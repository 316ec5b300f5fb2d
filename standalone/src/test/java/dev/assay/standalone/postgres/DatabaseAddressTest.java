package dev.assay.standalone.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.work.secret.SecretVariables;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    void shouldTakeAnotherPasswordAndNoOtherPlaceWhenTheFilesChange(@TempDir Path directory) throws Exception {
        Path url = Files.writeString(directory.resolve("url"), "postgresql://assay@db/assay\n");
        Path password = Files.writeString(directory.resolve("password"), "before\n");
        SecretVariables variables = SecretVariables.of(
                Map.of("ASSAY_DATABASE_URL_FILE", url.toString(), "ASSAY_DATABASE_PASSWORD_FILE", password.toString()));
        DatabaseAddress database = DatabaseAddress.in(variables).orElseThrow();
        assertThat(database).isEqualTo(new DatabaseAddress("jdbc:postgresql://db/assay", "assay", "before"));
        assertThat(database.isInFile(variables)).isTrue();
        assertThat(DatabaseAddress.parse("postgresql://assay@elsewhere/assay").isInFile(variables))
                .isFalse();
        List<String> taken = new ArrayList<>();
        database.onChange(variables, now -> taken.add(now.password()));

        Files.writeString(password, "after");
        variables.look();
        for (String other : List.of("postgresql://assay@elsewhere/assay", "postgresql://other@db/assay", "nonsense")) {
            Files.writeString(url, other);
            variables.look();
            assertThat(variables.unreadable()).containsExactly("ASSAY_DATABASE_URL");
        }
        assertThat(DatabaseAddress.in(variables))
                .contains(new DatabaseAddress("jdbc:postgresql://db/assay", "assay", "after"));
        Files.writeString(url, "postgresql://assay:inside@db/assay");
        variables.look();

        assertThat(taken).containsExactly("after", "inside");
        assertThat(variables.unreadable()).isEmpty();
    }

    @Test
    void shouldSayHowAUrlLooksWhenItIsNone() {
        assertThatThrownBy(() -> in("mysql://root:secret@db/assay", ""))
                .hasMessageContaining("ASSAY_DATABASE_URL")
                .hasMessageContaining("postgresql://")
                .hasMessageNotContaining("secret");
    }
}
