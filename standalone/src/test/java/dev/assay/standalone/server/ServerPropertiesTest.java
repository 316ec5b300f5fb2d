package dev.assay.standalone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.standalone.engine.EngineKind;
import dev.assay.standalone.postgres.DatabaseAddress;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerPropertiesTest {

    private static int poolSize(String asked) {
        return ServerProperties.poolSize(Map.of("ASSAY_DATABASE_CONNECTIONS", asked));
    }

    @Test
    void shouldOpenAsManyConnectionsAsTheEnvironmentAllows() {
        assertThat(poolSize("10")).isEqualTo(10);
        assertThat(poolSize("")).isEqualTo(40);
        assertThatThrownBy(() -> poolSize("0")).hasMessageContaining("ASSAY_DATABASE_CONNECTIONS");
        assertThatThrownBy(() -> poolSize("ten")).hasMessageContaining("\"ten\"");
    }

    @Test
    void shouldLeaveTheWorkerMostConnectionsWhenItSharesAProcessWithTheApi() {
        assertThat(ServerProperties.apiShare(40)).isEqualTo(13);
        assertThat(ServerProperties.apiShare(3)).isEqualTo(1);
        assertThat(ServerProperties.apiShare(1)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"READER, command", "RUNNER, command", "SERVICE, local", "API_ONLY, local"})
    void shouldNameCreatorsAfterWhatBroughtTheServer(ServerOptions.Role role, String nobody, @TempDir Path data) {
        ServerOptions options = new ServerOptions("assay", "127.0.0.1", 0, EngineKind.IN_PROCESS, role);

        assertThat(ServerProperties.of(DataDirectory.open(data), options, 1, new DatabaseAddress("jdbc:x", "a", "b")))
                .containsEntry("assay.access.nobody", nobody);
    }

    @Test
    void shouldGiveTheWorkerTheSlotsPollersAndCachesThatTheEnvironmentSays() {
        assertThat(ServerProperties.capacity(Map.of("ASSAY_WORKER_ACTIVITIES", "")))
                .isEmpty();
        assertThat(ServerProperties.capacity(Map.of(
                        "ASSAY_WORKER_ACTIVITIES", "11",
                        "ASSAY_WORKER_WORKFLOW_TASKS", "12",
                        "ASSAY_WORKER_ACTIVITY_POLLERS", "1",
                        "ASSAY_WORKER_WORKFLOW_POLLERS", "2",
                        "ASSAY_WORKER_CACHED_WORKFLOWS", "9999",
                        "ASSAY_WORKSPACE_CACHE_GB", "20")))
                .isEqualTo(Map.of(
                        "assay.worker.activities", 11,
                        "assay.worker.workflow-tasks", 12,
                        "assay.worker.activity-pollers", 1,
                        "assay.worker.workflow-pollers", 2,
                        "assay.worker.cached-workflows", 9_999,
                        "assay.workspaces.cache-gb", 20));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "0", "-3", "10000", "many", "5.0"})
    void shouldNameTheVariableAndItsRangeWhenAWorkerCannotHaveThat(String asked) {
        assertThatThrownBy(() -> ServerProperties.capacity(Map.of("ASSAY_WORKER_WORKFLOW_POLLERS", asked)))
                .hasMessage("ASSAY_WORKER_WORKFLOW_POLLERS must be a number from 2 to 9999, not \"" + asked + "\"");
    }
}
