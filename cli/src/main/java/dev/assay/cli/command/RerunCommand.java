package dev.assay.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.client.AssayApi;
import dev.assay.cli.client.RemoteCampaign;
import dev.assay.cli.option.CostConsent;
import dev.assay.domain.agent.kind.AgentKinds;
import dev.assay.domain.json.Json;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs cells of a campaign again: those that failed or errored, or all of its branches. */
@Command(
        name = "rerun",
        description =
                "Rerun failed or errored cells of a campaign, whose first draws keep counting; or whole branches.")
public final class RerunCommand implements Callable<Integer> {

    @Mixin
    private SteeringOptions steering = new SteeringOptions();

    @Mixin
    private CostConsent consent = new CostConsent();

    @ArgGroup
    private @Nullable Only only;

    @Option(names = "--case", paramLabel = "ID", description = "Only this case; may be given several times.")
    private List<String> cases = List.of();

    @Option(names = "--branch", paramLabel = "ID", description = "Only this branch; may be given several times.")
    private List<String> branches = List.of();

    /** The choice among the cells that did not pass. */
    private static final class Only {
        @Option(names = "--failed", required = true, description = "Only cells of which a check failed.")
        private boolean failed;

        // Picocli sets it; the absence of the others says the same.
        @SuppressWarnings("UnusedVariable")
        @Option(names = "--errored", required = true, description = "Only cells that ended without an answer to check.")
        private boolean errored;

        @Option(
                names = "--only",
                required = true,
                paramLabel = "WHICH",
                description =
                        "failed, errored, all, or grades: only the grades that did not pass; no answer is repeated.")
        private @Nullable String word;

        @Option(
                names = "--whole",
                required = true,
                description =
                        "Every cell of the branches, passed ones too. Only then do the new draws replace the earlier"
                                + " ones.")
        private boolean whole;
    }

    @Override
    public Integer call() {
        if (isWhole() && !cases.isEmpty()) {
            throw steering.connect()
                    .common()
                    .badUsage("--whole asks every case again: leave --case out, or --whole; --branch may be given");
        }
        ObjectNode rerun = Json.mapper().createObjectNode();
        if (isWhole()) {
            rerun.put("whole", true);
        } else {
            rerun.put("only", only());
            cases.forEach(rerun.putArray("cases")::add);
        }
        branches.forEach(rerun.putArray("branches")::add);
        return steering.steer(
                api -> !isWhole() || agreed(api), api -> api.rerun(steering.id(), rerun), RerunCommand::sentence);
    }

    private boolean isWhole() {
        return only != null && only.whole;
    }

    private String only() {
        if (only == null) {
            return "all";
        }
        return only.word != null ? only.word : only.failed ? "failed" : "errored";
    }

    /** Names the cells that are paid for again, before they are. */
    private boolean agreed(AssayApi api) {
        long cells = stream(api.progress(steering.id()).path("branches"))
                .filter(branch -> branches.isEmpty()
                        || branches.contains(branch.path("id").asText()))
                .mapToLong(branch -> branch.path("cellsTotal").asLong())
                .sum();
        return consent.givenAgain(
                cells,
                isPaidFor(api.definition(steering.id())),
                steering.connect().common().err());
    }

    /** Whether the campaign asks what may be paid for. */
    private static boolean isPaidFor(JsonNode definition) {
        return Stream.of(definition.findParents("provider"), definition.findParents("kind"))
                .flatMap(List::stream)
                .anyMatch(one -> !AgentKinds.isFree(one.path("kind").asText()));
    }

    private static Stream<JsonNode> stream(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    private static String sentence(RemoteCampaign view) {
        long open = view.progress().cellsTotal() - view.progress().cellsDone();
        return view.state().ended()
                ? "Nothing of " + view.id() + " is to be run again; it is " + view.state() + "."
                : view.id() + " is " + view.state() + " with " + open + " of "
                        + view.progress().cellsTotal() + " cells open.";
    }
}
