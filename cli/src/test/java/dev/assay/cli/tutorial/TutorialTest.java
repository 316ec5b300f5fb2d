package dev.assay.cli.tutorial;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A newcomer types what the pages say, and sees what they show. */
@Tag("slow")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TutorialTest {

    @TempDir
    Path checkout;

    @Test
    void shouldPrintWhatTheReadmeAndTheTutorialShowWhenTheirCommandsAreRun() throws Exception {
        try (Shell shell = Shell.start(checkout)) {
            assertPrintsWhatItShows(shell, Path.of("..", "README.md"), 2);
            assertPrintsWhatItShows(shell, Path.of("..", "docs", "first-campaign.md"), 16);
        }
    }

    /** @param commands how many the page has: a block that is not read would be a test that cannot fail */
    private static void assertPrintsWhatItShows(Shell shell, Path page, int commands) throws Exception {
        List<ConsoleStep> steps = ConsoleStep.of(page);
        assertThat(steps).hasSize(commands);
        for (ConsoleStep step : steps) {
            String shown = shell.here(step.shown());
            assertThat(shell.run(shell.here(step.command())))
                    .as("%s: `%s` must print%n%s", step.place(), step.command(), shown)
                    .matches(ConsoleStep.like(shown));
        }
    }
}
