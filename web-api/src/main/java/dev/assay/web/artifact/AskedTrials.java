package dev.assay.web.artifact;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.message.Message;
import dev.assay.domain.rendering.CaseTrials;
import dev.assay.domain.rendering.HtmlReport;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.suite.Case;
import dev.assay.domain.text.Excerpt;
import dev.assay.store.suite.CaseRepository;
import dev.assay.store.suite.CaseWindow;
import java.io.IOException;
import java.util.stream.Collectors;

/** Trials with the beginning of what was asked, in the first one of each case. */
final class AskedTrials implements CaseTrials {

    private final CaseTrials trials;
    private final CaseRepository cases;
    private final String suiteId;

    AskedTrials(CaseTrials trials, CaseRepository cases, String suiteId) {
        this.trials = trials;
        this.cases = cases;
        this.suiteId = suiteId;
    }

    @Override
    public void forEach(BranchSummary branch, Reader reader) throws IOException {
        CaseWindow window = new CaseWindow(cases, suiteId);
        int[] index = {0};
        trials.forEach(branch, (one, all) -> {
            ((ObjectNode) all.get(0)).put(HtmlReport.QUESTION, question(window.at(index[0]++)));
            reader.read(one, all);
        });
    }

    private static String question(Case one) {
        String text = one.prompts().stream().map(Message::text).collect(Collectors.joining("\n\n"));
        return Excerpt.shortened(text, HtmlReport.LONGEST_TEXT);
    }
}
