package dev.assay.web.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.work.secret.SecretVariables;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;

class SecretsHealthTest {

    @TempDir
    Path directory;

    private static List<HealthResult> results(SecretVariables variables) {
        return Flux.from(new SecretsHealth(variables).getResult())
                .collectList()
                .blockOptional()
                .orElseThrow();
    }

    @Test
    void shouldNameTheVariableWhileItsFileCannotBeRead() throws Exception {
        Path file = Files.writeString(directory.resolve("key"), "s3cret");
        SecretVariables variables = SecretVariables.of(Map.of("KEY_FILE", file.toString()));
        assertThat(variables.value("KEY")).isEqualTo("s3cret");
        assertThat(results(variables)).isEmpty();

        Files.delete(file);
        variables.look();
        assertThat(results(variables)).singleElement().satisfies(result -> {
            assertThat(result.getStatus()).isEqualTo(HealthStatus.UP);
            assertThat(result.getDetails()).isEqualTo(Map.of("code", "SECRET_UNREADABLE", "variables", List.of("KEY")));
        });

        Files.writeString(file, "s3cret");
        variables.look();
        assertThat(results(variables)).isEmpty();
    }
}
