package dev.assay.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.cli.testing.CommandRun;
import dev.assay.cli.testing.FakeApi;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WatchCommandTest {

    private final FakeApi api = new FakeApi();

    @AfterEach
    void stop() {
        api.close();
    }

    private CommandRun watch(String... arguments) {
        String[] all = new String[arguments.length + 3];
        all[0] = "watch";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        all[arguments.length + 1] = "--server";
        all[arguments.length + 2] = api.url();
        return CommandRun.of(all);
    }

    private void assertNothingWasSteered() {
        assertThat(api.requests()).extracting(FakeApi.Request::method).containsOnly("GET");
    }

    @Test
    void shouldEndAsTheRunWouldAndSteerNothing() {
        api.states("RUNNING", "RUNNING", "COMPLETED").summary(FakeApi.summary(1, 0));

        CommandRun run = watch("c-1");

        assertThat(run.code()).as(run.err()).isEqualTo(100);
        assertThat(run.out()).contains("Failed: 1 of 2 cases on branch small failed");
        assertThat(run.err()).contains("2/2 cells");
        assertNothingWasSteered();
    }

    @Test
    void shouldSayHowToGoOnWhenTheCampaignIsPausedOrCancelled() {
        api.states("RUNNING", "PAUSED");
        CommandRun paused = watch("c-1");
        assertThat(paused.code()).isEqualTo(1);
        assertThat(paused.err()).contains("is paused. Go on with: assay resume c-1 --server " + api.url());

        api.states("RUNNING", "CANCELLED");
        assertThat(watch("c-1").err()).contains("was cancelled. Go on with: assay resume c-1 --server " + api.url());
        assertNothingWasSteered();
    }

    @Test
    void shouldFollowACampaignOnceThatIsNamedTwice() {
        api.states("RUNNING", "COMPLETED");

        assertThat(watch("c-1", "c-1").err()).doesNotContain("c-1 [");
    }

    @Test
    void shouldNameEachLineAndExitAsTheWorstWhenItFollowsSeveral() {
        api.states("RUNNING", "COMPLETED").second("CANCELLED");

        CommandRun run = watch("c-1", "c-2");

        assertThat(run.code()).as(run.err()).isEqualTo(1);
        assertThat(run.err()).contains("c-1 [", "c-2 [", "assay resume c-2");
        assertThat(run.out()).contains("Passed: every case passed");
        assertNothingWasSteered();
    }

    @Test
    void shouldExitTwoWhenFilesOfSeveralAreAskedFor() {
        assertThat(watch("c-1", "c-2", "--json").code()).isEqualTo(2);
        assertThat(api.requests()).isEmpty();
    }

    @Test
    void shouldExitOneWhenThereIsNoSuchCampaign() {
        CommandRun run = watch("c-9");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("There is no");
    }

    @Test
    void shouldPrintIdAndPageAndExitWhenARunIsDetached(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("campaign.yaml"), """
            name: capitals
            cases: [{id: france, prompt: What is the capital of France?}]
            branches: [{id: small, kind: scripted, script: {answers: [Paris]}}]
            """);

        CommandRun run = CommandRun.of("run", file.toString(), "--detach", "--server", api.url());

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo("Campaign c-1\nPage: " + api.url() + "/ui/campaigns/c-1\n");
        assertThat(api.requests()).extracting(FakeApi.Request::path).doesNotContain("/api/v1/campaigns/c-1");
        assertThat(CommandRun.of("run", file.toString(), "--detach", "--json", "--server", api.url())
                        .code())
                .isEqualTo(2);

        Path data = directory.resolve("no server");
        CommandRun alone = CommandRun.of("run", file.toString(), "--detach", "--data", data.toString());
        assertThat(alone.code()).isEqualTo(1);
        assertThat(alone.err()).contains("assay up --data '" + data + "'");
        assertThat(data).as("nothing is started").doesNotExist();
    }
}
