package dev.assay.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import java.math.BigDecimal;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Changes the limits of a campaign, whatever it is doing. */
@Command(name = "set", description = "Change the limits of a campaign, or extend it by more trials.")
public final class SetCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private SteeringOptions steering = new SteeringOptions();

    @Option(names = "--max-concurrent", paramLabel = "N", description = "Model calls in flight.")
    private @Nullable Integer maxConcurrent;

    @Option(names = "--budget-usd", paramLabel = "X", description = "Budget of all calls together, in US dollars.")
    private @Nullable BigDecimal budgetUsd;

    @Option(names = "--trials", paramLabel = "N", description = "Trials of each case, more than now.")
    private @Nullable Integer trials;

    @Option(
            names = "--max-outage",
            paramLabel = "TIME",
            description = "How long it waits for a provider that is down, such as 30m; 0s: cells fail at once.")
    private @Nullable String maxOutage;

    @Override
    public Integer call() {
        ObjectNode limits = Json.mapper().createObjectNode();
        if (maxConcurrent != null) {
            limits.put("maxConcurrent", maxConcurrent);
        }
        if (budgetUsd != null) {
            limits.put("budgetUsd", budgetUsd);
        }
        if (trials != null) {
            limits.put("trials", trials);
        }
        if (maxOutage != null) {
            limits.put("maxOutage", maxOutage);
        }
        if (limits.isEmpty() && spec != null) {
            throw new ParameterException(
                    spec.commandLine(), "Name what changes: --max-concurrent, --budget-usd, --trials or --max-outage.");
        }
        return steering.steer(
                api -> api.change(steering.id(), limits),
                view -> "Changed " + view.id() + "; it is " + view.state() + ", "
                        + view.progress().cellsDone() + " of " + view.progress().cellsTotal() + " cells done.");
    }
}
