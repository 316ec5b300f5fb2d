package dev.assay.cli.command;

import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.standalone.engine.installation.BuildId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;

/** Shows the version of Assay. */
@Command(name = "version", description = "Print the version.")
public final class VersionCommand implements Callable<Integer>, IVersionProvider {

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Override
    public Integer call() {
        common.out().println(version());
        common.out().flush();
        return ExitCode.OK;
    }

    @Override
    public String[] getVersion() {
        return new String[] {version()};
    }

    private static String version() {
        return "assay " + BuildId.version() + ", build " + BuildId.current() + ", on Java " + Runtime.version();
    }
}
