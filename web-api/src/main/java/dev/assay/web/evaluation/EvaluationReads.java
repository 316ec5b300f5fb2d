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

    /** Whether it has ended. A part of it may still run. */
    boolean hasEnded(E evaluation);

    /** Whether it has ended and no part of it still runs: its result does not change. */
    boolean isSettled(E evaluation);

    /** The bytes of the texts of the form that clients see. */
    long octets(E evaluation);

    /** The form that clients see. */
    V view(E evaluation);
}
