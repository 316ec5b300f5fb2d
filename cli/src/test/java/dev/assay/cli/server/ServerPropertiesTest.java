package dev.assay.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

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
}
