package dev.assay.cli.command;

import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Says which Assay this is. */
@Command(name = "version", description = "Say which Assay this is.")
public final class VersionCommand implements Callable<Integer> {

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Override
    public Integer call() {
        String version = VersionCommand.class.getPackage().getImplementationVersion();
        common.out()
                .println("assay " + Objects.requireNonNullElse(version, "development") + " on Java "
                        + Runtime.version());
        common.out().flush();
        return ExitCode.OK;
    }
}
