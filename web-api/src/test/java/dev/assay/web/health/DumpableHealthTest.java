package dev.assay.web.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

class DumpableHealthTest {

    private static List<HealthResult> results(Map<String, String> environment) {
        return Flux.from(new DumpableHealth(environment).getResult())
                .collectList()
                .blockOptional()
                .orElseThrow();
    }

    @Test
    void shouldSayThatOthersMayReadTheProcessWhenTheEnvironmentAsksForIt() {
        assertThat(results(Map.of("ASSAY_DUMPABLE", "1"))).singleElement().satisfies(result -> {
            assertThat(result.getName()).isEqualTo("dumpable");
            assertThat(result.getStatus()).isEqualTo(HealthStatus.UP);
        });
        assertThat(results(Map.of("ASSAY_DUMPABLE", "0"))).isEmpty();
    }
}
