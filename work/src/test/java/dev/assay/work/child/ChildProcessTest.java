package dev.assay.work.child;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ChildProcessTest {

    private static final List<String> ENV = List.of("/usr/bin/env");
    private static final Set<String> NEEDED =
            Set.of("PATH", "HOME", "USER", "LOGNAME", "LANG", "TMPDIR", "TZ", "LD_LIBRARY_PATH");

    /** Not of what every program needs, and set wherever these tests run. */
    private static final String OTHER = System.getenv().keySet().stream()
            .filter(name -> !NEEDED.contains(name) && name.matches("[A-Z]+_?[A-Z]+") && !name.startsWith("LC_"))
            .sorted()
            .findFirst()
            .orElseThrow();

    private static Set<String> seen(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        return new String(process.getInputStream().readAllBytes(), UTF_8)
                .lines()
                .map(line -> line.split("=", 2)[0])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> own(Set<String> names) {
        return System.getenv().keySet().stream()
                .filter(name -> names.contains(name) || name.startsWith("LC_"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void shouldSeeWhatProgramsNeedAndNothingElse() throws Exception {
        assertThat(seen(ChildProcess.of(ENV))).isEqualTo(own(NEEDED)).contains("PATH");
    }

    @Test
    void shouldSeeWhatItsPurposeNames() throws Exception {
        assertThat(seen(ChildProcess.of(ENV, OTHER, "ASSAY_NOT_SET"))).contains("PATH", OTHER);
    }

    @Test
    void shouldSeeOnlyTheNamedVariables() throws Exception {
        assertThat(seen(ChildProcess.seeingOnly(ENV))).isEmpty();
        assertThat(seen(ChildProcess.seeingOnly(ENV, OTHER))).containsExactly(OTHER);
    }

    @Test
    void shouldSeeOnlyWhatItIsGiven() throws Exception {
        assertThat(seen(ChildProcess.with(ENV, Map.of("GIVEN", "a")))).containsExactly("GIVEN");
    }
}
