package dev.assay.standalone.engine.installation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MissingBuildsTest {

    private final MissingBuilds builds = new MissingBuilds(Duration.ofSeconds(60));

    private Set<String> missing(Set<String> live, long second) {
        return builds.missing(
                Set.of("old", "new"), live, Duration.ofSeconds(second).toNanos());
    }

    @Test
    void shouldMissABuildWhenItHadNoWorkerForTheWholeTime() {
        assertThat(missing(Set.of("new"), 0)).isEmpty();
        assertThat(missing(Set.of("new"), 59)).isEmpty();
        assertThat(missing(Set.of("new"), 60)).containsExactly("old");
    }

    @Test
    void shouldCountAnewWhenAWorkerCameBackMeanwhile() {
        missing(Set.of("new"), 0);
        missing(Set.of("old", "new"), 30);
        assertThat(missing(Set.of("new"), 70)).isEmpty();
        assertThat(missing(Set.of("new"), 130)).containsExactly("old");
    }
}
