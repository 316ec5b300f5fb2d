package dev.assay.cli.command;

import dev.assay.cli.file.CampaignFile;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.report.CampaignSize;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.domain.campaignfile.CampaignSubmission;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Checks a campaign file. Stores and starts nothing. */
@Command(name = "validate", description = "Check a campaign file; nothing is stored or started.")
public final class ValidateCommand implements Callable<Integer> {

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Parameters(paramLabel = "FILE", description = "A campaign file, or a directory that holds campaign.yaml.")
    private Path file = Path.of("");

    @Override
    public Integer call() throws InterruptedException {
        CampaignSubmission submission = CampaignCheck.check(CampaignFile.load(file), common.path());
        common.out().println(file + " is valid: " + new CampaignSize(submission).text());
        common.out().flush();
        CampaignCheck.warnings(submission, common.path())
                .forEach(warning -> common.err().println("Warning: " + warning));
        common.err().flush();
        return ExitCode.OK;
    }
}
