package dev.assay.activities.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProcessEndsTest {

    /** A killed process is there for a moment longer: only a close that waits for it can promise that it is gone. */
    @Test
    void shouldLeaveNoProcessWhenOnesThatIgnoreTheRequestAreKilled() throws Exception {
        List<Process> deaf = IntStream.range(0, 200).mapToObj(_ -> deaf()).toList();
        for (Process process : deaf) {
            assertThat(process.inputReader().readLine()).isEqualTo("ready");
        }
        ProcessEnds ends = new ProcessEnds();
        ends.end(deaf.stream().map(Process::toHandle).toList(), () -> {});

        ends.close();

        assertThat(deaf).noneMatch(Process::isAlive);
    }

    private static Process deaf() {
        try {
            return new ProcessBuilder("sh", "-c", "trap '' TERM; echo ready; read line").start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
