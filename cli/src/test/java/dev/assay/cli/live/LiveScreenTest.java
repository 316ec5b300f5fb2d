package dev.assay.cli.live;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.assay.cli.Assay;
import dev.assay.cli.testing.FakeApi;
import dev.assay.standalone.testing.JavaProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jline.utils.ScreenTerminal;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The live view in a pseudo-terminal, as an emulator of a terminal shows it. */
@Tag("slow")
class LiveScreenTest {

    private static final int ROWS = 40;

    /** What a command wrote, and the lines that the screen has after it ran to its end. */
    private record Screen(String raw, List<String> lines) {}

    private static Screen run(int columns, String... arguments) throws Exception {
        ProcessBuilder java = JavaProcess.of(Assay.class, arguments);
        List<String> command = new ArrayList<>(java.command());
        command.addAll(1, List.of("-Dassay.terminal=true", "-Dassay.columns=" + columns));
        Path line = Files.createTempFile("live", ".sh");
        Files.writeString(
                line,
                "stty cols " + columns + " rows " + ROWS + "\nexec "
                        + String.join(
                                " ",
                                command.stream().map(word -> "'" + word + "'").toList()) + "\n");
        Process process = new ProcessBuilder("script", "-qec", "sh " + line, "/dev/null")
                .redirectInput(ProcessBuilder.Redirect.PIPE)
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String raw = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, SECONDS)).isTrue();
        Files.delete(line);
        ScreenTerminal screen = new ScreenTerminal(columns, ROWS);
        screen.write(raw);
        return new Screen(raw, shown(screen));
    }

    private static List<String> shown(ScreenTerminal screen) {
        long[] cells = new long[screen.getColumns() * ROWS];
        screen.dump(cells, new int[2]);
        List<String> lines = new ArrayList<>();
        for (int row = 0; row < ROWS; row++) {
            StringBuilder line = new StringBuilder();
            Arrays.stream(cells, row * screen.getColumns(), (row + 1) * screen.getColumns())
                    .mapToInt(ScreenTerminal::cellCodePoint)
                    .filter(point -> point > 0)
                    .forEach(line::appendCodePoint);
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    private static boolean hasScript() throws InterruptedException {
        try {
            return new ProcessBuilder("script", "--version").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 80, 200})
    void shouldDrawOverItselfAndEndWithTheResultWhenThereIsATerminal(int columns) throws Exception {
        assumeTrue(hasScript(), "There is no script of util-linux, which makes pseudo-terminals");
        try (FakeApi api = new FakeApi()) {
            api.account(LiveSample.account(2, "a-branch-with-a-long-name-", LiveSample.HOSTILE))
                    .states("RUNNING", "RUNNING", "RUNNING", "RUNNING", "RUNNING", "RUNNING", "RUNNING", "COMPLETED");

            Screen screen = run(columns, "watch", "c-1", "--server", api.url());

            assertThat(screen.raw())
                    .as("the view was drawn, not printed")
                    .contains("\u001b[", "RUNNING", "PROVIDER_TIMEOUT");
            assertThat(screen.raw()).doesNotContain("\u001b[2J\u001b[H\u0007");
            assertThat(screen.lines().getFirst()).isEqualTo("COMPLETED  capitals  c-1");
            assertThat(screen.lines()).as("drawn over").noneMatch(line -> line.startsWith("RUNNING"));
            assertThat(screen.lines()).anyMatch(line -> line.contains("2/2 cells"));
            assertThat(String.join(" ", screen.lines())).contains("small", "Results: ");
        }
    }

    @Test
    void shouldSayWhatItWaitsForWhenAStartTakesLong(@TempDir Path data) throws Exception {
        assumeTrue(hasScript(), "There is no script of util-linux, which makes pseudo-terminals");

        Screen screen = run(80, "list", "--engine", "in-process", "--data", data.toString());

        assertThat(screen.lines().getFirst()).startsWith("Starting PostgreSQL …");
    }
}
