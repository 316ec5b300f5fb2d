package dev.assay.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.testing.CommandRun;
import dev.assay.cli.testing.FakeApi;
import dev.assay.domain.json.Json;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BulkSteeringTest {

    private final FakeApi api = new FakeApi();

    @AfterEach
    void stop() {
        api.close();
    }

    private CommandRun run(String... arguments) {
        return CommandRun.of(Stream.concat(Stream.of(arguments), Stream.of("--server", api.url()))
                .toArray(String[]::new));
    }

    private List<String> changes() {
        return api.requests().stream()
                .filter(request -> request.method().equals("POST"))
                .map(FakeApi.Request::path)
                .toList();
    }

    @Test
    void shouldTryEveryCampaignAndExitOneWhenOneFails() {
        CommandRun run = run("pause", "unknown", "c-1", "c-1");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out().lines())
                .containsExactly(
                        "Could not pause unknown: There is no /api/v1/campaigns/unknown/pause.",
                        "Paused c-1. Go on with: assay resume c-1 --server " + api.url());
        assertThat(run.err()).contains("1 of 2 campaigns could not be changed.");
        assertThat(changes()).containsExactly("/api/v1/campaigns/unknown/pause", "/api/v1/campaigns/c-1/pause");
    }

    @Test
    void shouldListResultsAndErrorsWhenAskedForJson() {
        CommandRun run = run("cancel", "c-1", "unknown", "--json");

        assertThat(run.code()).isEqualTo(1);
        JsonNode results = Json.tree(run.out());
        assertThat(results.at("/0/id").asText()).isEqualTo("c-1");
        assertThat(results.at("/1/id").asText()).isEqualTo("unknown");
        assertThat(results.at("/1/error/code").asText()).isEqualTo("NOT_FOUND");
    }

    @Test
    void shouldLeaveSeveralCampaignsToTheServerWhenTheyAreResumed() {
        CommandRun run = run("resume", "c-1", "unknown");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).contains("Resumed c-1; it is RUNNING.", "Could not resume unknown");
    }

    @Test
    void shouldChangeAllThatAQueryFindsWhenTheFirstChangeMovesItsPages() {
        CommandRun run = run("cancel", "--state", "paused", "--yes");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out().lines()).containsExactly("Cancelled c-1.", "Cancelled c-2.");
        assertThat(changes()).containsExactly("/api/v1/campaigns/c-1/cancel", "/api/v1/campaigns/c-2/cancel");
    }

    @Test
    void shouldShowWhatAQueryFindsAndChangeNothingWhenNobodyAgrees() {
        CommandRun run = run("cancel", "--state", "PAUSED");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("c-1", "c-2", "cancel these 2 campaigns; give --yes");
        assertThat(changes()).isEmpty();
    }

    @Test
    void shouldSayThatNothingMatches() {
        CommandRun run = run("pause", "--suite", "elsewhere", "--yes");

        assertThat(run.code()).isZero();
        assertThat(run.out()).isEqualTo("No campaign matches." + System.lineSeparator());
        assertThat(run("list", "--suite", "elsewhere").out()).isEqualTo(run.out());
        assertThat(changes()).isEmpty();
    }

    @Test
    void shouldListWhatTheSameQueryWouldChange() {
        assertThat(run("list", "--suite", "world", "--name", "capitals").out()).contains("c-1");
        assertThat(run("list", "--name", "other", "--json").out().strip()).isEqualTo("[ ]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pause", "resume", "cancel"})
    void shouldExitTwoWhenCampaignsAreNamedAndQueriedOrNeither(String verb) {
        CommandRun both = run(verb, "c-1", "--state", "RUNNING", "--yes");

        assertThat(both.code()).isEqualTo(2);
        assertThat(both.err()).contains("but not both");
        assertThat(run(verb).code()).isEqualTo(2);
        assertThat(run(verb, "--state", "STOPPED", "--yes").code()).isEqualTo(2);
        assertThat(api.requests()).isEmpty();
    }
}
