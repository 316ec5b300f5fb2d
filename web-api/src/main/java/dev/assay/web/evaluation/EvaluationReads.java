package dev.assay.web.evaluation;

/**
 * Evaluations of one kind, as clients read them.
 *
 * @param <E> one as it is stored
 * @param <V> one as clients see it
 */
public interface EvaluationReads<E, V> {

    /**
     * The evaluation.
     *
     * @throws dev.assay.domain.error.AssayException NOT_FOUND
     */
    E required(String evaluationId);

    /** Whether it has ended and nothing of it runs any more: what it came to does not change. */
    boolean isSettled(E evaluation);

    /** What clients see of it. */
    V view(E evaluation);
}
