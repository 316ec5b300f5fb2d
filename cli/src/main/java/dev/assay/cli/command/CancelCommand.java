package dev.assay.cli.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Cancel a campaign; its results stay. */
@Command(name = "cancel", description = "Cancel a campaign; its results stay.")
public final class CancelCommand implements Callable<Integer> {

    @Mixin
    private SteeringOptions steering = new SteeringOptions();

    @Override
    public Integer call() {
        return steering.steer(api -> api.act(steering.id(), "cancel"), view -> "Cancelled " + view.id() + ".");
    }
}
