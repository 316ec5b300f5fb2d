package dev.assay.activities.campaign;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.selection.Strategy;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.worker.WorkerRepository;
import dev.assay.workflows.TaskQueues;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * The task queues of a campaign's activities: of workers that can do what is asked. While only workers of a version before 0018 are
 * alive for it, the queue that they know.
 */
@Singleton
public class CampaignQueues {

    private final WorkerRepository workers;

    public CampaignQueues(WorkerRepository workers) {
        this.workers = workers;
    }

    /** Of the activities that ask {@code provider}. */
    public String provider(StoredCampaign campaign, String provider) {
        String queue = TaskQueues.provider(provider);
        return campaign.isUrgent() ? polled(TaskQueues.evaluation(provider), queue) : queue;
    }

    /** Of the selections: that of the custom strategy, or of the first judge that not every worker can ask. */
    public String selection(StoredCampaign campaign) {
        if (campaign.definition().strategy() instanceof Strategy.Custom custom) {
            return polled(TaskQueues.strategy(custom.name()), TaskQueues.ORCHESTRATION);
        }
        return campaign.definition()
                .judging()
                .map(policy -> provider(campaign, firstJudge(policy).provider()))
                .orElse(TaskQueues.ORCHESTRATION);
    }

    private static Agent firstJudge(JudgePolicy policy) {
        List<Agent> judges = policy.judges().stream().map(Judge::agent).toList();
        return judges.stream().filter(Agent.Model.class::isInstance).findFirst().orElse(judges.getFirst());
    }

    private String polled(String queue, String otherwise) {
        return workers.isPolled(queue) ? queue : otherwise;
    }
}
