package dev.assay.web;

import dev.assay.workflows.campaign.CampaignProgress;
import dev.assay.workflows.campaign.CampaignRun;
import dev.assay.workflows.campaign.CampaignWorkflow;
import dev.assay.workflows.campaign.SteeringActivities.Steered;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Waits to be told something. Fails at once when the campaign's id contains {@code broken}. Its progress says the epoch that it
 * was told last, and as slices done how often it was told something.
 */
public final class FakeCampaignWorkflow implements CampaignWorkflow {

    private final List<Integer> told = new ArrayList<>();
    private @Nullable CampaignRun input;

    @Override
    public void run(CampaignRun run) {
        input = run;
        if (run.campaignId().contains("broken")) {
            throw ApplicationFailure.newNonRetryableFailure("Broken on purpose", "Test");
        }
        Workflow.await(() -> run.campaignId().contains("brief") && !told.isEmpty());
    }

    @Override
    public void wake(int epoch, @Nullable String what) {
        told.add(epoch);
    }

    @Override
    public void batchCollected(String batchId) {}

    @Override
    public void sliceEmpty(int number) {
        throw unexpected();
    }

    @Override
    public Steered pause() {
        throw unexpected();
    }

    @Override
    public Steered resume() {
        throw unexpected();
    }

    @Override
    public Steered cancel() {
        throw unexpected();
    }

    @Override
    public Steered setLimits(Map<String, Object> limits) {
        throw unexpected();
    }

    @Override
    public void validateLimits(Map<String, Object> limits) {
        throw unexpected();
    }

    @Override
    public Steered rerun(@Nullable Map<String, Object> cells) {
        throw unexpected();
    }

    @Override
    public void validateRerun(@Nullable Map<String, Object> cells) {
        throw unexpected();
    }

    private static RuntimeException unexpected() {
        return ApplicationFailure.newNonRetryableFailure("The server changes PostgreSQL itself", "Test");
    }

    @Override
    public CampaignProgress progress() {
        CampaignRun run = input;
        if (run == null) {
            throw new IllegalStateException("Not begun");
        }
        int epoch = told.isEmpty() ? run.epoch() : told.getLast();
        return new CampaignProgress(run.campaignId(), "RUNNING", epoch, 0, 0, 0, told.size(), null);
    }
}
