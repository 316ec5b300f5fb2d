package dev.assay.activities.call;

import dev.assay.activities.agent.AgentEvents;
import dev.assay.domain.event.AgentEvent;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.journal.RunJournal;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The choice of the listener of a campaign's agent loops. Events of evaluations are recorded, those of other campaigns are not. */
@Singleton
public class CampaignEvents {

    private final RunJournal journal;

    public CampaignEvents(RunJournal journal) {
        this.journal = journal;
    }

    /** The receiver of events of {@code campaign}'s loops. */
    public AgentEvents of(StoredCampaign campaign) {
        return campaign.isEvaluation() ? new Recorded(journal, campaign.id()) : AgentEvents.NONE;
    }

    private record Recorded(RunJournal journal, String evaluationId) implements AgentEvents {

        @Override
        public void emit(AgentEvent event) {
            try {
                var _ = tell(List.of(event)).get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
            }
        }

        @Override
        public CompletableFuture<?> tell(List<AgentEvent> events) {
            return journal.tell(evaluationId, events);
        }
    }
}
