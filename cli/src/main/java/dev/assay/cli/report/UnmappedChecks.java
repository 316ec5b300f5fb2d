package dev.assay.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.assay.domain.check.UnmappedRule;
import dev.assay.domain.rendering.Numbers;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.CaseSummary;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The required checks of a campaign file that an import left out.
 *
 * @param what they are, as the other tool calls them, each once
 * @param cases ids of the cases that lost one
 */
public record UnmappedChecks(List<String> what, Set<String> cases) {

    /** A file that lost no check. */
    public static final UnmappedChecks NONE = new UnmappedChecks(List.of(), Set.of());

    private static final int NAMED = 5;

    public UnmappedChecks {
        what = List.copyOf(what);
        cases = Set.copyOf(cases);
    }

    /** Those of a campaign file. */
    public static UnmappedChecks of(JsonNode document) {
        Set<String> all = new LinkedHashSet<>();
        add(document.path("checks"), all);
        boolean isEvery = !all.isEmpty();
        Set<String> cases = new HashSet<>();
        for (JsonNode one : document.path("cases")) {
            Set<String> own = new LinkedHashSet<>();
            add(one.path("checks"), own);
            if (isEvery || !own.isEmpty()) {
                cases.add(one.path("id").asText());
            }
            all.addAll(own);
        }
        return all.isEmpty() ? NONE : new UnmappedChecks(new ArrayList<>(all), cases);
    }

    private static void add(JsonNode checks, Set<String> what) {
        for (JsonNode check : checks.isArray() ? checks : MissingNode.getInstance()) {
            if (!check.path("required").asBoolean(true)) {
                continue;
            }
            if (check.path("type").asText().equals(UnmappedRule.WORD)) {
                what.add(check.path("what").asText());
            }
            add(check.path("checks"), what);
        }
    }

    /** The trials that are unscored for the want of them, and what to do; null: there are none. */
    public @Nullable String sentence(CampaignSummary summary) {
        int unscored = 0;
        for (BranchSummary branch : summary.branches()) {
            for (CaseSummary one : branch.cases()) {
                unscored += cases.contains(one.caseId()) ? unscored(one) : 0;
            }
        }
        if (unscored == 0) {
            return null;
        }
        String more = what.size() > NAMED ? " and " + (what.size() - NAMED) + " more" : "";
        return Numbers.count(unscored, "trial") + (unscored == 1 ? " is" : " are")
                + " unscored, for the import left out "
                + String.join(", ", what.subList(0, Math.min(NAMED, what.size()))) + more
                + ". Write these checks as Assay has them, or take them out of the file.";
    }

    private static int unscored(CaseSummary one) {
        Integer asked = one.asked();
        Integer failed = one.failCount();
        Integer errors = one.errors();
        return asked == null || failed == null || errors == null ? 0 : asked - one.passCount() - failed - errors;
    }
}
