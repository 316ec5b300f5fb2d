package dev.assay.domain.evaluation;

import dev.assay.domain.message.Message;
import java.util.List;

/** The view and the actions of a custom strategy while it decides one trial. Unusable after {@code select} has returned. */
public interface StrategyContext {

    /** Most messages of {@link #progress} in one decision. */
    int MOST_PROGRESS = 100;

    /** The conversation before the prompts, which all branches started from; oldest first, often empty. */
    List<Message> conversation();

    /**
     * Sends a message to those who follow an evaluation, as a ProgressMessage of the strategy's loop. Campaigns have no followers.
     * After {@value #MOST_PROGRESS} messages the rest is left out. Any thread may call it.
     */
    void progress(String text);

    /** Whether the answer is not needed any more: it was cancelled, took too long, or its worker ends. */
    boolean isCancelled();

    /**
     * Asks a model and waits for its reply. The call is paid for as a judge's is: under the campaign's budget and limits, and
     * recorded. The n-th ask of a trial that is decided again gets the recorded reply, and asks no model.
     *
     * @param model one of the names that the campaign's strategy gives models
     * @param messages what the model reads, at least one; the last one from the user
     * @throws AskFailedException when the model gave no answer for good; it is recorded, too
     * @throws SelectionStoppedException when the trial is not decided now; let it pass
     * @throws IllegalArgumentException when there is no such model, or no message
     * @throws IllegalStateException beyond the asks that the campaign allows, when another thread asks than the one that
     *     {@code select} was called on, and after {@code select} returned
     */
    AskAnswer ask(String model, List<Message> messages);
}
