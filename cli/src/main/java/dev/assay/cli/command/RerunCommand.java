package dev.assay.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.client.RemoteCampaign;
import dev.assay.domain.json.Json;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs cells of a campaign again that failed or errored. */
@Command(name = "rerun", description = "Rerun failed or errored cells of a campaign; passed ones are kept.")
public final class RerunCommand implements Callable<Integer> {

    @Mixin
    private SteeringOptions steering = new SteeringOptions();

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
    }

    @Override
    public Integer call() {
        ObjectNode rerun = Json.mapper().createObjectNode();
        rerun.put("only", only());
        cases.forEach(rerun.putArray("cases")::add);
        branches.forEach(rerun.putArray("branches")::add);
        return steering.steer(api -> api.rerun(steering.id(), rerun), RerunCommand::sentence);
    }

    private String only() {
        if (only == null) {
            return "all";
        }
        return only.word != null ? only.word : only.failed ? "failed" : "errored";
    }

    private static String sentence(RemoteCampaign view) {
        long open = view.progress().cellsTotal() - view.progress().cellsDone();
        return view.state().ended()
                ? "Nothing of " + view.id() + " is to be run again; it is " + view.state() + "."
                : view.id() + " is " + view.state() + " with " + open + " of "
                        + view.progress().cellsTotal() + " cells open.";
    }
}
