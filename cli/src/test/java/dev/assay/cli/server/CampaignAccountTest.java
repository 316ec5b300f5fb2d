package dev.assay.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.CommandRun;
import dev.assay.cli.testing.InProcessServer;
import dev.assay.cli.testing.StubModel;
import dev.assay.cli.testing.StubModel.Reply;
import dev.assay.domain.json.Json;
import dev.assay.standalone.server.AssayServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every surface says the same of campaigns that went in different ways, and the commands that they print work when pasted. */
@Tag("slow")
final class CampaignAccountTest {

    private static final Duration PATIENCE = Api.PATIENCE;
    private static final Pattern COMMAND = Pattern.compile(
            "(?:Next|Go on with|Try again with|Run them again with|Ask these cells again with): (assay .*)|\\((assay"
                    + " show .*)\\)");

    @TempDir
    Path temporary;

    private final StubModel model = new StubModel();
    private Path data;
    private AssayServer server;
    private Api api;

    @BeforeEach
    void start() throws Exception {
        data = temporary.resolve("a directory");
        model.writeProviders(data);
        server = InProcessServer.start(data);
        api = new Api(data);
    }

    @AfterEach
    void stop() {
        api.close();
        server.close();
        model.close();
    }

    /** Ten cases with one trial each; a call costs ten cents. */
    private String submit(String name, String more) throws Exception {
        StringBuilder cases = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            cases.append("  - {id: case-")
                    .append(i)
                    .append(", prompt: Capital ")
                    .append(i)
                    .append("?}\n");
        }
        return api.submit("name: " + name + "\ncases:\n" + cases + "branches: [{id: small, provider: stub, model: "
                + name + "}]\n" + more);
    }

    private JsonNode get(String id, String part) throws Exception {
        return api.get("/api/v1/campaigns/" + id + part);
    }

    private JsonNode awaitState(String id, String state) throws Exception {
        await().atMost(PATIENCE)
                .until(() -> get(id, "/account").path("state").asText().equals(state));
        return get(id, "/account");
    }

    private void assertSurfacesAgree(String id) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            JsonNode account = get(id, "/account");
            JsonNode progress = get(id, "/progress");
            JsonNode status = Json.tree(command("status", id, "--json").out());
            assertThat(settled(progress.get("account"))).as("/progress").isEqualTo(settled(account));
            assertThat(settled(get(id, "").get("account"))).as("the campaign").isEqualTo(settled(account));
            assertThat(settled(status.get("account"))).as("assay status --json").isEqualTo(settled(account));
            for (JsonNode other : List.of(progress, status)) {
                for (String field : List.of("state", "verdict", "health")) {
                    assertThat(other.get(field)).as(field).isEqualTo(account.get(field));
                }
                assertThat(other.at("/progress/cellsDone").asLong())
                        .isEqualTo(account.at("/cells/done").asLong()
                                + account.at("/cells/notNeeded").asLong());
            }
            assertThat(command("status", id).out())
                    .contains("Next: " + account.get("next").asText() + " --server ");
        });
    }

    /** Without what changes from one look to the next while a campaign runs, as text: 1 and 1.0 are nodes of two kinds. */
    private static String settled(JsonNode account) {
        return ((ObjectNode) account.deepCopy()).without(List.of("eta", "rate")).toString();
    }

    private CommandRun command(String... arguments) {
        String[] all = new String[arguments.length + 2];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        all[arguments.length] = "--server";
        all[arguments.length + 1] = server.api().toString();
        return CommandRun.of(all);
    }

    @Test
    void shouldAgreeWhenCampaignsHaveEnded() throws Exception {
        model.refuse(Set.of("Capital 3?"));
        String done = submit("done", "trials: 1\n");
        String budget = submit("budget", "limits: {budgetUsd: 0.4, maxConcurrent: 1}\n");
        String early = submit("early", "trials: 30\nstop: settled\n");

        JsonNode ended = awaitState(done, "COMPLETED");
        assertThat(ended.at("/errors/0/final").asInt()).isEqualTo(1);
        assertThat(ended.get("next").asText()).isEqualTo("assay rerun " + done + " --errored");
        assertThat(ended.get("rule").asText()).contains("10 cases");
        assertThat(awaitState(budget, "COMPLETED").at("/cells/skipped").asInt()).isPositive();
        assertThat(get(budget, "/account").get("next").asText()).startsWith("assay set " + budget + " --budget-usd ");
        assertThat(awaitState(early, "COMPLETED").at("/cells/notNeeded").asInt())
                .as("it stopped early")
                .isPositive();
        for (String id : List.of(done, budget, early)) {
            assertSurfacesAgree(id);
        }

        model.refuse(Set.of());
        command("rerun", done, "--errored");
        await().atMost(PATIENCE)
                .until(() -> get(done, "/account").at("/cells/done").asInt() == 10
                        && get(done, "/account").path("state").asText().equals("COMPLETED"));
        assertThat(get(done, "/account").at("/cells/rerun").asInt()).isEqualTo(1);
        assertThat(get(done, "/account").get("errors")).isEmpty();
        assertSurfacesAgree(done);
    }

    @Test
    void shouldAgreeWhenCampaignsWait() throws Exception {
        model.replyBy(request -> switch (request.path("model").asText()) {
            case "away" -> new Reply(503, "{\"error\":{\"message\":\"Away\"}}", Map.of());
            default -> null;
        });
        String away = submit("away", "trials: 5\n");
        // One look: between two of them the provider is tried again.
        await().atMost(PATIENCE).untilAsserted(() -> {
            JsonNode account = get(away, "/account");
            assertThat(account.at("/providers/0/state").asText()).isEqualTo("DOWN");
            assertThat(account.at("/providers/0/held").asInt())
                    .isEqualTo(account.at("/cells/open").asInt());
            assertThat(account.get("etaReason").asText()).isEqualTo("PROVIDER_AWAY");
        });
        assertSurfacesAgree(away);

        model.delay(Duration.ofSeconds(30));
        String paused = submit("slow", "limits: {maxConcurrent: 3}\n");
        await().atMost(PATIENCE)
                .until(() -> get(paused, "/account").path("inFlight").asInt() == 3);
        assertSurfacesAgree(paused);
        command("pause", paused);
        model.release();
        await().atMost(PATIENCE)
                .until(() -> get(paused, "/account").path("inFlight").asInt() == 0);
        assertThat(get(paused, "/account").at("/paused/who").asText()).isEqualTo("local");
        assertSurfacesAgree(paused);
    }

    @Test
    void shouldAgreeWhenAKeyIsRevoked() throws Exception {
        model.replyBy(request -> new Reply(401, "{\"error\":{\"message\":\"Revoked\"}}", Map.of()));
        String id = submit("revoked", "trials: 1\n");
        JsonNode ended = awaitState(id, "COMPLETED");
        assertThat(ended.at("/errors/0/code").asText()).isEqualTo("PROVIDER_AUTH");
        assertThat(ended.at("/errors/0/final").asInt()).isEqualTo(10);
        assertSurfacesAgree(id);
        assertThat(command("watch", id).out())
                .contains("PROVIDER_AUTH: Provider stub refused the key", "Run them again with: assay rerun " + id);
    }

    @Test
    void shouldPrintCommandsThatWorkWhenPasted() throws Exception {
        model.refuse(Set.of("Capital 3?"));
        String done = submit("done", "trials: 1\n");
        String budget = submit("budget", "limits: {budgetUsd: 0.4, maxConcurrent: 1}\n");
        awaitState(done, "COMPLETED");
        awaitState(budget, "COMPLETED");
        List<String> byServer = List.of("--server", server.api().toString());
        List<String> byData = List.of("--data", data.toString());
        int pasted = 0;
        for (List<String> where : List.of(byServer, byData)) {
            for (String id : List.of(done, budget)) {
                pasted += paste(CommandRun.of("status", id, where.get(0), where.get(1)));
                pasted += paste(CommandRun.of("watch", id, where.get(0), where.get(1)));
                pasted += paste(CommandRun.of("show", id, where.get(0), where.get(1)));
                pasted += paste(CommandRun.of("show", id, "--cases", "errored", where.get(0), where.get(1)));
            }
        }
        assertThat(pasted).isGreaterThanOrEqualTo(16);
    }

    @Test
    void shouldNameWhatGoesOnWhenACampaignDidNotEnd() throws Exception {
        model.delay(Duration.ofSeconds(30));
        String id = submit("slow", "limits: {maxConcurrent: 3}\n");
        await().atMost(PATIENCE)
                .until(() -> get(id, "/account").path("inFlight").asInt() == 3);
        for (String verb : List.of("pause", "cancel")) {
            CommandRun steered = command(verb, id);
            assertThat(steered.code()).as(steered.err()).isZero();
            CommandRun watched = command("watch", id);
            assertThat(watched.code()).isEqualTo(1);
            assertThat(watched.err())
                    .contains(
                            verb.equals("pause")
                                    ? "assay: The campaign is paused"
                                    : "assay: The campaign was cancelled",
                            "cells are open. Go on with: assay resume " + id + " --server ");
        }
        model.release();
        CommandRun resumed = pasted(command("watch", id).err()).getFirst();
        assertThat(resumed.code()).as(resumed.err()).isZero();
        assertThat(resumed.out()).contains("Passed: every case passed, 10 cases on branch small.");
    }

    @Test
    void shouldListCellsThatErroredWithTheirReasons() throws Exception {
        model.refuse(Set.of("Capital 3?", "Capital 5?"));
        String id = submit("done", "trials: 1\n");
        awaitState(id, "COMPLETED");

        CommandRun listed = command("show", id, "--cases", "errored");
        assertThat(listed.out().lines())
                .hasSize(3)
                .anyMatch(line -> line.startsWith("case-3, trial 1, small: PROVIDER_REJECTED: "))
                .anyMatch(line -> line.startsWith("case-5, trial 1, small: PROVIDER_REJECTED: "))
                .last()
                .asString()
                .startsWith("Run them again with: assay rerun " + id + " --errored --server ");
        assertThat(Json.tree(command("show", id, "--cases", "errored", "--branch", "small", "--json")
                        .out()))
                .hasSize(2);
        assertThat(command("show", id, "--cases", "errored", "--branch", "none").code())
                .isEqualTo(2);

        Path page = temporary.resolve("report.html");
        assertThat(command("show", id, "--html", page.toString()).code()).isZero();
        assertThat(page)
                .content(StandardCharsets.UTF_8)
                .startsWith("<!doctype html>")
                .contains("PROVIDER_REJECTED", "<b>case-3</b> on small", "<pre dir=\"auto\">Capital 3?</pre>")
                .endsWith("</html>\n");
        assertThat(command(
                                "show",
                                id,
                                "--html",
                                temporary.resolve("none/report.html").toString())
                        .code())
                .isEqualTo(2);
    }

    /** Runs what the output names, as a shell reads it, and returns how many commands these were. */
    private static int paste(CommandRun printed) throws Exception {
        assertThat(printed.code()).as(printed.err()).isNotIn(1, 2);
        return pasted(printed.out() + printed.err()).size();
    }

    /** The commands that a text names, run as a shell reads them. */
    private static List<CommandRun> pasted(String text) throws Exception {
        Matcher commands = COMMAND.matcher(text);
        List<CommandRun> runs = new ArrayList<>();
        while (commands.find()) {
            String command = commands.group(1) == null ? commands.group(2) : commands.group(1);
            CommandRun run = CommandRun.of(words(command.substring("assay ".length())));
            assertThat(run.code()).as(command + "\n" + run.err()).isNotIn(1, 2);
            runs.add(run);
        }
        return runs;
    }

    private static String[] words(String command) throws Exception {
        Process shell = new ProcessBuilder("sh", "-c", "printf '%s\\n' " + command).start();
        String words = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).isZero();
        return words.lines().toArray(String[]::new);
    }
}
