package dev.assay.web.evaluation;

import dev.assay.campaigns.plan.ExpectedEnds;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.ProgressRepository;
import dev.assay.web.evaluation.EvaluationView.Progress;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/** How far evaluations of any kind are. */
@Singleton
public final class EvaluationProgress {

    private final ProgressRepository counters;
    private final ExpectedEnds ends;

    EvaluationProgress(ProgressRepository counters, ExpectedEnds ends) {
        this.counters = counters;
        this.ends = ends;
    }

    /** How far one is; null: it has ended. */
    public @Nullable Progress of(StoredCampaign campaign) {
        return campaign.state().ended()
                ? null
                : counters.find(campaign.id())
                        .map(found -> new Progress(
                                found.cellsTotal(),
                                found.cellsDone(),
                                ends.of(campaign, found, found.cellsTotal() - found.cellsDone())
                                        .end()))
                        .orElse(null);
    }
}
