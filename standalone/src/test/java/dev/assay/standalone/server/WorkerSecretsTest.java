package dev.assay.standalone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.access.LocalDoor;
import dev.assay.domain.json.Json;
import dev.assay.standalone.testing.JavaProcess;
import dev.assay.work.secret.SecretVariables;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerSecretsTest {

    /** Prints its health after the file of a secret has gone, in a process whose environment a test decides. */
    static final class Health {

        private Health() {}

        public static void main(String[] arguments) throws Exception {
            SecretVariables variables = SecretVariables.ofProcess();
            variables.value("KEY");
            Files.delete(Path.of(arguments[0]));
            variables.look();
            try (WorkerHealth health = WorkerHealth.start(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    new HealthDoor.Local(new LocalDoor(Set.of())),
                    Map.of("lease", () -> true),
                    null,
                    () -> "")) {
                URI readiness = URI.create("http://127.0.0.1:" + health.port() + "/health/readiness");
                System.out.println(new String(readiness.toURL().openStream().readAllBytes(), UTF_8));
            }
        }
    }

    @Test
    void shouldBeUpAndNameTheVariableWhenItsFileIsGone(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("key"), "s3cret");

        Process worker = JavaProcess.start(Health.class, Map.of("KEY_FILE", file.toString()), file.toString());

        String said = JavaProcess.firstLine(worker);
        assertThat(worker.waitFor()).isZero();
        assertThat(said).doesNotContain("s3cret");
        assertThat(Json.tree(said).path("status").asText()).isEqualTo("UP");
        assertThat(Json.tree(said).at("/details/secrets")).isEqualTo(Json.tree("""
            {"status":"UP","details":{"code":"SECRET_UNREADABLE","variables":["KEY"]}}\
            """));
    }
}
