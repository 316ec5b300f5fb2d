package dev.assay.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.cli.testing.CommandRun;
import dev.assay.cli.testing.FakeApi;
import dev.assay.domain.json.Json;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SteeringCommandTest {

    private final FakeApi api = new FakeApi();

    @AfterEach
    void stop() {
        api.close();
    }

    private CommandRun run(String... arguments) {
        String[] all = new String[arguments.length + 2];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        all[arguments.length] = "--server";
        all[arguments.length + 1] = api.url();
        return CommandRun.of(all);
    }

    @Test
    void shouldSendTheLimitsThatWereNamed() {
        CommandRun run = run("set", "c-1", "--max-concurrent", "5", "--budget-usd", "2.50", "--trials", "7");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).startsWith("Changed c-1; it is RUNNING, 1 of 2 cells done.");
        assertThat(api.requests())
                .containsExactly(new FakeApi.Request(
                        "PATCH", "/api/v1/campaigns/c-1", "{\"maxConcurrent\":5,\"budgetUsd\":2.50,\"trials\":7}"));
        assertThat(run("set", "c-1", "--trials", "8").code()).isZero();
        assertThat(api.requests().getLast().body()).isEqualTo("{\"trials\":8}");
        assertThat(run("set", "c-1", "--max-outage", "PT30M").code()).isZero();
        assertThat(api.requests().getLast().body()).isEqualTo("{\"maxOutage\":\"PT30M\"}");
    }

    @Test
    void shouldExitTwoWhenNothingIsSet() {
        CommandRun run = run("set", "c-1");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("--max-concurrent, --budget-usd, --trials or --max-outage");
        assertThat(api.requests()).isEmpty();
    }

    @Test
    void shouldSayWhichCellsRunAgain() {
        assertThat(run("rerun", "c-1").out()).startsWith("c-1 is RUNNING with 1 of 2 cells open.");
        assertThat(body()).isEqualTo("{\"only\":\"all\",\"cases\":[],\"branches\":[]}");
        run("rerun", "c-1", "--failed");
        assertThat(body()).startsWith("{\"only\":\"failed\"");
        run("rerun", "c-1", "--errored", "--case", "france", "--case", "spain", "--branch", "small");
        assertThat(body())
                .isEqualTo("{\"only\":\"errored\",\"cases\":[\"france\",\"spain\"],\"branches\":[\"small\"]}");
        assertThat(run("rerun", "c-1", "--failed", "--errored").code()).isEqualTo(2);
        run("rerun", "c-1", "--only", "grades");
        assertThat(body()).isEqualTo("{\"only\":\"grades\",\"cases\":[],\"branches\":[]}");
    }

    @Test
    void shouldSayHowManyCellsAreAskedAgainWhenARerunIsWhole() {
        CommandRun all = run("rerun", "c-1", "--whole");
        assertThat(all.code()).as(all.err()).isZero();
        assertThat(body()).isEqualTo("{\"whole\":true,\"branches\":[]}");
        assertThat(all.err()).contains("EVAL_COST_WARNING: 1,540 cells are asked again", "Each may cost money.");
        assertThat(run("rerun", "c-1", "--whole", "--branch", "small").err()).contains("140 cells are asked again");
        assertThat(body()).isEqualTo("{\"whole\":true,\"branches\":[\"small\"]}");
    }

    @Test
    void shouldExitTwoWhenAWholeRerunLeavesCellsOut() {
        for (String[] part : new String[][] {{"--case", "france"}, {"--failed"}, {"--errored"}, {"--only", "all"}}) {
            String[] arguments = Stream.concat(Stream.of("rerun", "c-1", "--whole"), Stream.of(part))
                    .toArray(String[]::new);

            assertThat(run(arguments).code()).as(String.join(" ", part)).isEqualTo(2);
        }
        assertThat(api.requests()).isEmpty();
    }

    private String body() {
        return api.requests().getLast().body();
    }

    @Test
    void shouldSayThatNothingRunsAgainWhenEverythingPassed() {
        api.steered("COMPLETED");

        assertThat(run("rerun", "c-1").out()).startsWith("Nothing of c-1 is to be run again; it is COMPLETED.");
    }

    @Test
    void shouldPrintTheCampaignWhenAskedForJson() {
        for (String[] command : new String[][] {
            {"pause", "c-1", "--json"},
            {"cancel", "c-1", "--json"},
            {"set", "c-1", "--trials", "3", "--json"},
            {"rerun", "c-1", "--json"}
        }) {
            assertThat(Json.tree(run(command).out()).path("id").asText()).isEqualTo("c-1");
        }
    }

    @Test
    void shouldSayWhatToDoWhenACompletedCampaignIsResumed() {
        api.steered("COMPLETED").states("COMPLETED");

        CommandRun run = run("resume", "c-1");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err())
                .contains("c-1 is COMPLETED and nothing of it is open", "assay set c-1", "assay rerun c-1");
        assertThat(run.out()).contains("100.0 %");
    }
}
