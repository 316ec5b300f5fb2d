package dev.assay.cli.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Pause a campaign: what runs ends, nothing new starts. */
@Command(name = "pause", description = "Pause a campaign: what runs ends, nothing new starts.")
public final class PauseCommand implements Callable<Integer> {

    @Mixin
    private SteeringOptions steering = new SteeringOptions();

    @Override
    public Integer call() {
        return steering.steer(
                api -> api.act(steering.id(), "pause"),
                view -> "Paused " + view.id() + ". Go on with: assay resume " + view.id());
    }
}
