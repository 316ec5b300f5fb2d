package dev.assay.cli.report.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.IdRule;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.CaseSummary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * FastSkill's files of a run: {@code <case>/trial-<n>/…}, {@code <case>/aggregated.json} and {@code summary.json}. With several
 * branches there is one level for the branch below the case. It reports files that cannot be written, and writes the rest: the
 * results are in the store.
 */
final class RunArtifacts {

    static final String TRACE = "trace.jsonl";

    static final String CODE = "EVAL_TRIAL_ARTIFACTS_CORRUPT";

    private static final String SUMMARY = "summary.json";

    /** Files that could not be written and are named one by one. */
    private static final int SHOWN = 10;

    private final Path directory;
    private final boolean hasBranches;
    private final PrintWriter err;
    private int failed;

    /**
     * @param directory of the run
     * @param hasBranches whether there are several
     * @param err where errors are reported
     */
    RunArtifacts(Path directory, boolean hasBranches, PrintWriter err) {
        this.directory = directory;
        this.hasBranches = hasBranches;
        this.err = err;
    }

    /** Something that ends early when the disk does not take it. */
    @FunctionalInterface
    private interface Writing {
        void write() throws IOException;
    }

    /** A source of a trial's files by their names. */
    @FunctionalInterface
    interface TrialFiles {
        byte[] get(String file);
    }

    /**
     * Writes the files of one trial.
     *
     * @param outcome as the API lists it
     */
    void trial(JsonNode outcome, ObjectNode result, TrialFiles files) {
        String caseId = outcome.path("caseId").asText();
        String branchId = outcome.path("branchId").asText();
        String name = caseId + ", branch " + branchId + ", trial " + outcome.path("trial");
        attempt(name, () -> {
            Path trial = Files.createDirectories(of(caseId, branchId).resolve("trial-" + outcome.path("trial")));
            write(trial.resolve("result.json"), SummaryJson.pretty(result) + "\n");
            for (String file : List.of("stdout.txt", "stderr.txt", TRACE)) {
                Files.write(trial.resolve(file), files.get(file));
            }
        });
    }

    /** Writes the aggregate of each case, then {@code summary.json}, and reports how many files are missing. */
    void finish(CampaignSummary summary, TrialResults trials, String summaryJson) {
        for (BranchSummary branch : summary.branches()) {
            for (CaseSummary one : branch.cases()) {
                attempt(one.caseId() + ", branch " + branch.branchId(), () -> {
                    Path place = Files.createDirectories(of(one.caseId(), branch.branchId()));
                    write(
                            place.resolve("aggregated.json"),
                            SummaryJson.pretty(trials.aggregated(branch.branchId(), one, summary.passThreshold()))
                                    + "\n");
                });
            }
        }
        attempt(SUMMARY, () -> write(directory.resolve(SUMMARY), summaryJson + "\n"));
        if (failed > SHOWN) {
            err.println(CODE + ": " + (failed - SHOWN) + " more could not be written.");
        }
        if (failed > 0) {
            err.println("The results themselves are stored; show them with: assay show");
            err.flush();
        }
    }

    private Path of(String caseId, String branchId) throws IOException {
        if (IdRule.problem(caseId) != null || IdRule.problem(branchId) != null) {
            throw new IOException("the id is no name of a directory");
        }
        if (caseId.equals(SUMMARY)) {
            throw new IOException("the id is the name of the run's own file");
        }
        Path ofCase = directory.resolve(caseId);
        return hasBranches ? ofCase.resolve(branchId) : ofCase;
    }

    private void attempt(String what, Writing writing) {
        try {
            writing.write();
        } catch (IOException | AssayException | IllegalArgumentException e) {
            failed++;
            if (failed <= SHOWN) {
                err.println(CODE + ": The files of " + what + " could not be written in " + directory + ": " + e);
                err.flush();
            }
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardCharsets.UTF_8);
    }
}
