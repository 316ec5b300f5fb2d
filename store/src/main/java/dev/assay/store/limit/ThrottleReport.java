package dev.assay.store.limit;

import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.answer.PoolRefusal;
import dev.assay.domain.limit.answer.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a worker tells of the answers of a pool.
 *
 * @param refusals at most one of each kind: a burst is one
 * @param answers clean answers that may let the number of calls grow; null: none
 * @param isBack whether the pool was away, and answers again
 * @param learned limits that answers have said, none twice
 */
public record ThrottleReport(
        List<Refused> refusals, @Nullable Answers answers, boolean isBack, List<Learned> learned) {

    /** Nothing. */
    public static final ThrottleReport NONE = new ThrottleReport(List.of(), null, false);

    public ThrottleReport {
        refusals = List.copyOf(refusals);
        learned = List.copyOf(learned);
    }

    /** No limit was learned. */
    public ThrottleReport(List<Refused> refusals, @Nullable Answers answers, boolean isBack) {
        this(refusals, answers, isBack, List.of());
    }

    /**
     * The same with what is told of the group of its pool.
     *
     * @param clean answers that may let the number of calls grow; null: none
     */
    public ThrottleReport with(@Nullable Answers clean, boolean back) {
        int calmed = answers == null ? Answers.NOT_CALM : answers.blocksThen();
        Answers all = clean == null ? answers : new Answers(clean.times(), clean.inFlight(), clean.cutsThen(), calmed);
        return new ThrottleReport(refusals, all, back, learned);
    }

    /**
     * A limit as answers say it.
     *
     * @param limit units a period, at least 1
     * @param used units that were spent already, as the answer says, at least 0
     */
    public record Learned(LimitKind kind, long limit, long used) {}

    /**
     * Refusals of one kind.
     *
     * @param times how many, at least 1
     */
    public record Refused(PoolRefusal refusal, int times) {

        /** With one more. */
        public Refused and(PoolRefusal more) {
            return new Refused(refusal.and(more), Math.addExact(times, 1));
        }
    }

    /**
     * Clean answers.
     *
     * @param times how many, at least 0
     * @param inFlight calls of the pool that were in flight as their requests were sent, in the mean
     * @param cutsThen the number of cuts as their requests were sent
     * @param blocksThen the number of blocks as the last of their requests was sent
     */
    public record Answers(int times, int inFlight, int cutsThen, int blocksThen) {

        /** No answer came after a block. */
        public static final int NOT_CALM = -1;
    }

    /** The refusals that say that too many calls were in flight. */
    List<PoolRefusal> ofConcurrency() {
        return refusals.stream()
                .map(Refused::refusal)
                .filter(refusal -> refusal.kind() == Refusal.Kind.CONCURRENCY)
                .toList();
    }

    /** Whether it says anything of how many calls may go. */
    boolean isOfCalls() {
        return !refusals.isEmpty() || answers != null || isBack;
    }

    /** Whether a limit is used up, as a refusal says. */
    boolean isOfRate() {
        return refusals.stream().anyMatch(one -> one.refusal().kind() == Refusal.Kind.RATE);
    }

    boolean isEmpty() {
        return !isOfCalls() && learned.isEmpty();
    }
}
