package dev.assay.domain.estimate;

/** The reason why a campaign that was named says nothing of the pass rate. The names are those of the JSON. */
public enum NoRate {
    /** It has other cases, or says other things of them. */
    OTHER_SUITE,
    /** Its branches asked other models. */
    OTHER_MODELS,
    /** It has not ended: what is done first is no sample. */
    NOT_ENDED,
    /** None of its trials has a result. */
    NOTHING_KNOWN
}
