package dev.assay.campaigns.scoring;

import dev.assay.campaigns.launch.CampaignLauncher;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.scoring.ScoringRepository;
import dev.assay.store.scoring.ScoringRepository.Piece;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies the answers that scorings judge, and starts each when its copy is whole. One copies at a time. What a server leaves undone, the
 * next one goes on with.
 */
@Singleton
public final class AnswerCopies {

    private static final Logger LOG = LoggerFactory.getLogger(AnswerCopies.class);

    /** Trials of one transaction: a fraction of a second's work where answers are texts. */
    private static final int TRIALS = 500;

    private final ScoringRepository scorings;
    private final CampaignRepository campaigns;
    private final CampaignLauncher launcher;
    private final ExecutorService copier = Executors.newSingleThreadExecutor(
            Thread.ofVirtual().name("answer-copies").factory());
    private final Set<String> begun = ConcurrentHashMap.newKeySet();

    AnswerCopies(ScoringRepository scorings, CampaignRepository campaigns, CampaignLauncher launcher) {
        this.scorings = scorings;
        this.campaigns = campaigns;
        this.launcher = launcher;
    }

    /** Has the answers of a scoring copied, and the scoring started then; does nothing where that is under way here. */
    public void begin(String scoringId) {
        if (begun.add(scoringId)) {
            copier.execute(() -> copyAll(scoringId));
        }
    }

    private void copyAll(String scoringId) {
        try {
            Piece piece = Piece.COPIED;
            while (piece == Piece.COPIED) {
                if (Thread.currentThread().isInterrupted()) {
                    return;
                }
                piece = scorings.copy(scoringId, TRIALS);
            }
            if (piece == Piece.WHOLE) {
                campaigns
                        .find(scoringId)
                        .filter(campaign -> campaign.state().goesOn())
                        .ifPresent(launcher::startSoon);
            }
        } catch (RuntimeException | Error e) {
            // The reconciler begins it again.
            LOG.warn("The answers for scoring {} cannot be copied now", scoringId, e);
        } finally {
            begun.remove(scoringId);
        }
    }

    /** Stops after the piece under way. */
    @PreDestroy
    public void stop() {
        copier.shutdownNow();
    }
}
