package dev.assay.cli;

import dev.assay.cli.command.AuditCommand;
import dev.assay.cli.command.CancelCommand;
import dev.assay.cli.command.CompareCommand;
import dev.assay.cli.command.DeleteCommand;
import dev.assay.cli.command.EvaluateCommand;
import dev.assay.cli.command.HypothesesCommand;
import dev.assay.cli.command.ImportCommand;
import dev.assay.cli.command.JudgeCommand;
import dev.assay.cli.command.ListCommand;
import dev.assay.cli.command.PauseCommand;
import dev.assay.cli.command.PlanCommand;
import dev.assay.cli.command.RerunCommand;
import dev.assay.cli.command.ResumeCommand;
import dev.assay.cli.command.RunCommand;
import dev.assay.cli.command.ServerCommand;
import dev.assay.cli.command.SetCommand;
import dev.assay.cli.command.ShowCommand;
import dev.assay.cli.command.StatusCommand;
import dev.assay.cli.command.UpCommand;
import dev.assay.cli.command.ValidateCommand;
import dev.assay.cli.command.VersionCommand;
import dev.assay.cli.command.WatchCommand;
import dev.assay.cli.command.WorkerCommand;
import dev.assay.cli.command.delivery.BatchCommand;
import dev.assay.cli.command.label.LabelCommand;
import dev.assay.cli.command.label.LabelsCommand;
import dev.assay.cli.command.provider.ProviderCommand;
import dev.assay.cli.command.results.ExportCommand;
import dev.assay.cli.command.results.ImportResultsCommand;
import dev.assay.cli.command.scoring.RescoreCommand;
import dev.assay.cli.terminal.ErrorReport;
import dev.assay.cli.terminal.Interrupts;
import dev.assay.cli.terminal.TerminalWriter;
import dev.assay.cli.token.TokenCommand;
import dev.assay.work.confine.OwnProcess;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code assay} command. */
@Command(
        name = "assay",
        description = "Durable evaluation campaigns for LLMs and agents.",
        versionProvider = VersionCommand.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Exit codes: 0 passed; 100 the gate failed; 101 inconclusive; 1 could not run;",
            "2 bad usage or an invalid file; 130 after Ctrl-C.",
            "Environment: ASSAY_DATA, ASSAY_ENGINE, ASSAY_DATABASE_URL, ASSAY_DATABASE_PASSWORD,",
            "ASSAY_DATABASE_CONNECTIONS, ASSAY_PROVIDERS, ASSAY_TOOLS, TEMPORAL_ADDRESS, ASSAY_API_TOKEN, ASSAY_LOG,",
            "ASSAY_LOG_FORMAT, ASSAY_DUMPABLE, ASSAY_DEBUG."
        },
        subcommands = {
            RunCommand.class,
            ValidateCommand.class,
            ImportCommand.class,
            ImportResultsCommand.class,
            ExportCommand.class,
            PlanCommand.class,
            UpCommand.class,
            ServerCommand.class,
            WorkerCommand.class,
            ListCommand.class,
            ShowCommand.class,
            StatusCommand.class,
            WatchCommand.class,
            PauseCommand.class,
            ResumeCommand.class,
            CancelCommand.class,
            SetCommand.class,
            RerunCommand.class,
            DeleteCommand.class,
            CompareCommand.class,
            RescoreCommand.class,
            EvaluateCommand.class,
            HypothesesCommand.class,
            JudgeCommand.class,
            LabelCommand.class,
            LabelsCommand.class,
            ProviderCommand.class,
            BatchCommand.class,
            TokenCommand.class,
            AuditCommand.class,
            VersionCommand.class
        })
public final class Assay implements Runnable {

    @CommandLine.Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    // Picocli sets it and acts on it by itself.
    @SuppressWarnings("UnusedVariable")
    @CommandLine.Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = CommandLine.ScopeType.INHERIT,
            description = "Show this help.")
    private boolean help;

    // Picocli sets it and acts on it by itself.
    @SuppressWarnings("UnusedVariable")
    @CommandLine.Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Print the version.")
    private boolean version;

    private Assay() {}

    /** Runs the command line and ends this process with its exit code. */
    public static void main(String[] arguments) {
        // Keys and logins are in its environment. To link the system call takes as long as to read the command line.
        if (!OwnProcess.isOpen(System.getenv())) {
            Thread.ofPlatform().daemon().name("hide").start(OwnProcess::hide);
        }
        int code = commandLine().execute(arguments);
        Interrupts.stayIfInterrupted();
        // The command has stopped what it started.
        OwnProcess.end(code);
        System.exit(code);
    }

    /** The command line with everything that all commands share. */
    public static CommandLine commandLine() {
        return new CommandLine(new Assay())
                .setOut(new TerminalWriter(System.out))
                .setErr(new TerminalWriter(System.err))
                // Its colours are control characters.
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setExecutionExceptionHandler(new ErrorReport())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true);
    }

    /** Without a command: bad usage. */
    @Override
    public void run() {
        if (spec != null) {
            throw new CommandLine.ParameterException(spec.commandLine(), "Name a command.");
        }
    }
}
