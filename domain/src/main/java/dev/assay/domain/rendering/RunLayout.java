package dev.assay.domain.rendering;

import dev.assay.domain.document.IdRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * FastSkill's names of the files of a run, below the directory of the run, with {@code /} between directories. With several
 * branches the directory of a case has one for each branch.
 *
 * @param hasBranches whether there are several
 */
public record RunLayout(boolean hasBranches) {

    /** The summary of the run. */
    public static final String SUMMARY = "summary.json";

    /** Names the campaign of the run, from its beginning. */
    public static final String CAMPAIGN = "campaign.json";

    /** The result of a trial, which is written last: a trial's directory that has it is complete. */
    public static final String RESULT = "result.json";

    /** What the agent did. */
    public static final String TRACE = "trace.jsonl";

    /** The files of a trial beside {@link #RESULT}. */
    public static final List<String> TRIAL_FILES = List.of("stdout.txt", "stderr.txt", TRACE);

    /** The aggregate of a case. */
    private static final String AGGREGATED = "aggregated.json";

    private static final String TRIAL = "trial-";

    private static final String UNKNOWN = "a run has no such file";

    /** The path of a file of a trial. */
    public String trial(String caseId, String branchId, int trial, String file) {
        return of(caseId, branchId) + TRIAL + trial + "/" + file;
    }

    /** The path of the aggregate of a case. */
    public String aggregated(String caseId, String branchId) {
        return of(caseId, branchId) + AGGREGATED;
    }

    private String of(String caseId, String branchId) {
        return hasBranches ? caseId + "/" + branchId + "/" : caseId + "/";
    }

    /**
     * The reason why {@code path} is none of a run's files, so that it must not be written; null: it is one.
     *
     * @param path as a server names it, with or without a level for branches
     */
    public static @Nullable String problem(String path) {
        String[] segments = path.split("/", -1);
        int last = segments.length - 1;
        if (last == 0) {
            return path.equals(SUMMARY) ? null : UNKNOWN;
        }
        boolean isOfTrial = segments[last - 1].matches(TRIAL + "[1-9][0-9]{0,9}")
                && (segments[last].equals(RESULT) || TRIAL_FILES.contains(segments[last]));
        int ids = isOfTrial ? last - 1 : last;
        boolean isFile = isOfTrial || segments[last].equals(AGGREGATED);
        if (!isFile || ids < 1 || ids > 2) {
            return UNKNOWN;
        }
        for (int i = 0; i < ids; i++) {
            if (IdRule.problem(segments[i]) != null) {
                return "the id is no name of a directory";
            }
        }
        boolean isTaken = segments[0].equals(SUMMARY) || segments[0].equals(CAMPAIGN);
        return isTaken ? "the id is the name of the run's own file" : null;
    }
}
