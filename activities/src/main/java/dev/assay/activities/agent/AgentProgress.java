package dev.assay.activities.agent;

import dev.assay.activities.model.ModelReply;
import dev.assay.domain.agent.AgentLimits;
import dev.assay.domain.agent.LoopSoFar;
import dev.assay.domain.agent.Provenance;
import dev.assay.domain.agent.RecordedTurn;
import dev.assay.domain.error.Failure;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Measured;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The messages and usage of an agent loop so far, over all attempts. */
public final class AgentProgress {

    private static final int MAX_WARNINGS = 20;

    private final AgentLimits limits;
    private final int originalContextLength;
    private final List<Message> conversation;
    private final Set<String> warnings = new LinkedHashSet<>();
    private int turns;

    /** Those that turns reported. */
    private long tokens;

    private boolean haveMissing;
    private boolean haveComplete;

    /** Null before the first turn. */
    private @Nullable Measured measured;

    private @Nullable String finishReason;
    private Provenance provenance = Provenance.NONE;
    private Duration elapsedBefore = Duration.ZERO;

    AgentProgress(AgentTask task) {
        this.limits = task.branch().limits();
        this.originalContextLength = task.context().size();
        this.conversation = new ArrayList<>(task.context());
        conversation.addAll(task.prompts());
    }

    /** Everything said, the context included. */
    List<Message> conversation() {
        return List.copyOf(conversation);
    }

    /** Turns that were answered. */
    int turns() {
        return turns;
    }

    /** Adds a turn. */
    void add(ModelReply reply) {
        turns++;
        reply.warnings().forEach(this::warned);
        tokens += reply.measured().usage().atLeast();
        haveMissing |= reply.measured().usage().missing();
        haveComplete |= reply.measured().usage().complete();
        if (haveMissing && haveComplete) {
            warned("Some turns did not report their usage completely, so the tokens of the answer are not known.");
        }
        measured = measured == null ? reply.measured() : measured.plus(reply.measured());
        finishReason = reply.finishReason();
        servedBy(reply.provenance());
        conversation.add(reply.message());
    }

    /** Keeps the last answer's origin for all, and warns users where another model answered before. */
    private void servedBy(Provenance next) {
        String before = provenance.servedModel();
        String now = next.servedModel();
        if (before != null && now != null && !before.equals(now)) {
            warned("The turns were answered by different models: %s, then %s.".formatted(before, now));
        }
        provenance = next;
    }

    /** Adds a turn of an earlier attempt. */
    void goOnAfter(RecordedTurn turn) {
        add(ModelReply.of(turn));
        elapsedBefore = turn.elapsed();
    }

    /** The time of the recorded turns of earlier attempts. */
    Duration elapsedBefore() {
        return elapsedBefore;
    }

    /** The user's input: the prompts, joined with LF; without any, the last user message. */
    String input() {
        List<Message> prompts = newMessages();
        List<Message> said = prompts.isEmpty() ? conversation : prompts;
        Stream<Message> byUser = said.stream().filter(message -> message.role() == Role.USER);
        return prompts.isEmpty()
                ? byUser.reduce((earlier, later) -> later).map(Message::text).orElse("")
                : byUser.map(Message::text).collect(Collectors.joining("\n"));
    }

    /**
     * Notes a warning, each text once, and no more than {@value #MAX_WARNINGS}. Tools of a turn run concurrently.
     *
     * @return whether it is a new one
     */
    synchronized boolean warned(String text) {
        return warnings.size() < MAX_WARNINGS && warnings.add(text);
    }

    private synchronized List<String> warnings() {
        return List.copyOf(warnings);
    }

    void add(Message message) {
        conversation.add(message);
    }

    /** The limit that forbids another turn, as a sentence; empty when none does. */
    Optional<String> limitReached(Duration elapsed) {
        if (turns >= limits.maxTurns()) {
            return Optional.of("The limit of %d turns was reached.".formatted(limits.maxTurns()));
        }
        if (tokens >= limits.maxTokens()) {
            return Optional.of(
                    "The limit of %d tokens was reached: %d were used.".formatted(limits.maxTokens(), tokens));
        }
        if (elapsedBefore.plus(elapsed).compareTo(limits.maxDuration()) >= 0) {
            return Optional.of("The limit of %s s was reached.".formatted(seconds(limits.maxDuration())));
        }
        BigDecimal costUsd = measured().costUsd();
        if (limits.maxCostUsd() != null && costUsd != null && costUsd.compareTo(limits.maxCostUsd()) >= 0) {
            return Optional.of("The limit of %s US dollars was reached: %s were spent."
                    .formatted(limits.maxCostUsd().toPlainString(), costUsd.toPlainString()));
        }
        return Optional.empty();
    }

    AgentResult completed() {
        return result(OutcomeStatus.COMPLETED, null);
    }

    AgentResult limited(Failure reason) {
        return result(OutcomeStatus.LIMIT, reason);
    }

    private AgentResult result(OutcomeStatus status, @Nullable Failure failure) {
        return new AgentResult(status, failure, soFar());
    }

    /** The prompts and everything after them. */
    List<Message> newMessages() {
        return List.copyOf(conversation.subList(originalContextLength, conversation.size()));
    }

    private Measured measured() {
        return measured == null ? Measured.NONE : measured;
    }

    /** The messages and usage of the loop so far. */
    public LoopSoFar soFar() {
        return new LoopSoFar(newMessages(), measured(), finishReason, warnings(), provenance);
    }

    static String seconds(Duration duration) {
        return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString();
    }
}
