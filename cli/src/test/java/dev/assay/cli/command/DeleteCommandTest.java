package dev.assay.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.cli.testing.CommandRun;
import dev.assay.cli.testing.FakeApi;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeleteCommandTest {

    private final FakeApi api = new FakeApi();

    @AfterEach
    void stop() {
        api.close();
    }

    private List<String> deleted() {
        return api.requests().stream()
                .filter(request -> request.method().equals("DELETE"))
                .map(FakeApi.Request::path)
                .toList();
    }

    @Test
    void shouldDeleteEachCampaignOnceWhenNobodyIsToBeAsked() {
        CommandRun run = CommandRun.of("delete", "c-1", "c-1", "--yes", "--server", api.url());

        assertThat(run.code()).isZero();
        assertThat(run.out()).isEqualToIgnoringNewLines("Deleted c-1.");
        assertThat(deleted()).containsExactly("/api/v1/campaigns/c-1");
    }

    @Test
    void shouldDeleteNothingWhenNobodyCanBeAsked() {
        CommandRun run = CommandRun.of("delete", "c-1", "--server", api.url());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("--yes");
        assertThat(deleted()).isEmpty();
    }

    @Test
    void shouldSayWhatTheServerSaysWhenItRefuses() {
        CommandRun run = CommandRun.of("delete", "unknown", "--yes", "--server", api.url());

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("There is no /api/v1/campaigns/unknown");
    }
}
