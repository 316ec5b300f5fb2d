package dev.assay.activities.campaign;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.check.code.PromptCode;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.selection.Strategy;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.worker.WorkerRepository;
import dev.assay.workflows.TaskQueues;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * The task queues of a campaign's activities: those of workers that can do the work. While only workers of a version before 0018
 * are alive for it, the queue that they know.
 */
@Singleton
public class CampaignQueues {

    private final WorkerRepository workers;

    public CampaignQueues(WorkerRepository workers) {
        this.workers = workers;
    }

    /** The queue of activities that ask {@code provider}. */
    public String provider(StoredCampaign campaign, String provider) {
        // Where no worker may start a program that a campaign does not require, any worker can report that.
        boolean isMissed = provider.equals(Agent.PROVIDER_COMMAND)
                && campaign.definition().commands().stream().noneMatch(AgentCommand::required)
                && !workers.isPolled(TaskQueues.provider(provider));
        return ofProvider(campaign, isMissed ? Agent.PROVIDER_SCRIPTED : provider);
    }

    /**
     * The queue of activities that ask a branch. Where own code says what it is asked, that of workers which run it, if all of them
     * ask its provider, too.
     */
    public String branch(StoredCampaign campaign, Branch branch) {
        String queue = provider(campaign, branch.agent().provider());
        PromptCode code = branch.wording().promptCode();
        String ofCode =
                code == null ? queue : TaskQueues.code(code.script().language().word());
        return ofCode.equals(queue) || !workers.isPolledOnlyWith(ofCode, queue) ? queue : ofCode;
    }

    private String ofProvider(StoredCampaign campaign, String provider) {
        String queue = TaskQueues.provider(provider);
        return campaign.isUrgent() ? polled(TaskQueues.evaluation(provider), queue) : queue;
    }

    /** The queue of selections: that of the custom strategy, or of the first judge or grader that not every worker can ask. */
    public String selection(StoredCampaign campaign) {
        Strategy.Custom custom = campaign.definition().strategy().plugin().orElse(null);
        if (custom != null) {
            return polled(TaskQueues.strategy(custom.name()), TaskQueues.ORCHESTRATION);
        }
        List<Agent> asked = campaign.definition()
                .judging()
                .map(policy -> policy.judges().stream().map(Judge::agent).toList())
                .orElse(campaign.definition().graderAgents());
        return asked.isEmpty()
                ? TaskQueues.ORCHESTRATION
                : provider(campaign, first(asked).provider());
    }

    private static Agent first(List<Agent> asked) {
        return asked.stream()
                .filter(agent -> agent.modelAsked().isPresent())
                .findFirst()
                .orElse(asked.getFirst());
    }

    private String polled(String queue, String otherwise) {
        return workers.isPolled(queue) ? queue : otherwise;
    }
}
